import { dates } from '../../derive/quarters.ts'
import type { Identity } from '../../derive/universe.ts'
import { quotedAll } from '../../quoted.ts'

/** Which report tells of a filer: its consolidated assets, else those of the parent. */
const reports = { BHCK2170: 'FR Y-9C', BHCP2170: 'FR Y-9LP', BHSP2170: 'FR Y-9SP' }
const codes = quotedAll(Object.keys(reports))

export const identity: Identity = {
  columns: [
    'legal_name String',
    'city String',
    'hq_state LowCardinality(String)',
    'form LowCardinality(Nullable(String))',
  ],
  directory: ['address String', 'zip String', 'web_address String'],
  sql: (quarters) => `SELECT
    f.report_date AS report_date, f.rssd_id AS rssd_id, f.legal_name AS legal_name, f.city AS city, f.state AS hq_state,
    f.address AS address, f.zip AS zip, f.web_address AS web_address,
    multiIf(${Object.entries(reports)
      .map(([code, report]) => `has(i.filed, '${code}'), '${report}'`)
      .join(', ')}, NULL) AS form
FROM (SELECT * FROM holding_company_filers WHERE report_date IN (${dates(quarters)})) AS f
LEFT JOIN (
    SELECT report_date, rssd_id, groupUniqArray(toString(mdrm)) AS filed FROM holding_company_items
    WHERE report_date IN (${dates(quarters)}) AND mdrm IN (${codes}) AND value > 0 GROUP BY report_date, rssd_id
) AS i ON i.report_date = f.report_date AND i.rssd_id = f.rssd_id`,
}
