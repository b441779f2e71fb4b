import {
  cbsaCode,
  cohort,
  form,
  holdingCompanyName,
  holdingCompanyRssdId,
  identity,
  metricColumns,
  reportDate,
} from '../columns.ts'
import { dataset } from '../define.ts'
import { asOf, bank } from '../parameters.ts'

const own = 'rssd_id = {rssd_id:UInt32} AND report_date = {as_of:Date}'

export default dataset({
  key: 'bank-snapshot',
  summary: 'One bank in its latest filed quarter, or in the one asked for: identity and every metric.',
  // The metrics are one array, the identity a dozen columns of the wide table: both by primary key.
  from: `
SELECT i.*, r.metrics AS metrics
FROM
(
    SELECT rssd_id, report_date, cert, legal_name, city, hq_state, charter, regulator, form,
           holding_company_rssd_id, holding_company_name, cbsa_code, cohort
    FROM bank_quarters WHERE ${own}
) AS i
INNER JOIN (SELECT rssd_id, metrics FROM bank_rows WHERE ${own}) AS r ON r.rssd_id = i.rssd_id`,
  shape: 'array',
  grain: ['rssd_id', 'report_date'],
  parameters: { rssd_id: { ...bank(), where: undefined }, as_of: asOf({ where: null }) },
  columns: [
    ...identity,
    reportDate,
    form,
    holdingCompanyRssdId,
    holdingCompanyName,
    cbsaCode,
    cohort,
    metricColumns('all'),
  ],
  sources: ['ffiec-call-report', 'fdic-institutions'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Capital at the latest quarter',
      query: 'fields=rssd_id,report_date,total_assets,cet1_ratio',
      expect: { rows: 1, columns: ['rssd_id', 'report_date', 'total_assets', 'cet1_ratio'] },
    },
  ],
})
