import { compile, type FormulaPlan, renderSql } from '../formula/index.ts'
import { quartersBefore } from '../quarter.ts'
import { everyone } from './cohorts.ts'
import { dates, quarterBeforeSql } from './quarters.ts'
import type { Universe } from './universe.ts'

/**
 * The industry is a pseudo institution. What adds up is to it what items are to an institution: its "items" are the
 * sums of the institutions' figures. Every other metric is its own formula over those, as FDIC takes industry ratios.
 * Sums of ratios that were reported are thus never taken: a formula that does not add up names metrics only.
 */
const sumItem = (position: number) => `SUM${String(position).padStart(5, '0')}`

/** Positions of the figures that add up. */
const summed = ({ figures }: Universe): number[] =>
  figures.flatMap(({ aggregation }, index) => (aggregation === 'sum' ? [index + 1] : []))

const plans = new WeakMap<Universe, FormulaPlan>()

function planOf(universe: Universe): FormulaPlan {
  const known = plans.get(universe)
  if (known) return known
  const items = new Set(summed(universe).map(sumItem))
  const plan = compile({
    formulas: universe.figures.map(({ key, formula, aggregation }, index) => ({
      key: `m:${key}`,
      source: aggregation === 'sum' ? `cc:${sumItem(index + 1)}[P0]` : formula,
    })),
    outputs: universe.metrics.map(({ key }) => `m:${key}`),
    items: (item) => items.has(item),
  })
  plans.set(universe, plan)
  return plan
}

/**
 * SQL of the industry's figures of some quarters, for each cohort and for all. Growth compares the totals of the
 * institutions that are in the cohort then and now, as FDIC's Quarterly Banking Profile does: it is not adjusted for
 * those that moved from one tier to another.
 */
export function industrySql(universe: Universe, quarters: readonly string[]): string {
  const { tables, plural } = universe
  const plan = planOf(universe)
  /** Sums over the institutions of a cohort that have the figure; NULL where none has. */
  const sumsSql = (of: readonly string[]) => `
    SELECT report_date, cohort, ${plural}, sums FROM ${tables.sums} WHERE report_date IN (${dates(of)})`
  const earlier = plan.offsets.filter((k) => k > 0)
  const dateColumns = earlier.map((k) => `, ${quarterBeforeSql('report_date', k)} AS date${k}`)
  const relation = `SELECT
    s0.report_date AS report_date, s0.cohort AS cohort, s0.${plural} AS ${plural},
    s0.sums AS p0${earlier.map((k) => `, s${k}.sums AS p${k}`).join('')}
FROM (SELECT *${dateColumns.join('')} FROM (${sumsSql(quarters)})) AS s0
${earlier
  .map(
    (k) => `LEFT JOIN (${sumsSql(quarters.map((quarter) => quartersBefore(quarter, k)))}) AS s${k}
    ON s${k}.cohort = s0.cohort AND s${k}.report_date = s0.date${k}`,
  )
  .join('\n')}`
  const rendered = renderSql(plan, {
    relation: `(${relation})`,
    keep: ['report_date', 'cohort', plural],
    dictionary: summed(universe).map(sumItem),
  })
  return `INSERT INTO ${tables.industry}\n${rendered}`
}

/** The sums of a quarter over each cohort and over all: what its industry figures are made of. */
export const cohortSumsSql = (
  universe: Universe,
  quarter: string,
): string => `INSERT INTO ${universe.tables.sums}
SELECT
    quarter AS report_date,
    tier AS cohort,
    ${universe.plural},
    arrayMap(
        position -> if(present[position] = 0, NULL, toNullable(totals[position])),
        [${summed(universe).join(', ')}]
    ) AS sums
FROM
(
    SELECT
        any(report_date) AS quarter,
        if(grouping(cohort) = 0, toString(cohort), '${everyone}') AS tier,
        count() AS ${universe.plural},
        sumForEach(figures) AS totals,
        countForEach(figures) AS present
    FROM
    (
        SELECT report_date, cohort, figures FROM ${universe.tables.figures}
        WHERE report_date = '${quarter}' AND cohort != ''
        ORDER BY ${universe.id}
    )
    GROUP BY GROUPING SETS ((cohort), ())
)`
