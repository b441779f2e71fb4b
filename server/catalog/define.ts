/**
 * One dataset, one declaration. From it come the route, the validator, the SELECT, the JSON Schema, the OpenAPI
 * entry, the catalog entry, the docs page, the test matrix and the benchmark scenario.
 */
import type { Universe } from '../../sql/derive/universe.ts'
import type { Time } from '../../sql/sources/declare.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import type { CatalogEntry, CatalogKey, Tier } from './catalog.ts'
import { catalogEntry, tiers } from './catalog.ts'
import type { Column, MetricColumns } from './columns.ts'
import { InvalidValue } from './invalid-value.ts'
import type { AnyParameter, Parameters } from './parameters.ts'
import type { MetricShape } from './relations.ts'
import { metricSql, shapeOf, timeOfRelation } from './relations.ts'
import type { AllRows, Counted } from './scope.ts'
import type { Sql, Step } from './step.ts'

export type * from './step.ts'

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
  /** Whose metrics its columns, parameters and bounds name; default: those of banks. */
  readonly universe?: Universe
  /** A relation of the version database, or a SELECT in SQL (put in parentheses by the frame). */
  readonly from?: Sql
  /** Named queries that `from` may use: `WITH name AS (…)`. */
  readonly nodes?: Readonly<Record<string, Sql>>
  /** Shape of the metrics in `from`; known by itself for the tables of the universe. */
  readonly shape?: MetricShape
  /** Which moment a row speaks of; known by itself for the tables of sources and universes, and from the parameters. */
  readonly time?: Time
  /** A condition beside those of the parameters. */
  readonly where?: Sql
  /** Names of columns that rows are counted together by; the others are aggregates over the rows that meet the conditions. */
  readonly groupBy?: readonly string[]
  /** Columns of `from` that make a row unique: they end every order. */
  readonly grain: readonly string[]
  /** Default order; `-name` is descending. */
  readonly order?: readonly string[]
  readonly parameters?: Parameters
  /** `min_<column>` and `max_<column>` on every numeric column, and on every metric where it has any. */
  readonly bounds?: boolean
  /** For feeds: how many rows without `limit`, and at most. */
  readonly limit?: { readonly default: number; readonly most: number }
  readonly columns: readonly (Column | MetricColumns)[]
  /** Columns that an answer has only where `fields` names them. */
  readonly further?: readonly Column[]
  /** Columns of the place of a row, in degrees: it is then offered as GeoJSON too. */
  readonly point?: { readonly latitude: string; readonly longitude: string }
  /** Columns of what an item of a feed says: it is then offered as RSS too. `about` stands before the title. */
  readonly feed?: {
    readonly id: string
    readonly about: string
    readonly title: string
    readonly link: string
    readonly moment: string
    readonly category: string
  }
  /**
   * Whose the rows are. `client`: those of the key that asks. Its answers meet no cache, and its steps know the key.
   * Default: everybody's.
   */
  readonly scope?: 'everybody' | 'client'
  readonly steps?: readonly Step[]
  /**
   * The same rows without SQL, where the quarter that the request looks from is in the server's memory: a query that
   * names many columns takes the engine longer to plan than to run. Conditions beside those of the parameters it
   * knows nothing of.
   */
  readonly counted?: Counted
  readonly allRows?: AllRows
  /**
   * A composite: `data` is an object with the `data` of other datasets under these names. Parameters of equal
   * name are passed on; JSON only.
   */
  readonly parts?: Readonly<Record<string, { readonly dataset: CatalogKey; readonly query?: string }>>
  /** Where the answer nests: what stands for this dataset when a parameter has one of these values, in every format. */
  readonly flat?: { readonly parameter: string; readonly of: Readonly<Record<string, Dataset>> }
  /** The same columns of other universes: what stands for this dataset when a parameter has one of these values. */
  readonly ofUniverses?: { readonly parameter: string; readonly of: Readonly<Record<string, Dataset>> }
  /** Of a flat form: what its answer is, where the catalog says otherwise of the dataset. */
  readonly result?: 'many'
  /** Keys of the sources that the figures come from. */
  readonly sources: readonly string[]
  readonly examples: readonly Example[]
}

/** A checked declaration, with what the frame derives from it once. */
export interface Dataset extends Omit<Declaration, 'result'>, CatalogEntry {
  readonly key: CatalogKey
  readonly universe: Universe
  readonly pathParameters: readonly string[]
  readonly parameters: Parameters
  /** The parameters with their names. */
  readonly declared: readonly (readonly [string, AnyParameter])[]
  /** Keys of the metrics that it may answer: where rows are of one institution, those of its tier and below. */
  readonly metricKeys: readonly string[]
  /** Name of the metric list parameter, where there is one. */
  readonly metricParameter: string | undefined
  readonly metricShape: MetricShape
  readonly time: Time
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
  const entry =
    catalogEntry(declaration.key) ?? fail('is not in the catalog: add its row to server/catalog/catalog.ts')
  for (const alias of declaration.aliases ?? []) {
    const other = catalogEntry(alias) ?? fail(`alias ${alias} is not in the catalog`)
    if (other.path !== entry.path) fail(`alias ${alias} has another path`)
  }
  const universe = declaration.universe ?? banks
  const ofOne = (declaration.grain ?? []).includes(universe.id) || entry.path.includes(`{${universe.id}}`)
  const metricKeys = universe.metrics
    .filter(({ tier = 'Public' as Tier }) => !ofOne || tiers.indexOf(tier) <= tiers.indexOf(entry.tier))
    .map(({ key }) => key)
  const parameters = Object.fromEntries(
    Object.entries(declaration.parameters ?? {}).map(([name, parameter]) => [
      name,
      parameter.role === 'metrics' ? among(metricKeys, parameter, entry.tier) : parameter,
    ]),
  )
  const pathParameters = [...entry.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  for (const name of pathParameters) if (!parameters[name]) fail(`path parameter ${name} is not declared`)
  for (const name of Object.keys(parameters)) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) fail(`parameter ${name} is not snake_case`)
    if (reserved.has(name)) fail(`parameter ${name} is the frame's own`)
  }
  if (!declaration.from === !declaration.parts) fail('needs one of `from` and `parts`')
  for (const [name, part] of Object.entries(declaration.parts ?? {})) {
    const { tier, result } = catalogEntry(part.dataset)!
    // one that is left out is null, as one that nothing is held for
    if (tiers.indexOf(tier) > tiers.indexOf(entry.tier) && result === 'many')
      fail(`part ${name} is of a higher tier and of many rows`)
  }

  const relation = typeof declaration.from === 'string' ? declaration.from : undefined
  const ofClient = declaration.scope === 'client'
  if (ofClient && entry.tier === 'Public') fail('belongs to a key, so it cannot be Public')
  if (!ofClient && declaration.steps?.some((step) => 'client' in step))
    fail('has a step that knows the client: that needs the scope `client`')
  const metricShape = declaration.shape ?? shapeOf(universe, relation)
  const metricParameter = Object.keys(parameters).find((name) => parameters[name]?.role === 'metrics')
  for (const [name, parameter] of Object.entries(parameters))
    if (parameter.universe && parameter.universe !== universe)
      fail(`parameter ${name} is of ${parameter.universe.plural}, the dataset of ${universe.plural}`)
  const allColumns = new Map<string, Column>()
  const add = (column: Column): void => {
    if (allColumns.has(column.name)) fail(`column ${column.name} is declared twice`)
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(column.name)) fail(`column ${column.name} is not an identifier`)
    allColumns.set(column.name, column)
  }
  for (const column of declaration.columns) {
    if (isMetricColumns(column)) for (const key of metricKeys) add(metricColumn(universe, key, metricShape))
    else add(column)
  }
  declaration.further?.forEach(add)
  for (const name of Object.values(declaration.point ?? {}))
    if (!allColumns.has(name)) fail(`there is no column ${name} of its point`)
  for (const name of Object.values(declaration.feed ?? {}))
    if (!allColumns.has(name)) fail(`there is no column ${name} of its feed`)
  for (const name of declaration.groupBy ?? [])
    if (!allColumns.has(name)) fail(`groups by ${name}: no such column`)
  const bounded = new Map<string, Column>()
  if (declaration.bounds) {
    for (const column of allColumns.values()) if (isNumeric(column)) bounded.set(column.name, column)
    if (declaration.columns.some(isMetricColumns))
      for (const key of metricKeys)
        if (!bounded.has(key)) bounded.set(key, metricColumn(universe, key, metricShape))
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
    result: declaration.result ?? entry.result,
    parameters,
    declared: Object.entries(parameters),
    universe,
    pathParameters,
    metricKeys,
    metricParameter,
    metricShape,
    time: declaration.time ?? timeOf(universe, relation, parameters),
    allColumns,
    bounded,
  }
}

/** The time of the relation, else what the parameters choose by. */
function timeOf(universe: Universe, relation: string | undefined, parameters: Parameters): Time {
  const own = relation === undefined ? undefined : timeOfRelation(universe, relation)
  if (own) return own
  const all = Object.values(parameters)
  const quarterly = all.find(
    ({ role, grain }) => role === 'as_of' || role === 'quarters' || grain === 'quarter',
  )
  if (quarterly) return { kind: 'quarter', column: quarterly.column ?? 'report_date' }
  const daily = all.find(({ grain }) => grain === 'day')
  return daily?.column ? { kind: 'day', column: daily.column } : { kind: 'none' }
}

/** The dataset, or the form of it that the text of a request's parameters asks for: a flat one, or one of another universe. */
export function formOf(of: Dataset, text: (name: string) => unknown): Dataset {
  const forms = of.flat ?? of.ofUniverses
  if (!forms) return of
  const asked = text(forms.parameter)
  if (typeof asked !== 'string') return of
  try {
    return forms.of[String(of.parameters[forms.parameter]!.parse(asked))] ?? of
  } catch {
    // a value that is none is refused where all parameters are read
    return of
  }
}

const reserved = new Set(['format', 'fields', 'sort', 'limit', 'cursor'])

export const isMetricColumns = (column: Column | MetricColumns): column is MetricColumns =>
  'metrics' in column

/** The metrics that stand for a placeholder when the request names none. */
export function chosenKeys({ universe, metricKeys }: Dataset, columns: MetricColumns): readonly string[] {
  if (columns.metrics === 'all') return metricKeys
  return columns.metrics === 'headline' ? universe.headline : columns.metrics
}

/** A list of metrics that refuses those of a higher tier by name. */
function among(keys: readonly string[], parameter: AnyParameter, tier: Tier): AnyParameter {
  const known = new Set(keys)
  return {
    ...parameter,
    parse(text) {
      const chosen = parameter.parse(text) as readonly string[]
      const higher = chosen.find((key) => !known.has(key))
      if (higher === undefined) return chosen
      throw new InvalidValue(
        `“${higher}” of one institution is of a higher tier than this dataset, which is ${tier}`,
      )
    },
  }
}

const metricColumns = new WeakMap<Universe, Map<string, Column>>()

/** The column of a metric over a relation of that shape. */
export function metricColumn(universe: Universe, key: string, shape: MetricShape): Column {
  const known = metricColumns.get(universe) ?? new Map<string, Column>()
  metricColumns.set(universe, known)
  const cached = known.get(`${shape} ${key}`)
  if (cached) return cached
  const metric = universe.metric(key)
  if (!metric) throw new Error(`universe ${universe.entity}: no metric ${key} in the catalog`)
  const column: Column = {
    name: key,
    label: metric.label,
    type: 'Float64',
    nullable: true,
    unit: metric.unit,
    doc: metric.description ?? metric.label,
    ...(shape === 'array' && { sql: metricSql(universe, key, shape) }),
  }
  known.set(`${shape} ${key}`, column)
  return column
}

const NUMERIC = /^(U?Int|Float)/

/** Numbers that are amounts, not names: identifiers are numbers too, but have no unit. */
export const isNumeric = (column: Column): boolean => NUMERIC.test(column.type) && column.unit !== undefined

/** The parameter of a name, or undefined; for code that walks path and query alike. */
export const parameterOf = (of: Dataset, name: string): AnyParameter | undefined =>
  Object.hasOwn(of.parameters, name) ? of.parameters[name] : undefined
