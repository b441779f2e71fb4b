import { renderSql } from '../formula/index.ts'
import { derivedItems, officesItem } from '../formula/metrics/terms.ts'
import { cohortSql } from './cohorts.ts'
import { figurePosition, filedItems, plan, valuesNeeded } from './formulas.ts'
import { identitiesSql } from './identity.ts'
import { predecessorBalancesSql } from './poolings.ts'
import { dates, quarterBefore, quarterBeforeSql } from './quarters.ts'

/**
 * SQL that works out every metric and concept of the filings of some quarters, from `filing_values` of them and of
 * the quarters that the formulas look back on, into `bank_figures`. ClickHouse spends more time to understand the
 * formulas than to compute them: several quarters at once share it.
 */
export function figuresSql(quarters: readonly string[]): string {
  const evaluated = renderSql(plan, {
    relation: `(${filingsSql(quarters)})`,
    keep: ['report_date', 'rssd_id'],
    dictionary: [...filedItems, ...derivedItems],
    outputs: 'array',
  })
  return `INSERT INTO bank_figures
SELECT report_date, rssd_id, ${cohortSql(`metrics[${figurePosition('total_assets')}]`)} AS cohort, metrics AS figures
FROM (${evaluated})`
}

/** One row a filing, with the values of the quarters that its formulas look back on as `p0`, `p1` … */
function filingsSql(quarters: readonly string[]): string {
  const earlier = plan.offsets.filter((k) => k > 0)
  const joins = earlier.map(
    (k) => `LEFT JOIN (
    SELECT rssd_id, report_date, arraySlice(values, 1, ${valuesNeeded(k)}) AS values
    FROM filing_values WHERE report_date IN (${dates(quarters.map((quarter) => quarterBefore(quarter, k)))})
) AS f${k} ON f${k}.rssd_id = f0.rssd_id AND f${k}.report_date = f0.date${k}`,
  )
  const dateColumns = earlier.map((k) => `${quarterBeforeSql('report_date', k)} AS date${k}`)
  return `SELECT
    f0.report_date AS report_date,
    f0.rssd_id AS rssd_id,
    arrayConcat(f0.values, ${derivedValues}) AS p0${earlier.map((k) => `,\n    f${k}.values AS p${k}`).join('')}
FROM (SELECT *, ${dateColumns.join(', ')} FROM filing_values WHERE report_date IN (${dates(quarters)})) AS f0
LEFT JOIN (${identitiesSql(quarters)}) AS i ON i.rssd_id = f0.rssd_id AND i.report_date = f0.report_date
LEFT JOIN (${predecessorBalancesSql(quarters)}) AS b ON b.rssd_id = f0.rssd_id AND b.report_date = f0.report_date
${joins.join('\n')}`
}

/** The values of `derivedItems`, in their order: the offices, then the balances of predecessors. */
const derivedValues = `arrayResize(arrayPushFront(b.balances, CAST(i.offices AS Nullable(Float64))), ${derivedItems.length})`
if (derivedItems[0] !== officesItem)
  throw new Error(`${officesItem} is expected to be the first derived item`)
