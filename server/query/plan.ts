import type { Metric } from '../../sql/formula/metrics/index.ts'
import type { Column } from '../catalog/columns.ts'
import type { Dataset, Step } from '../catalog/define.ts'
import { chosenKeys, isMetricColumns, metricColumn } from '../catalog/define.ts'
import type { AnyParameter, Operator } from '../catalog/parameters.ts'
import { isTable, metricSql } from '../catalog/relations.ts'
import type { Scope } from '../catalog/scope.ts'
import type { When } from './as-of.ts'
import { resolveTime } from './as-of.ts'
import { asCells } from './cells.ts'
import { type Clauses, clausesOf, render } from './clauses.ts'
import type { Coverage } from './coverage.ts'
import { keysOf } from './order.ts'
import type { Query } from './query.ts'
import { asFeatures, asItems, expression, itemColumns, pointOf, selectList } from './select-list.ts'
import type { Condition, Selection, Test } from './selection.ts'

/** A SELECT with the values that it names. */
export interface Statement {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What becomes of rows in formats that have more than rows. */
export type Shape = 'features' | 'items' | 'cells'

/** What to ask of the engine for one request; nothing in it comes from the request but bound values. */
export interface Plan {
  readonly query: Query
  readonly when: When
  /** The columns of the answer, in order. */
  readonly columns: readonly Column[]
  /** The same without SQL, where that is all that the plan does. */
  readonly selection: Selection | undefined
  /** Which of the rows that `counted` of the dataset works out, where the quarter is in memory and all of the plan is told to it. */
  readonly counted: Selection | undefined
  /** Work before the SELECT, with what a worker's task reads; the results are bound too. */
  readonly steps: readonly { readonly step: Step; readonly read?: Statement }[]
  /** What the rows are read from: the name of a relation, or a query. */
  readonly relation: string
  /** The rows. `dictionary` makes codes LowCardinality (but nullable ones), for the formats that have dictionaries;
   *  `as` makes them features of GeoJSON, items of RSS or cells of a worksheet. */
  rows(options?: {
    dictionary?: boolean
    as?: Shape | undefined
    extra?: Readonly<Record<string, unknown>>
  }): Statement
  /** What a cursor keeps of the last row of the page, as one array of texts: no row where the page is not full. */
  last(extra?: Readonly<Record<string, unknown>>): Statement
  /** How many rows there are without limit and cursor, where that is known without asking. */
  readonly total: number | undefined
  /** The same by asking. */
  count(extra?: Readonly<Record<string, unknown>>): Statement
}

/** Plans a valid request over the data held. Pure; `not-found` for an institution or quarter that is not held. */
export function plan(query: Query, coverage: Coverage): Plan {
  const { dataset } = query
  const when = resolveTime(query, coverage)
  const scope = scopeOf(query)
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
    params.metric_positions = scope.metrics.map((metric) => dataset.universe.position(metric.key))
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

  const steps = when.empty ? [] : (dataset.steps ?? [])
  // what steps would bind is of no row, but the SQL names it
  if (when.empty)
    for (const { binds } of dataset.steps ?? []) for (const name of Object.keys(binds)) params[name] = []

  const relation = dataset.from === undefined ? '' : render(dataset.from, scope)
  let written: Clauses | undefined
  const clauses = (): Clauses => {
    written ??= clausesOf(query, relation, scope, conditions)
    Object.assign(params, written.params)
    return written
  }

  return {
    query,
    when,
    columns,
    selection: selectionOf(query, relation, columns, conditions),
    counted:
      dataset.counted && conditions.length === 0 && when.asOf !== null && when.asOf === coverage.inMemory
        ? pageSelection(query, { relation: '', columns, tests: [] })
        : undefined,
    relation,
    get total() {
      const tests = dataset.nodes ? undefined : testsOf(conditions)
      return tests && coverage.filings?.rows(relation, tests)
    },
    steps: steps
      .filter((step) => step.when?.(scope) ?? true)
      .map((step) => {
        const sql = 'read' in step ? step.read : 'needs' in step ? step.needs : undefined
        return sql === undefined ? { step } : { step, read: bind(render(sql, scope), params) }
      }),
    rows({ dictionary = false, as, extra = {} } = {}) {
      const { head, from, onPage, order, page } = clauses()
      const list = selectList(as === 'items' ? itemColumns(dataset) : columns, dictionary)
      const oneSort =
        dictionary && order !== '' && query.limit === undefined && !isTable(dataset.universe, relation)
          ? `${order}, ${ALL_AT_ONCE}`
          : order
      const shown = as === 'features' ? `${list}, ${pointOf(dataset)}` : list
      const rows = `${head}SELECT ${shown} FROM ${from}${onPage}${oneSort}${page}`
      const told =
        dictionary && query.limit !== undefined && order !== ''
          ? `SELECT * FROM (${rows}) ORDER BY row_number() OVER ()`
          : as === 'features'
            ? asFeatures(dataset, columns, rows)
            : as === 'items'
              ? asItems(dataset, rows)
              : as === 'cells'
                ? asCells(columns, rows)
                : rows
      return bind(told, { ...params, ...extra })
    },
    last(extra = {}) {
      const { head, from, onPage, order } = clauses()
      const keys = keysOf(dataset, query.order)
      const last = `${head}SELECT ${keys} FROM ${from}${onPage}${order} LIMIT 1 OFFSET {last:UInt64}`
      return bind(last, { ...params, ...extra })
    },
    count(extra = {}) {
      const { head, counted } = clauses()
      return bind(`${head}SELECT count() AS total FROM ${counted}`, { ...params, ...extra })
    },
  }
}

/**
 * A last key that is equal for all rows and makes one stream of them before they are sorted: sorted streams of several
 * threads or of a UNION would be sent run by run where one lies wholly before the others, each a batch of its own. A
 * table read by one thread is one stream without it. The window is of all rows, so those of a page are counted once they are
 * chosen.
 */
const ALL_AT_ONCE = 'count() OVER ()'

/** The columns of an answer: `fields` if given, else the declared ones with the chosen metrics in their place. */
export function columnsOf(query: Query): readonly Column[] {
  const { dataset, fields } = query
  const chosen = fields ?? chosenMetrics(query)
  const asked = chosen ? `${fields ? 'fields' : 'metrics'} ${chosen}` : ''
  const found = lists.get(dataset)?.get(asked)
  if (found) return found
  const columns = fields ? fields.map((name) => dataset.allColumns.get(name)!) : expand(dataset, chosen)
  listed += asked.length + columns.length
  if (listed > MOST_LISTED) {
    lists = new WeakMap()
    listed = 0
  }
  lists.set(dataset, (lists.get(dataset) ?? new Map()).set(asked, columns))
  return columns
}

/** By dataset what requests named lately. The same list is the same array: what was worked out of it is kept with it. */
let lists = new WeakMap<Dataset, Map<string, readonly Column[]>>()
/** Characters and columns of all of them together: some ten megabytes. */
const MOST_LISTED = 500_000
let listed = 0

function expand(dataset: Dataset, chosen: readonly string[] | undefined): readonly Column[] {
  return dataset.columns.flatMap((column) =>
    isMetricColumns(column)
      ? (chosen ?? chosenKeys(dataset, column)).map((key) =>
          metricColumn(dataset.universe, key, dataset.metricShape),
        )
      : [column],
  )
}

function chosenMetrics(query: Query): readonly string[] | undefined {
  const name = query.dataset.metricParameter
  return name === undefined ? undefined : (query.values.get(name) as string[] | undefined)
}

function scopeOf(query: Query): Scope {
  let metrics: readonly Metric[] | undefined
  return {
    get metrics() {
      metrics ??= (chosenMetrics(query) ?? defaultMetrics(query.dataset)).map(
        (key) => query.dataset.universe.metric(key)!,
      )
      return metrics
    },
    has: (name) => query.values.has(name),
    is: (name, value) => query.values.get(name) === value,
  }
}

const defaultMetrics = (dataset: Dataset): readonly string[] =>
  dataset.columns.filter(isMetricColumns).flatMap((columns) => chosenKeys(dataset, columns))

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
  relation: string,
  columns: readonly Column[],
  conditions: readonly Condition[],
): Selection | undefined {
  const { nodes, steps, groupBy, allColumns } = query.dataset
  if (!/^\w+$/.test(relation) || nodes || steps || groupBy) return undefined
  const plain = (name: string): boolean => isPlain(query.dataset, allColumns.get(name))
  let allPlain = plainLists.get(columns)
  if (allPlain === undefined) {
    allPlain = columns.every((column) => isPlain(query.dataset, column))
    plainLists.set(columns, allPlain)
  }
  if (!allPlain || ![...query.order, ...query.bounds].every(({ column }) => plain(column))) return undefined
  const tests = testsOf(conditions)
  if (!tests) return undefined
  return pageSelection(query, { relation, columns, tests })
}

/** Of lists of columns, which are those of one dataset, whether all are `isPlain`. */
const plainLists = new WeakMap<readonly Column[], boolean>()

/** Whether a column is one of the relation, under its own name. */
const isPlain = ({ universe, metricShape }: Dataset, column: Column | undefined): boolean =>
  column?.sql === undefined ||
  column.sql === column.name ||
  (universe.metric(column.name) !== undefined && column.sql === metricSql(universe, column.name, metricShape))

const pageSelection = (query: Query, all: Omit<Selection, 'order' | 'limit' | 'offset'>): Selection => ({
  ...all,
  order: query.order,
  limit: query.dataset.result === 'one' ? 1 : query.limit,
  offset: query.place.passed,
})

/** Keeps the values that the text names. */
function bind(sql: string, params: Readonly<Record<string, unknown>>): Statement {
  const named: Record<string, unknown> = {}
  for (const [, name] of sql.matchAll(/\{(\w+):/g)) {
    if (Object.hasOwn(params, name!)) named[name!] = params[name!]
  }
  return { sql, params: named }
}
