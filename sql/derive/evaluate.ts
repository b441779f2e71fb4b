import { type FormulaPlan, renderSql } from '../formula/index.ts'
import { quartersBefore } from '../quarter.ts'
import { cohortSql } from './cohorts.ts'
import type { Formulas } from './formulas.ts'
import { dates, quarterBeforeSql } from './quarters.ts'
import { together, type Whole } from './shards.ts'
import type { Universe } from './universe.ts'

/**
 * SQL of every figure of the filings of some quarters: `report_date`, the id and `metrics`, an array in the order of the
 * formulas' outputs; from pivoted filings of them and of the quarters that the formulas look back on. ClickHouse spends more
 * time to understand the formulas than to compute them: several quarters at once share it.
 * @param plan of some of the formulas, where not all are wanted
 * @param whole where it is run on each shard
 */
export function evaluatedSql(
  universe: Universe,
  formulas: Formulas,
  quarters: readonly string[],
  plan = formulas.planFor(quarters),
  whole: Whole = together,
): string {
  return renderSql(plan, {
    relation: `(${filingsSql(universe, formulas, plan, quarters, whole)})`,
    keep: ['report_date', universe.id],
    dictionary: formulas.dictionary,
    outputs: 'array',
  })
}

/** The metrics and concepts of some quarters into the universe's figures. */
export function figuresSql(universe: Universe, quarters: readonly string[], whole = together): string {
  const { tables, id, cohorts, formulas, position } = universe
  return `INSERT INTO ${tables.figures}
SELECT report_date, ${id}, ${cohortSql(cohorts, `metrics[${position(cohorts.metric)}]`)} AS cohort, metrics AS figures
FROM (${evaluatedSql(universe, formulas, quarters, formulas.planFor(quarters), whole)})`
}

/** One row a filing, with what the plan needs of the quarters that it looks back on as `p0`, `p1` … */
function filingsSql(
  universe: Universe,
  formulas: Formulas,
  plan: FormulaPlan,
  quarters: readonly string[],
  whole: Whole,
): string {
  const { id } = universe
  const { filings, computed } = formulas.set
  const places = new Map(formulas.items.map((item, index) => [item, index + 1]))
  const deepest = (k: number) =>
    Math.max(0, ...plan.inputs.filter(({ offset }) => offset === k).map(({ item }) => places.get(item) ?? 0))
  const withForm = (k: number) => plan.formOffsets.includes(k)
  const earlier = plan.offsets.filter((k) => k > 0)
  const columns = [
    `${computed ? 'arrayConcat(f0.values, c.computed)' : 'f0.values'} AS p0`,
    ...(withForm(0) ? ['toNullable(toString(f0.form)) AS form0'] : []),
    ...earlier.flatMap((k) => [`f${k}.values AS p${k}`, ...(withForm(k) ? [`f${k}.form AS form${k}`] : [])]),
  ]
  const joins = earlier.map(
    (k) => `LEFT JOIN (
    SELECT ${id}, report_date, arraySlice(values, 1, ${deepest(k)}) AS values${withForm(k) ? ', toNullable(toString(form)) AS form' : ''}
    FROM ${filings} WHERE report_date IN (${dates(quarters.map((quarter) => quartersBefore(quarter, k)))})
) AS f${k} ON f${k}.${id} = f0.${id} AND f${k}.report_date = f0.date${k}`,
  )
  if (computed)
    joins.unshift(
      `LEFT JOIN (${computed.sql(quarters, whole)}) AS c ON c.${id} = f0.${id} AND c.report_date = f0.report_date`,
    )
  const dateColumns = earlier.map((k) => `, ${quarterBeforeSql('report_date', k)} AS date${k}`)
  return `SELECT f0.report_date AS report_date, f0.${id} AS ${id}, ${columns.join(', ')}
FROM (SELECT *${dateColumns.join('')} FROM ${filings} WHERE report_date IN (${dates(quarters)})) AS f0
${joins.join('\n')}`
}
