/** What a dataset is, as one plain value: whatever documents datasets, for people or programs, reads it and nothing else. */
import type { Time } from '../../sql/sources/declare.ts'
import type { Format } from '../formats/names.ts'
import { formatsOf } from '../formats/offered.ts'
import { API_ROOT, type CatalogEntry } from './catalog.ts'
import type { Column, MetricColumns } from './columns.ts'
import { chosenKeys, type Dataset, isMetricColumns } from './define.ts'
import type { AnyParameter, EntityKind, JsonSchema, Role } from './parameters.ts'

/** An institution of each kind to look at in examples, by its id. Declarations name none: what is held differs. */
export type Entities = Readonly<Partial<Record<EntityKind, string>>>

export interface Description extends Omit<CatalogEntry, 'path'> {
  /** With `/api/v1` and parameters in braces. */
  readonly path: string
  /** Whose metrics it speaks of: `entity` of the universe. */
  readonly universe: string
  /** What a row is, and the order of rows. */
  readonly summary: string
  readonly notes: string | null
  /** Its own: those of every dataset (`format`, `sort` …) are not among them. */
  readonly parameters: readonly ParameterDescription[]
  /** Numeric columns and metrics that `min_<column>` and `max_<column>` take. */
  readonly bounded: readonly ColumnDescription[]
  readonly formats: readonly Format[]
  /** The order of rows without `sort`; `-name` is descending. */
  readonly order: readonly string[]
  /** Rows without `limit`, and at most, where they are not those of every dataset. */
  readonly limit: { readonly default: number; readonly most: number } | null
  /** The columns of an answer in order, and after them the metrics that a request may choose besides. */
  readonly columns: readonly ColumnDescription[]
  /** Which metrics an answer has where the request chooses none, and the parameter that chooses. */
  readonly metrics: { readonly chosen: MetricColumns['metrics']; readonly parameter: string | null } | null
  /** Of a composite: the datasets whose data it has under these names. */
  readonly parts: Readonly<Record<string, string>> | null
  /** Which moment a row speaks of. */
  readonly time: Time
  /** Of a nested answer with flat forms: the parameter that asks for one, the formats of those, and their columns beside its own. */
  readonly flat: {
    readonly parameter: string
    readonly formats: readonly Format[]
    readonly columns: readonly ColumnDescription[]
  } | null
  /** Keys of sources. */
  readonly sources: readonly string[]
  readonly examples: readonly { readonly title: string; readonly url: string }[]
}

export interface ParameterDescription {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly doc: string
  /** As one would write it in a URL. */
  readonly default: string | null
  readonly example: string | null
  /** With the default. */
  readonly schema: JsonSchema
  readonly role: Role | null
}

export interface ColumnDescription {
  readonly name: string
  readonly label: string
  /** ClickHouse type. */
  readonly type: Column['type']
  readonly nullable: boolean
  readonly unit: string | null
  readonly doc: string | null
  readonly fields: readonly ColumnDescription[]
  /** Of the metric catalog. */
  readonly metric: boolean
  /** Whether an answer has it without being asked for it. */
  readonly byDefault: boolean
}

/** @param held institutions to look at in examples */
export function describe(dataset: Dataset, held: Entities = {}): Description {
  const { key, name, category, tier, result, summary, notes, limit, parts, time, sources } = dataset
  const metricColumns = dataset.columns.find(isMetricColumns)
  const declared = [...dataset.columns, ...(dataset.further ?? [])]
  const own = new Set(declared.flatMap((one) => (isMetricColumns(one) ? [] : [one.name])))
  const chosen = new Set(metricColumns && chosenKeys(dataset, metricColumns))
  const names = new Set(dataset.columns.flatMap((one) => (isMetricColumns(one) ? [...chosen] : [one.name])))
  const columnOf = (column: Column): ColumnDescription =>
    describeColumn(column, !own.has(column.name), names.has(column.name))
  return {
    ...{ key, name, category, tier, result, summary, time, sources },
    path: API_ROOT + dataset.path,
    universe: dataset.universe.entity,
    order: [...(dataset.order ?? []), ...dataset.grain],
    notes: notes ?? null,
    parameters: Object.entries(dataset.parameters).map(([name, parameter]) =>
      describeParameter(name, parameter, dataset.pathParameters.includes(name), held),
    ),
    bounded: [...dataset.bounded.values()].map(columnOf),
    formats: formatsOf(dataset),
    limit: limit ?? null,
    columns: [...new Set([...names, ...dataset.allColumns.keys()])].map((name) =>
      columnOf(dataset.allColumns.get(name)!),
    ),
    metrics: metricColumns
      ? { chosen: metricColumns.metrics, parameter: dataset.metricParameter ?? null }
      : null,
    parts: parts
      ? Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.dataset]))
      : null,
    flat: describeFlat(dataset),
    examples: dataset.examples.map(({ title, path, query }) => ({
      title,
      url: exampleUrl(dataset, path, query, held),
    })),
  }
}

function describeFlat({ flat, allColumns }: Dataset): Description['flat'] {
  if (!flat) return null
  const forms = Object.values(flat.of)
  const columns = new Map(forms.flatMap((form) => [...form.allColumns]))
  for (const name of allColumns.keys()) columns.delete(name)
  return {
    parameter: flat.parameter,
    formats: [...new Set(forms.flatMap(formatsOf))],
    columns: [...columns.values()].map((column) => describeColumn(column, false, false)),
  }
}

function describeParameter(
  name: string,
  parameter: AnyParameter,
  inPath: boolean,
  held: Entities,
): ParameterDescription {
  const { doc, role, entity, canonical, schema, default: fallback } = parameter
  const given = fallback === undefined ? undefined : (canonical?.(fallback) ?? fallback)
  return {
    ...{ name, doc, role: role ?? null },
    in: inPath ? 'path' : 'query',
    default: given === undefined ? null : String(given),
    example: (entity ? held[entity] : parameter.example) ?? null,
    schema: given === undefined ? schema : { ...schema, default: given },
  }
}

function describeColumn(column: Column, metric: boolean, byDefault: boolean): ColumnDescription {
  const { name, label, type, nullable, unit, doc, fields = [] } = column
  return {
    ...{ name, label, type, metric, byDefault },
    nullable: nullable ?? false,
    unit: unit ?? null,
    doc: doc ?? null,
    fields: fields.map((field) => describeColumn(field, false, byDefault)),
  }
}

/**
 * The address of an example: path values from the example, else institutions of `held`, else the parameters' own. A
 * value that nobody knows stays in braces.
 */
export function exampleUrl(
  dataset: Dataset,
  path: Readonly<Record<string, string>> = {},
  query = '',
  held: Entities = {},
): string {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (braced, name: string) => {
      const { entity, example } = dataset.parameters[name] ?? {}
      const value = path[name] ?? (entity ? held[entity] : example)
      return value === undefined ? braced : encodeURIComponent(value)
    })
  return `${API_ROOT}${fill(dataset.path)}${query === '' ? '' : `?${fill(query)}`}`
}
