import { compile, renderSql } from '../formula/index.ts'
import { metrics } from '../formula/metrics/index.ts'
import { allBanks } from './cohorts.ts'
import { figures } from './formulas.ts'
import { dates, quarterBefore, quarterBeforeSql } from './quarters.ts'

/**
 * The industry is a pseudo institution. What adds up over banks is to it what items are to a bank: its "items" are
 * the sums of the banks' figures. Every other metric is its own formula over those, as FDIC takes industry ratios.
 * Sums of ratios that were reported are thus never taken: a formula that does not add up names metrics only.
 */
const summed = figures
  .map(({ key, aggregation }, index) => ({ key, aggregation, position: index + 1 }))
  .filter(({ aggregation }) => aggregation === 'sum')

const sumItem = (position: number) => `SUM${String(position).padStart(5, '0')}`
const sumItems = summed.map(({ position }) => sumItem(position))
const formulas = figures.map(({ key, formula, aggregation }, index) => ({
  key: `m:${key}`,
  source: aggregation === 'sum' ? `cc:${sumItem(index + 1)}[P0]` : formula,
}))

const sumItemsKnown = new Set(sumItems)
const plan = compile({
  formulas,
  outputs: metrics.map(({ key }) => `m:${key}`),
  items: (item) => sumItemsKnown.has(item),
})

/**
 * SQL of the industry's figures of some quarters, for each cohort and for all banks. Growth compares the totals of
 * the banks that are in the cohort then and now, as FDIC's Quarterly Banking Profile does: it is not adjusted for
 * banks that moved from one tier to another.
 */
export function industrySql(quarters: readonly string[]): string {
  const earlier = plan.offsets.filter((k) => k > 0)
  const dateColumns = earlier.map((k) => `, ${quarterBeforeSql('report_date', k)} AS date${k}`)
  const relation = `SELECT
    s0.report_date AS report_date, s0.cohort AS cohort, s0.banks AS banks,
    s0.sums AS p0${earlier.map((k) => `, s${k}.sums AS p${k}`).join('')}
FROM (SELECT *${dateColumns.join('')} FROM (${sumsSql(quarters)})) AS s0
${earlier
  .map(
    (k) => `LEFT JOIN (${sumsSql(quarters.map((quarter) => quarterBefore(quarter, k)))}) AS s${k}
    ON s${k}.cohort = s0.cohort AND s${k}.report_date = s0.date${k}`,
  )
  .join('\n')}`
  return `INSERT INTO industry_quarters
${renderSql(plan, { relation: `(${relation})`, keep: ['report_date', 'cohort', 'banks'], dictionary: sumItems })}`
}

/** Sums over the banks of a cohort that have the figure; NULL where none has. */
const sumsSql = (quarters: readonly string[]) => `
    SELECT report_date, cohort, banks, sums FROM cohort_sums WHERE report_date IN (${dates(quarters)})`

/** The sums of a quarter over each cohort and over all banks: what its industry figures are made of. */
export const cohortSumsSql = (quarter: string): string => `INSERT INTO cohort_sums
SELECT
    quarter AS report_date,
    tier AS cohort,
    banks,
    arrayMap(
        position -> if(present[position] = 0, NULL, toNullable(totals[position])),
        [${summed.map(({ position }) => position).join(', ')}]
    ) AS sums
FROM
(
    SELECT
        any(report_date) AS quarter,
        if(grouping(cohort) = 0, toString(cohort), '${allBanks}') AS tier,
        count() AS banks,
        sumForEach(figures) AS totals,
        countForEach(figures) AS present
    FROM bank_figures
    WHERE report_date = '${quarter}' AND cohort != ''
    GROUP BY GROUPING SETS ((cohort), ())
)`
