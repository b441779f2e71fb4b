import { dates } from './quarters.ts'
import { nullable, ranksSql } from './ranks.ts'
import { together } from './shards.ts'
import { orderSpan, rowSpan } from './tables.ts'
import { nameOf, type Universe } from './universe.ts'

/** The figures of some quarters as columns beside the identity: planning so many columns is shared. */
export function quartersSql(universe: Universe, quarters: readonly string[]): string {
  const { tables, id, identity, metrics } = universe
  const figures = metrics.map(({ key }, index) => `b.figures[${index + 1}] AS ${key}`)
  return `INSERT INTO ${tables.quarters}
SELECT
    b.report_date, b.${id}, ${identity.columns.map((column) => `i.${nameOf(column)}, `).join('')}b.cohort,
    ${figures.join(',\n    ')}
FROM (SELECT * FROM ${tables.figures} WHERE report_date IN (${dates(quarters)})) AS b
INNER JOIN (${universe.identitySql(quarters)}) AS i ON i.${id} = b.${id} AND i.report_date = b.report_date`
}

/** Percentile ranks of a quarter in the cohort, as arrays in catalog order. */
export function percentilesSql({ tables, id, metrics }: Universe, quarter: string): string {
  const relation = `SELECT
        report_date, ${id}, cohort AS member,
        arrayMap(figure -> ifNull(figure, nan), arraySlice(${tables.figures}.figures, 1, ${metrics.length})) AS figures
    FROM ${tables.figures} WHERE report_date = '${quarter}' AND cohort != ''`
  return `INSERT INTO ${tables.percentiles}
SELECT report_date, ${id}, ${nullable('ranks')} FROM (${ranksSql({ id, relation })})`
}

/** The rows of some years in another order. */
export const orderedSql = ({ tables }: Universe, table: string, span: number): string =>
  `INSERT INTO ${table} SELECT * FROM ${tables.quarters} WHERE ${orderSpan.sql} = ${span}`

/** The rows of some years for reads of one institution. */
export function rowsSql({ tables, id, metrics }: Universe, span: number, whole = together): string {
  const of = (table: string) => `${table} WHERE ${rowSpan.sql} = ${span}`
  return `INSERT INTO ${tables.rows}
SELECT
    b.${id},
    b.report_date,
    b.cohort,
    c.members AS cohort_count,
    arrayResize(b.figures, ${metrics.length}) AS metrics,
    if(empty(p.ranks), arrayResize(CAST([], 'Array(Nullable(Float64))'), ${metrics.length}), p.ranks) AS ranks
FROM (SELECT * FROM ${of(tables.figures)}) AS b
LEFT JOIN (SELECT * FROM ${of(tables.percentiles)}) AS p ON p.report_date = b.report_date AND p.${id} = b.${id}
INNER JOIN (
    SELECT report_date, cohort, count() AS members FROM ${of(whole(tables.figures))} GROUP BY report_date, cohort
) AS c ON c.report_date = b.report_date AND c.cohort = b.cohort`
}
