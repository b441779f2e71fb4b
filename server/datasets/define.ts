/**
 * One dataset, one declaration. From it come the route, the validator, the SELECT, the JSON Schema, the OpenAPI
 * entry, the catalog entry, the docs page, the test matrix and the benchmark scenario.
 */
import type { Metric } from '../../sql/formula/metrics/index.ts'
import { metrics as metricCatalog } from '../../sql/formula/metrics/index.ts'
import type { ResidentTable } from '../resident/table.ts'
import type { CatalogEntry, CatalogKey } from './catalog.ts'
import { catalogEntry } from './catalog.ts'
import type { Column, MetricColumns } from './columns.ts'
import { headline } from './headline.ts'
import type { AnyParameter, Parameters } from './parameters.ts'
import type { MetricShape } from './relations.ts'
import { metricOf, metricSql, shapeOf } from './relations.ts'

/**
 * What the SQL of a declaration may look at. It answers questions about the request, never hands out its text:
 * values are written `{name:Type}` and bound by the engine.
 */
export interface Scope {
  /** Metrics that the request chose, else the declaration's default ones. */
  readonly metrics: readonly Metric[]
  /** Whether the request gave the parameter (a default counts as given). */
  has(parameter: string): boolean
  /** Whether the figures of the quarter that the request looks from are in the server's memory. */
  readonly inMemory: boolean
  /** Whether a parameter has that value: to choose between branches of SQL. */
  is(parameter: string, value: string | number | boolean): boolean
}

export type Sql = string | ((scope: Scope) => string)

/** Work before the SELECT; what it returns is bound by name. */
export type Step = {
  readonly when?: (scope: Scope) => boolean
  /** Names of the results, with the ClickHouse type of each: `{ peer_ids: 'Array(UInt32)' }`. */
  readonly binds: Readonly<Record<string, string>>
} & (TaskStep | CountStep)

/**
 * Work that is neither SQL nor I/O: the rows of `read` go to a worker's task as one buffer of JSONCompactColumns (an
 * array a column).
 */
export interface TaskStep {
  readonly read: Sql
  /** Name of a task in `workers/`. */
  readonly task: string
}

/** Counting over the quarter that is in memory: where `scope.inMemory` alone. */
export interface CountStep {
  readonly count: (
    quarter: ResidentTable,
    values: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
}

export interface Example {
  readonly title: string
  /** Values for the path; the examples of the path parameters where left out. */
  readonly path?: Readonly<Record<string, string>>
  /** The query, without `?`. */
  readonly query?: string
  readonly expect?: { readonly rows?: number; readonly least?: number; readonly columns?: readonly string[] }
}

export interface Declaration {
  readonly key: CatalogKey
  /** Further catalog entries that the same route serves. */
  readonly aliases?: readonly CatalogKey[]
  /** One sentence: what a row is, and its order. */
  readonly summary: string
  /** What an analyst must know to use it right: definitions, gaps, units. */
  readonly notes?: string
  /** A relation of the version database, or a SELECT in SQL (put in parentheses by the frame). */
  readonly from?: Sql
  /** Named queries that `from` may use: `WITH name AS (…)`. */
  readonly nodes?: Readonly<Record<string, Sql>>
  /** Shape of the metrics in `from`; known by itself for the relations of `relations.ts`. */
  readonly shape?: MetricShape
  /** A condition beside those of the parameters. */
  readonly where?: Sql
  /** Columns of `from` that make a row unique: they end every order. */
  readonly grain: readonly string[]
  /** Default order; `-name` is descending. */
  readonly order?: readonly string[]
  readonly parameters?: Parameters
  /** `min_<column>` and `max_<column>` on every numeric column and every metric. */
  readonly bounds?: boolean
  /** For feeds: how many rows without `limit`, and at most. */
  readonly limit?: { readonly default: number; readonly most: number }
  readonly columns: readonly (Column | MetricColumns)[]
  readonly steps?: readonly Step[]
  /**
   * A composite: `data` is an object with the `data` of other datasets under these names. Parameters of equal
   * name are passed on; JSON only.
   */
  readonly parts?: Readonly<Record<string, { readonly dataset: CatalogKey; readonly query?: string }>>
  /** Keys of the sources that the figures come from. */
  readonly sources: readonly string[]
  readonly examples: readonly Example[]
}

/** A checked declaration, with what the frame derives from it once. */
export interface Dataset extends Declaration, CatalogEntry {
  readonly key: CatalogKey
  readonly pathParameters: readonly string[]
  readonly parameters: Parameters
  /** Name of the metric list parameter, where there is one. */
  readonly metricParameter: string | undefined
  readonly metricShape: MetricShape
  /** Every column that an answer can have: where it has metrics, `fields` may name any of the catalog. */
  readonly allColumns: ReadonlyMap<string, Column>
  /** Columns that take bounds. */
  readonly bounded: ReadonlyMap<string, Column>
}

/** Checks a declaration; a fault names the dataset and the place. */
export function dataset(declaration: Declaration): Dataset {
  const fail = (message: string): never => {
    throw new Error(`dataset ${declaration.key}: ${message}`)
  }
  const entry = catalogEntry(declaration.key) ?? fail('is not in the catalog')
  for (const alias of declaration.aliases ?? []) {
    const other = catalogEntry(alias) ?? fail(`alias ${alias} is not in the catalog`)
    if (other.path !== entry.path) fail(`alias ${alias} has another path`)
  }
  const parameters = declaration.parameters ?? {}
  const pathParameters = [...entry.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  for (const name of pathParameters) if (!parameters[name]) fail(`path parameter ${name} is not declared`)
  for (const name of Object.keys(parameters)) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) fail(`parameter ${name} is not snake_case`)
    if (reserved.has(name)) fail(`parameter ${name} is the frame's own`)
  }
  if (!declaration.from === !declaration.parts) fail('needs one of `from` and `parts`')

  const relation = typeof declaration.from === 'string' ? declaration.from : undefined
  const metricShape = declaration.shape ?? shapeOf(relation)
  const metricParameter = Object.keys(parameters).find((name) => parameters[name]?.role === 'metrics')
  const allColumns = new Map<string, Column>()
  const add = (column: Column): void => {
    if (allColumns.has(column.name)) fail(`column ${column.name} is declared twice`)
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(column.name)) fail(`column ${column.name} is not an identifier`)
    allColumns.set(column.name, column)
  }
  for (const column of declaration.columns) {
    if (isMetricColumns(column)) for (const key of metricKeys) add(metricColumn(key, metricShape))
    else add(column)
  }
  const bounded = new Map<string, Column>()
  if (declaration.bounds) {
    for (const column of allColumns.values()) if (isNumeric(column)) bounded.set(column.name, column)
    for (const key of metricKeys) if (!bounded.has(key)) bounded.set(key, metricColumn(key, metricShape))
  }
  for (const name of declaration.order ?? []) {
    const bare = name.replace(/^-/, '')
    if (!allColumns.has(bare) && !declaration.grain.includes(bare)) fail(`order by ${name}: no such column`)
  }
  if (declaration.examples.length === 0) fail('has no example')
  return {
    ...declaration,
    ...entry,
    key: declaration.key,
    parameters,
    pathParameters,
    metricParameter,
    metricShape,
    allColumns,
    bounded,
  }
}

const reserved = new Set(['format', 'fields', 'sort', 'limit', 'cursor'])
const metricKeys: readonly string[] = metricCatalog.map((metric) => metric.key)

export const isMetricColumns = (column: Column | MetricColumns): column is MetricColumns =>
  'metrics' in column

/** The metrics that stand for a placeholder when the request names none. */
export function chosenKeys(columns: MetricColumns): readonly string[] {
  if (columns.metrics === 'all') return metricKeys
  return columns.metrics === 'headline' ? headline : columns.metrics
}

const metricColumnCache = new Map<string, Column>()

/** The column of a metric over a relation of that shape. */
export function metricColumn(key: string, shape: MetricShape): Column {
  const cached = metricColumnCache.get(`${shape} ${key}`)
  if (cached) return cached
  const metric = metricOf(key)
  if (!metric) throw new Error(`no metric ${key} in the catalog`)
  const column: Column = {
    name: key,
    label: metric.label,
    type: 'Float64',
    nullable: true,
    unit: metric.unit,
    doc: metric.description ?? metric.label,
    ...(shape === 'array' && { sql: metricSql(key, shape) }),
  }
  metricColumnCache.set(`${shape} ${key}`, column)
  return column
}

const NUMERIC = /^(U?Int|Float)/

/** Numbers that are amounts, not names: identifiers are numbers too, but have no unit. */
export const isNumeric = (column: Column): boolean => NUMERIC.test(column.type) && column.unit !== undefined

/** The parameter of a name, or undefined; for code that walks path and query alike. */
export const parameterOf = (of: Dataset, name: string): AnyParameter | undefined =>
  Object.hasOwn(of.parameters, name) ? of.parameters[name] : undefined
