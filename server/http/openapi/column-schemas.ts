/** JSON Schema of the lists that name columns: `fields`, `sort`, `metrics`. The metrics of banks stand once for all datasets. */
import { banks } from '../../../sql/universes/bank/index.ts'
import type { ColumnDescription, Description } from '../../catalog/describe.ts'
import type { Json } from './shared.ts'

/** Those of a higher tier stand with the datasets that have them. */
const metricKeys = banks.metrics.filter(({ tier }) => tier === undefined).map(({ key }) => key)
const metric = { $ref: '#/components/schemas/Metric' }
const metricOrder = { $ref: '#/components/schemas/MetricOrder' }

/** Components that the schemas below refer to. */
export const columnComponents = {
  Metric: { type: 'string', description: 'Key of the metric catalog.', enum: metricKeys },
  MetricOrder: {
    type: 'string',
    description: 'Key of the metric catalog; a minus before it is descending.',
    enum: signed(metricKeys),
  },
}

/** `metrics=roa,nim`; `base` is the parameter's own schema, which lists the metrics of another universe than banks. */
export const metricsSchema = (base: Json): Json =>
  (base.items as Json).enum ? base : { ...base, items: metric }

/** `fields=rssd_id,roa` */
export const fieldsSchema = ({ columns }: Description): Json =>
  list(
    columns.map(({ name }) => name),
    metric,
  )

/** `sort=-roa,legal_name`: a list has no order. */
export function sortSchema({ columns }: Description): Json {
  const sortable = (column: ColumnDescription): boolean => !column.type.startsWith('Array')
  return list(
    columns.filter(sortable).map(({ name }) => name),
    metricOrder,
    signed,
  )
}

function list(names: readonly string[], reference: Json, spell = (some: readonly string[]) => some): Json {
  const known = new Set(names)
  if (!metricKeys.every((key) => known.has(key))) return array({ type: 'string', enum: spell(names) })
  const inCatalog = new Set(metricKeys)
  const own = names.filter((name) => !inCatalog.has(name))
  return array({ anyOf: [{ type: 'string', enum: spell(own) }, reference] })
}

const array = (items: Json): Json => ({ type: 'array', items, minItems: 1 })

function signed(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, `-${name}`])
}
