import { metrics } from '../formula/metrics/index.ts'
import { identitiesSql } from './identity.ts'
import { dates } from './quarters.ts'

/** One row a quarter: who filed, for how many banks figures were derived, how many items. */
export const quartersSql = `INSERT INTO quarters
SELECT f.report_date, f.filers, b.banks, i.items, l.loaded_at
FROM (SELECT report_date, count() AS filers FROM filers GROUP BY report_date) AS f
LEFT JOIN (SELECT report_date, count() AS banks FROM bank_figures GROUP BY report_date) AS b
    ON b.report_date = f.report_date
LEFT JOIN (SELECT report_date, count() AS items FROM call_report_items GROUP BY report_date) AS i
    ON i.report_date = f.report_date
LEFT JOIN (
    SELECT assumeNotNull(report_date) AS report_date, max(toNullable(loaded_at)) AS loaded_at
    FROM load_files WHERE in_force AND report_date IS NOT NULL AND source IN ('ffiec-call-report', 'demo')
    GROUP BY report_date
) AS l ON l.report_date = f.report_date`

const identityColumns = [
  ...['cert', 'legal_name', 'city', 'hq_state', 'charter', 'regulator', 'form', 'holding_company_rssd_id'],
  ...['holding_company_name', 'cbsa_code'],
]

/** One row an institution that ever filed as a bank, from its newest filing; `active` where that is of the newest quarter. */
export const banksSql = (lastQuarters: readonly string[]): string => `INSERT INTO banks
WITH spans AS (
    SELECT rssd_id, min(report_date) AS first_quarter, max(report_date) AS last_quarter
    FROM bank_figures GROUP BY rssd_id
)
SELECT
    b.report_date, b.rssd_id, ${identityColumns.map((column) => `i.${column}`).join(', ')}, b.cohort,
    i.established_date, i.web_address, i.cbsa_name, i.address, i.zip,
    s.first_quarter, s.last_quarter, s.last_quarter = (SELECT max(report_date) FROM bank_figures) AS active,
    ${metrics.map(({ key }, index) => `b.figures[${index + 1}] AS ${key}`).join(', ')}
FROM (
    SELECT * FROM bank_figures
    WHERE report_date IN (${dates(lastQuarters)}) AND (rssd_id, report_date) IN (SELECT rssd_id, last_quarter FROM spans)
) AS b
INNER JOIN spans AS s ON s.rssd_id = b.rssd_id
INNER JOIN (${identitiesSql(lastQuarters)}) AS i ON i.rssd_id = b.rssd_id AND i.report_date = b.report_date`

/** The quarters in which some bank filed last. */
export const lastQuartersSql = `SELECT DISTINCT last_quarter AS quarter
FROM (SELECT max(report_date) AS last_quarter FROM bank_figures GROUP BY rssd_id) ORDER BY quarter`
