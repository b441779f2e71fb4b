import type { ClickHouseClient } from '@clickhouse/client'
import { evaluatedSql } from '../derive/evaluate.ts'
import { Runner } from '../derive/runner.ts'
import { riskFeatures, weighedKey } from '../formula/metrics/failure-risk.ts'
import { banks } from '../universes/bank/index.ts'

/** Columns of a row of the panel before the features. */
export const panelColumns = ['quarter', 'bank', 'label'] as const

const { filings } = banks.tables
const FEATURES = 'risk_features'

/**
 * Works out the features of every filing that is pivoted, by the formulas of the catalog and no others: the model can be
 * trained before all figures are derived, of which its score is one. `use` reads them by `panelSql`.
 */
export async function withFeatures<T>(client: ClickHouseClient, use: () => Promise<T>): Promise<T> {
  const runner = new Runner({ client })
  const { formulas } = banks
  const plan = formulas.planOf(riskFeatures.map((feature) => `m:${weighedKey(feature)}`))
  const held = await runner.rows<{ quarter: string }>(
    `SELECT DISTINCT report_date AS quarter FROM ${filings} ORDER BY quarter`,
  )
  await runner.run(
    `CREATE OR REPLACE TABLE ${FEATURES} (report_date Date, rssd_id UInt32, weighed Array(Nullable(Float64))) ENGINE = Memory`,
  )
  try {
    for (const quarters of formulas.groups(
      held.map(({ quarter }) => quarter),
      1,
    ))
      await runner.run(`INSERT INTO ${FEATURES} ${evaluatedSql(banks, formulas, quarters, plan)}`)
    return await use()
  } finally {
    await runner.run(`DROP TABLE IF EXISTS ${FEATURES} SYNC`)
  }
}

/**
 * One row a bank and quarter, all Float64, in the order of quarters and banks: days since 1970, RSSD ID, label, and each
 * feature as it is weighed, NaN where it is absent. The label is 1 where the bank failed within four quarters after, with or
 * without assistance; 0 where it was still there then; NaN where that is not known: the failures of those four quarters are
 * not all told yet, or the bank left otherwise. Nothing after the four quarters is looked at.
 */
export const panelSql = `
WITH
    (SELECT max(known) FROM (
        SELECT max(closed_date) AS known FROM failed_banks UNION ALL SELECT max(failed_date) AS known FROM failures
    )) AS known_until,
    (SELECT groupUniqArray(report_date) FROM ${filings}) AS held,
    toLastDayOfMonth(addMonths(q.report_date, 12)) AS horizon,
    arrayExists(ended -> ended > q.report_date AND ended <= horizon, arrayConcat(listed.dates, assisted.dates)) AS failed,
    arrayExists(ended -> ended > q.report_date AND ended <= horizon, merged.dates) AS merged_away,
    arrayMax(arrayConcat([q.report_date], arrayFilter(quarter -> quarter <= horizon, held))) AS last_held
SELECT
    toFloat64(toUInt16(q.report_date)) AS quarter,
    toFloat64(q.rssd_id) AS bank,
    multiIf(horizon > known_until, nan, failed, 1., merged_away OR NOT has(filed.quarters, last_held), nan, 0.) AS label,
    ${riskFeatures
      .map((feature, index) => `ifNull(q.weighed[${index + 1}], nan) AS ${feature.key}`)
      .join(',\n    ')}
FROM (
    SELECT f.report_date AS report_date, f.rssd_id AS rssd_id, b.cert AS cert, f.weighed AS weighed
    FROM ${FEATURES} AS f ANY INNER JOIN ${banks.filers} AS b ON b.report_date = f.report_date AND b.rssd_id = f.rssd_id
) AS q
LEFT JOIN (
    SELECT cert, groupArray(date) AS dates FROM (
        SELECT cert, closed_date AS date FROM failed_banks
        UNION DISTINCT SELECT assumeNotNull(cert) AS cert, failed_date AS date FROM failures WHERE cert > 0
    ) GROUP BY cert
) AS listed ON listed.cert = q.cert
LEFT JOIN (SELECT predecessor_rssd_id AS id, groupArray(date) AS dates FROM transformations WHERE kind = 50 GROUP BY id) AS assisted
    ON assisted.id = q.rssd_id
LEFT JOIN (SELECT predecessor_rssd_id AS id, groupArray(date) AS dates FROM transformations WHERE kind = 1 GROUP BY id) AS merged
    ON merged.id = q.rssd_id
LEFT JOIN (SELECT rssd_id AS id, groupArray(report_date) AS quarters FROM ${filings} GROUP BY id) AS filed
    ON filed.id = q.rssd_id
ORDER BY quarter, bank`
