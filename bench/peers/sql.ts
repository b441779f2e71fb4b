/** The questions in SQL, for every peer that speaks it, in the way that suits each dialect. */
import { metrics as catalog } from '../../sql/formula/metrics/index.ts'
import { panelIdentity, type Question, type Rows } from '../question.ts'

export type Dialect = 'clickhouse' | 'duckdb' | 'postgres' | 'datafusion' | 'sqlite'

export interface Select {
  readonly sql: string
  /** In the order in which the text names them, by the name that it gives them. */
  readonly parameters: readonly (readonly [name: string, value: string | number])[]
}

const directionOf = new Map(catalog.map(({ key, direction }) => [key, direction]))

/** @param question over the tables `latest` and `history` */
export function select(question: Question, dialect: Dialect): Select {
  const parameters: [string, string | number][] = []
  const value = (name: string, given: string | number): string => {
    parameters.push([name, given])
    if (dialect === 'postgres') return `$${parameters.length}`
    if (dialect === 'duckdb') return `$${name}`
    if (dialect === 'sqlite') return `:${name}`
    if (dialect === 'clickhouse') return `{${name}:${typeof given === 'number' ? numeric(name) : 'String'}}`
    return typeof given === 'number' ? String(given) : `'${given}'`
  }
  return { sql: textOf(question, dialect, value), parameters }
}

const numeric = (name: string): string => (name === 'least' ? 'Float64' : 'UInt32')

type Value = (name: string, given: string | number) => string

function textOf(question: Question, dialect: Dialect, value: Value): string {
  switch (question.kind) {
    case 'snapshot':
      return `SELECT * FROM latest WHERE rssd_id = ${value('bank', question.bank)}`
    case 'screen': {
      const { columns, where } = question
      const filter = where
        ? ` WHERE hq_state = ${value('state', where.state)} AND total_assets >= ${value('least', where.least)}`
        : ''
      return `SELECT ${columns.join(', ')} FROM latest${filter} ORDER BY rssd_id`
    }
    case 'working-set':
      return `SELECT ${question.columns.join(', ')} FROM latest ORDER BY rssd_id`
    case 'series':
      return `SELECT rssd_id, report_date, ${question.metrics.join(', ')} FROM history WHERE rssd_id = ${value('bank', question.bank)} ORDER BY report_date`
    case 'panel': {
      const { states, metrics } = question
      const filter = states ? ` WHERE hq_state IN (${states.map((state) => `'${state}'`).join(', ')})` : ''
      return `SELECT ${[...panelIdentity, ...metrics].join(', ')} FROM history${filter} ORDER BY report_date, rssd_id`
    }
    case 'rank':
      return rank(question.metrics, value('bank', question.bank), dialect)
    case 'summary':
      return summary(question.metrics, dialect)
    case 'rows':
      return rows(question, dialect, value)
  }
}

function rows({ table, columns, where, after, order, limit }: Rows, dialect: Dialect, value: Value): string {
  // numbers of a list are the same in every request; texts are few
  const any = (column: string, list: readonly (string | number)[]): string =>
    list.map((one, at) => (typeof one === 'number' ? one : value(`${column}_${at}`, one))).join(', ')
  const conditions = Object.entries(where).map(([column, wanted]) =>
    typeof wanted === 'object'
      ? `${column} IN (${any(column, wanted)})`
      : `${column} = ${value(column, wanted)}`,
  )
  if (after) {
    const [[first, reached], [second, last]] = Object.entries(after) as [Entry, Entry]
    const its = (): string => dayOf(value(first, reached), dialect)
    conditions.push(`${first} <= ${its()} AND (${first} < ${its()} OR ${second} > ${value(second, last)})`)
  }
  const by = order.map((one) => (one.startsWith('-') ? `${one.slice(1)} DESC` : one))
  return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${by.join(', ')}${limit ? ` LIMIT ${limit}` : ''}`
}

type Entry = [column: string, value: string | number]

function dayOf(day: string, dialect: Dialect): string {
  if (dialect === 'sqlite') return day
  if (dialect === 'datafusion') return `DATE ${day}`
  return dialect === 'clickhouse' ? `toDate32(${day})` : `CAST(${day} AS DATE)`
}

/** One row: of each metric the value, the rank (1 is best), how many are ranked, and the percentile. */
function rank(metrics: readonly string[], bank: string, dialect: Dialect): string {
  const count = (condition: string): string => {
    if (dialect === 'clickhouse') return `countIf(${condition})`
    if (dialect === 'datafusion') return `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
    return `count(*) FILTER (WHERE ${condition})`
  }
  const own = (key: string, i: number): string => (dialect === 'clickhouse' ? `own.${i + 2}` : `own.${key}`)
  const counts = metrics.map((key, i) => {
    const [its, banks] = [own(key, i), `b.${key}`]
    // the value is the same in every row
    const figure = dialect === 'clickhouse' ? `any(${its})` : `max(${its})`
    return `${figure} AS ${key}_value, ${count(`${banks} < ${its}`)} AS ${key}_below, ${count(`${banks} = ${its}`)} AS ${key}_equal, count(${banks}) AS ${key}_ranked`
  })
  const figures = metrics.map((key) => {
    const [v, below, equal, ranked] = ['value', 'below', 'equal', 'ranked'].map((what) => `${key}_${what}`)
    const better = directionOf.get(key) === 'lower' ? below : `${ranked} - ${below} - ${equal}`
    const given = (sql: string): string => `CASE WHEN ${v} IS NULL THEN NULL ELSE ${sql} END`
    return `${v}, ${given(`${better} + 1`)} AS ${key}_rank, ${ranked}, ${given(`100.0 * (${below} + ${equal} / 2.0) / ${ranked}`)} AS ${key}_percentile`
  })
  const group =
    dialect === 'clickhouse'
      ? `WITH (SELECT tuple(cohort, ${metrics.join(', ')}) FROM latest WHERE rssd_id = ${bank}) AS own
SELECT count() AS banks, ${counts.join(', ')} FROM latest AS b WHERE b.cohort = own.1`
      : `SELECT count(*) AS banks, ${counts.join(', ')} FROM latest AS b
JOIN (SELECT cohort, ${metrics.join(', ')} FROM latest WHERE rssd_id = ${bank}) AS own ON b.cohort = own.cohort`
  return `SELECT banks, ${figures.join(', ')} FROM (${group}) AS counted`
}

const SHARES = [0, 0.25, 0.5, 0.75, 1]

/** One row a tier with `<metric>_count` and `<metric>_five`; SQLite, which has no arrays, one row a tier and metric. */
function summary(metrics: readonly string[], dialect: Dialect): string {
  if (dialect === 'sqlite') return sqliteSummary(metrics)
  if (dialect === 'datafusion') return datafusionSummary(metrics)
  const five = (key: string): string => {
    if (dialect === 'clickhouse') return `quantilesExactInclusive(${SHARES.join(', ')})(${key})`
    if (dialect === 'duckdb') return `quantile_cont(${key}, [${SHARES.join(', ')}])`
    return `percentile_cont(ARRAY[${SHARES.join(', ')}]) WITHIN GROUP (ORDER BY ${key})`
  }
  return `SELECT cohort, ${metrics.map((key) => `count(${key}) AS ${key}_count, ${five(key)} AS ${key}_five`).join(', ')} FROM latest WHERE cohort <> '' GROUP BY cohort`
}

/** Its quantiles are approximate: the values are sorted, and neighbours interpolated as everybody else does. */
function datafusionSummary(metrics: readonly string[]): string {
  const sorted = metrics.map(
    (key) =>
      `count(${key}) AS ${key}_count, array_sort(array_agg(${key}), 'ASC', 'NULLS LAST') AS ${key}_all`,
  )
  const figures = metrics.map((key) => {
    const five = SHARES.map((share) => {
      const place = `(${key}_count - 1) * ${share.toFixed(2)}`
      const below = `${key}_all[CAST(floor(${place}) AS BIGINT) + 1]`
      const above = `${key}_all[CAST(ceil(${place}) AS BIGINT) + 1]`
      return `${below} + (${above} - ${below}) * (${place} - floor(${place}))`
    })
    return `${key}_count, make_array(${five.join(', ')}) AS ${key}_five`
  })
  return `SELECT cohort, ${figures.join(', ')} FROM (SELECT cohort, ${sorted.join(', ')} FROM latest WHERE cohort <> '' GROUP BY cohort) AS tiers`
}

/** Neighbours of the quartiles by row number, interpolated as everybody else does. */
function sqliteSummary(metrics: readonly string[]): string {
  const values = metrics.map((key) => `SELECT cohort, '${key}' AS metric, ${key} AS v FROM latest`)
  const quartile = (share: number, name: string): string => {
    const place = `(n - 1) * ${share}`
    const below = `max(v) FILTER (WHERE i = CAST(${place} AS INT) + 1)`
    const above = `max(v) FILTER (WHERE i = min(n, CAST(${place} AS INT) + 2))`
    return `${below} + (${above} - ${below}) * (max(${place}) - CAST(max(${place}) AS INT)) AS ${name}`
  }
  return `WITH long AS (${values.join(' UNION ALL ')}),
placed AS (SELECT *, row_number() OVER (PARTITION BY metric, cohort ORDER BY v) AS i, count(*) OVER (PARTITION BY metric, cohort) AS n FROM long WHERE v IS NOT NULL AND cohort <> '')
SELECT cohort, metric, max(n) AS count, min(v) AS min, ${quartile(0.25, 'p25')}, ${quartile(0.5, 'median')}, ${quartile(0.75, 'p75')}, max(v) AS max FROM placed GROUP BY metric, cohort`
}
