import type { Metric } from '../../sql/formula/metrics/index.ts'
import type { Column } from '../datasets/columns.ts'
import type { Dataset, Scope, Sql, Step } from '../datasets/define.ts'
import { chosenKeys, isMetricColumns, metricColumn } from '../datasets/define.ts'
import type { AnyParameter } from '../datasets/parameters.ts'
import { isTable, metricOf, metricSql, positionOf } from '../datasets/relations.ts'
import type { When } from './as-of.ts'
import { resolveTime } from './as-of.ts'
import type { Holdings } from './holdings.ts'
import type { Query, SortKey } from './query.ts'
import type { Condition, Operator, Selection, Test } from './selection.ts'

/** A SELECT with the values that it names. */
export interface Statement {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What to ask of the engine for one request; nothing in it comes from the request but bound values. */
export interface Plan {
  readonly query: Query
  readonly when: When
  /** The columns of the answer, in order. */
  readonly columns: readonly Column[]
  /** The same without SQL, where that is all that the plan does. */
  readonly selection: Selection | undefined
  /** Work before the SELECT, with what a worker's task reads; the results are bound too. */
  readonly steps: readonly { readonly step: Step; readonly read?: Statement }[]
  /** What the rows are read from: the name of a relation, or a query. */
  readonly relation: string
  /** The rows. `dictionary` makes codes LowCardinality (but nullable ones), for the formats that have dictionaries. */
  rows(options?: { dictionary?: boolean; extra?: Readonly<Record<string, unknown>> }): Statement
  /** How many rows there are without limit and cursor, where that is known without asking. */
  readonly total: number | undefined
  /** The same by asking. */
  count(extra?: Readonly<Record<string, unknown>>): Statement
}

/** Plans a valid request over the data held. Pure; `not-found` for an institution or quarter that is not held. */
export function plan(query: Query, holdings: Holdings): Plan {
  const { dataset } = query
  const when = resolveTime(query, holdings)
  const scope = scopeOf(query, when.asOf !== null && when.asOf === holdings.inMemory)
  const columns = columnsOf(query)
  const params: Record<string, unknown> = {}
  const conditions: Condition[] = []
  if (dataset.where !== undefined) conditions.push({ sql: render(dataset.where, scope) })
  for (const [name, value] of query.values) {
    const parameter = dataset.parameters[name]!
    if (parameter.role === 'as_of') continue
    Object.assign(params, parameter.bind?.(value, name) ?? { [name]: value })
    conditions.push(...conditionOf(parameter, name, value, scope))
  }
  const asOf = Object.entries(dataset.parameters).find(([, parameter]) => parameter.role === 'as_of')
  if (asOf) conditions.push(...conditionOf(asOf[1], 'as_of', when.asOf, scope))
  if (dataset.metricParameter !== undefined && scope.metrics.length > 0) {
    params.metrics = scope.metrics.map((metric) => metric.key)
    params.metric_positions = scope.metrics.map((metric) => positionOf(metric.key))
  }
  for (const { column, side, value } of query.bounds) {
    const name = `${side}_${column}`
    const operator: Operator = side === 'min' ? '>=' : '<='
    params[name] = value
    conditions.push({
      sql: `${expression(dataset.bounded.get(column)!)} ${operator} {${name}:Float64}`,
      test: { column, operator, value },
    })
  }
  conditions.push(...when.where)
  Object.assign(params, when.params)

  const nodes = Object.entries(dataset.nodes ?? {})
  const head =
    nodes.length === 0
      ? ''
      : `WITH ${nodes.map(([name, sql]) => `${name} AS (${render(sql, scope)})`).join(', ')} `
  const relation = dataset.from === undefined ? '' : render(dataset.from, scope)
  const from = /^\w+$/.test(relation) ? relation : `(${relation})`
  const where =
    conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`
  const page = pageOf(query)
  Object.assign(params, page.params)
  const keys = orderOf(query)
  const order = dataset.result === 'one' ? '' : ` ORDER BY ${orderBy(dataset, keys)}`

  return {
    query,
    when,
    columns,
    selection: selectionOf(query, columns, conditions, keys),
    relation,
    get total() {
      const tests = testsOf(conditions)
      return head === '' && tests ? holdings.filings?.rows(relation, tests) : undefined
    },
    steps: (dataset.steps ?? [])
      .filter((step) => step.when?.(scope) ?? true)
      .map((step) => ('read' in step ? { step, read: bind(render(step.read, scope), params) } : { step })),
    rows({ dictionary = false, extra = {} } = {}) {
      const list = selectList(columns, dictionary)
      const oneSort = dictionary && order !== '' && !isTable(relation) ? `${order}, ${ALL_AT_ONCE}` : order
      return bind(`${head}SELECT ${list} FROM ${from}${where}${oneSort}${page.sql}`, { ...params, ...extra })
    },
    count: (extra = {}) =>
      bind(`${head}SELECT count() AS total FROM ${from}${where}`, { ...params, ...extra }),
  }
}

/**
 * A last key that is equal for all rows and makes one stream of them before they are sorted: sorted streams of several
 * threads or of a UNION would be sent run by run where one lies wholly before the others, each a batch of its own. A
 * table read by one thread is one stream without it.
 */
const ALL_AT_ONCE = 'count() OVER ()'

/** The page of the rows. Its numbers are bound too, under names that no parameter of a dataset has. */
function pageOf({ dataset, limit, offset }: Query): Statement {
  if (dataset.result === 'one') return { sql: ' LIMIT 1', params: {} }
  if (limit === undefined) return { sql: '', params: {} }
  return {
    sql: ` LIMIT {limit:UInt64}${offset > 0 ? ' OFFSET {offset:UInt64}' : ''}`,
    params: { limit, offset },
  }
}

/** The columns of an answer: `fields` if given, else the declared ones with the chosen metrics in their place. */
export function columnsOf(query: Query): readonly Column[] {
  const { dataset } = query
  if (query.fields) return query.fields.map((name) => dataset.allColumns.get(name)!)
  const chosen = chosenMetrics(query)
  if (chosen) return expand(dataset, chosen)
  const known = defaults.get(dataset)
  if (known) return known
  const columns = expand(dataset, undefined)
  defaults.set(dataset, columns)
  return columns
}

/** What a dataset answers with when the request names no columns. */
const defaults = new WeakMap<Dataset, readonly Column[]>()

function expand(dataset: Dataset, chosen: readonly string[] | undefined): readonly Column[] {
  return dataset.columns.flatMap((column) =>
    isMetricColumns(column)
      ? (chosen ?? chosenKeys(column)).map((key) => metricColumn(key, dataset.metricShape))
      : [column],
  )
}

function chosenMetrics(query: Query): readonly string[] | undefined {
  const name = query.dataset.metricParameter
  return name === undefined ? undefined : (query.values.get(name) as string[] | undefined)
}

function scopeOf(query: Query, inMemory: boolean): Scope {
  let metrics: readonly Metric[] | undefined
  return {
    get metrics() {
      metrics ??= (chosenMetrics(query) ?? defaultMetrics(query.dataset)).map((key) => metricOf(key)!)
      return metrics
    },
    inMemory,
    has: (name) => query.values.has(name),
    is: (name, value) => query.values.get(name) === value,
  }
}

const defaultMetrics = (dataset: Dataset): readonly string[] =>
  dataset.columns.filter(isMetricColumns).flatMap(chosenKeys)

const render = (sql: Sql, scope: Scope): string => (typeof sql === 'string' ? sql : sql(scope))

const expression = (column: Column): string => column.sql ?? column.name

/** SELECT lists by their columns: the default ones of a dataset are the same array at every request. */
const lists = {
  plain: new WeakMap<readonly Column[], string>(),
  dictionary: new WeakMap<readonly Column[], string>(),
}

function selectList(columns: readonly Column[], dictionary: boolean): string {
  const known = dictionary ? lists.dictionary : lists.plain
  let list = known.get(columns)
  if (list === undefined) {
    list = columns.map((column) => output(column, dictionary)).join(', ')
    known.set(columns, list)
  }
  return list
}

/** One entry of the SELECT list. */
function output(column: Column, dictionary: boolean): string {
  const sql = expression(column)
  // ClickHouse writes an absent entry as index -1, which polars refuses: only what is never absent has a dictionary
  if (dictionary && column.type === 'Code')
    return column.nullable
      ? `CAST(${sql} AS Nullable(String)) AS ${column.name}`
      : `toLowCardinality(${sql}) AS ${column.name}`
  return sql === column.name ? sql : `${sql} AS ${column.name}`
}

/** The order asked for, else the declared one; the grain ends it, so that it is total. Nulls come last. */
function orderOf({ dataset, sort }: Query): readonly SortKey[] {
  const keys = sort ? [...sort] : (dataset.order ?? []).map(sortKey)
  const named = new Set(keys.map(({ column }) => column))
  for (const name of dataset.grain) if (!named.has(name)) keys.push(sortKey(name))
  return keys
}

const sortKey = (key: string): SortKey =>
  key.startsWith('-') ? { column: key.slice(1), descending: true } : { column: key, descending: false }

const orderBy = ({ allColumns }: Dataset, keys: readonly SortKey[]): string =>
  keys
    .map(({ column: name, descending }) => {
      const column = allColumns.get(name)
      return `${column ? expression(column) : name}${descending ? ' DESC' : ''}`
    })
    .join(', ')

/** What the value of a parameter asks of the rows. */
function conditionOf({ where }: AnyParameter, name: string, value: unknown, scope: Scope): Condition[] {
  const asked = typeof where === 'function' ? where(value, name, scope) : where
  if (asked === undefined || asked === null) return []
  if (typeof asked === 'string') return [{ sql: asked }]
  const { column, operator, type } = asked
  return [{ sql: `${column} ${operator} {${name}:${type}}`, test: { column, operator, value } }]
}

/** The conditions as tests; undefined where one is more than that. */
function testsOf(conditions: readonly Condition[]): Test[] | undefined {
  const tests = conditions.flatMap(({ test }) => (test ? [test] : []))
  return tests.length < conditions.length ? undefined : tests
}

/** The plan as a selection: undefined where a column, a condition or the relation is more than a name. */
function selectionOf(
  query: Query,
  columns: readonly Column[],
  conditions: readonly Condition[],
  order: readonly SortKey[],
): Selection | undefined {
  const { from, nodes, steps, result, metricShape } = query.dataset
  if (typeof from !== 'string' || !/^\w+$/.test(from) || nodes || steps) return undefined
  const plain = ({ name, sql }: Column): boolean =>
    sql === undefined ||
    sql === name ||
    (metricOf(name) !== undefined && sql === metricSql(name, metricShape))
  const named = [...order.map(({ column }) => column), ...query.bounds.map(({ column }) => column)]
  const all = [...columns, ...named.flatMap((name) => query.dataset.allColumns.get(name) ?? [])]
  if (!all.every(plain)) return undefined
  const tests = testsOf(conditions)
  if (!tests) return undefined
  const limit = result === 'one' ? 1 : query.limit
  return { relation: from, columns, tests, order, limit, offset: query.offset }
}

/** Keeps the values that the text names. */
function bind(sql: string, params: Readonly<Record<string, unknown>>): Statement {
  const named: Record<string, unknown> = {}
  for (const [, name] of sql.matchAll(/\{(\w+):/g)) {
    if (Object.hasOwn(params, name!)) named[name!] = params[name!]
  }
  return { sql, params: named }
}
