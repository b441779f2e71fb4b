import type { Column } from '../catalog/columns.ts'
import type { Step } from '../catalog/define.ts'
import { isTable } from '../catalog/relations.ts'
import type { Scope } from '../catalog/scope.ts'
import type { When } from './as-of.ts'
import { resolveTime } from './as-of.ts'
import { asCells } from './cells.ts'
import { type Clauses, clausesOf, render } from './clauses.ts'
import { columnsOf, RequestScope } from './columns.ts'
import { conditionsOf, pageSelection, selectionOf, testsOf } from './conditions.ts'
import type { Coverage } from './coverage.ts'
import { keysOf } from './order.ts'
import type { Query } from './query.ts'
import { asFeatures, asItems, itemColumns, pointOf, selectList } from './select-list.ts'
import type { Condition, Selection } from './selection.ts'

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
export const plan = (query: Query, coverage: Coverage): Plan => new Planned(query, coverage)

class Planned implements Plan {
  readonly query: Query
  readonly when: When
  readonly columns: readonly Column[]
  readonly selection: Selection | undefined
  readonly counted: Selection | undefined
  readonly steps: Plan['steps']
  readonly #coverage: Coverage
  readonly #scope: Scope
  readonly #conditions: readonly Condition[]
  /** Made when the engine is asked, which answers out of the server's memory never do. */
  #written: Written | undefined

  constructor(query: Query, coverage: Coverage) {
    const { dataset } = query
    this.query = query
    this.when = resolveTime(query, coverage)
    this.columns = columnsOf(query)
    this.#coverage = coverage
    this.#scope = new RequestScope(query)
    this.#conditions = conditionsOf(query, this.when, this.#scope)
    this.selection = selectionOf(query, this.when, this.#scope, this.columns, this.#conditions)
    const { asOf, empty } = this.when
    this.counted =
      dataset.counted && this.#conditions.length === 0 && asOf !== null && asOf === coverage.inMemory
        ? pageSelection(query, '', this.columns, [])
        : undefined
    this.steps = empty || !dataset.steps ? [] : this.#stepsOf(dataset.steps)
  }

  get relation(): string {
    return this.#write().relation
  }

  get total(): number | undefined {
    const { nodes } = this.query.dataset
    const tests = nodes ? undefined : testsOf(this.#conditions)
    return tests && this.#coverage.filings?.rows(this.relation, tests)
  }

  rows({ dictionary = false, as, extra = {} }: Parameters<Plan['rows']>[0] = {}): Statement {
    const { query, columns } = this
    const { dataset } = query
    const { relation, head, from, onPage, order, page, params } = this.#write()
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
  }

  last(extra = {}): Statement {
    const { head, from, onPage, order, params } = this.#write()
    const keys = keysOf(this.query.dataset, this.query.order)
    const last = `${head}SELECT ${keys} FROM ${from}${onPage}${order} LIMIT 1 OFFSET {last:UInt64}`
    return bind(last, { ...params, ...extra })
  }

  count(extra = {}): Statement {
    const { head, counted, params } = this.#write()
    return bind(`${head}SELECT count() AS total FROM ${counted}`, { ...params, ...extra })
  }

  #write(): Written {
    this.#written ??= writtenOf(this.query, this.when, this.#scope, this.#conditions)
    return this.#written
  }

  #stepsOf(steps: readonly Step[]): Plan['steps'] {
    return steps
      .filter((step) => step.when?.(this.#scope) ?? true)
      .map((step) => {
        const sql = 'read' in step ? step.read : 'needs' in step ? step.needs : undefined
        return sql === undefined
          ? { step }
          : { step, read: bind(render(sql, this.#scope), this.#write().params) }
      })
  }
}

/** The parts of a plan's statements. */
interface Written extends Clauses {
  readonly relation: string
}

function writtenOf(query: Query, when: When, scope: Scope, conditions: readonly Condition[]): Written {
  const { dataset, values, bounds } = query
  const params: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const { role, bind: bound } = dataset.parameters[name]!
    if (role !== 'as_of') Object.assign(params, bound?.(value, name) ?? { [name]: value })
  }
  if (dataset.metricParameter !== undefined && scope.metrics.length > 0) {
    params.metrics = scope.metrics.map((metric) => metric.key)
    params.metric_positions = scope.metrics.map((metric) => dataset.universe.position(metric.key))
  }
  for (const { column, side, value } of bounds) params[`${side}_${column}`] = value
  Object.assign(params, when.params)
  // what steps would bind is of no row, but the SQL names it
  if (when.empty)
    for (const { binds } of dataset.steps ?? []) for (const name of Object.keys(binds)) params[name] = []
  const relation = dataset.from === undefined ? '' : render(dataset.from, scope)
  const clauses = clausesOf(query, relation, scope, conditions)
  return { ...clauses, relation, params: { ...params, ...clauses.params } }
}

/**
 * A last key that is equal for all rows and makes one stream of them before they are sorted: sorted streams of several
 * threads or of a UNION would be sent run by run where one lies wholly before the others, each a batch of its own. A
 * table read by one thread is one stream without it. The window is of all rows, so those of a page are counted once they are
 * chosen.
 */
const ALL_AT_ONCE = 'count() OVER ()'

/** Keeps the values that the text names. */
function bind(sql: string, params: Readonly<Record<string, unknown>>): Statement {
  const named: Record<string, unknown> = {}
  for (const [, name] of sql.matchAll(/\{(\w+):/g)) {
    if (Object.hasOwn(params, name!)) named[name!] = params[name!]
  }
  return { sql, params: named }
}
