/** JSON Schema of rows, and of answers in each format. */
import type { ColumnDescription, Description } from '../../catalog/describe.ts'
import { formats } from '../../formats/names.ts'
import { type Json, reference } from './shared.ts'

export const schemaName = (key: string): string =>
  key.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

/** The answer of a dataset in each of its formats. */
export function contentOf(dataset: Description): Json {
  const row = reference('schemas', schemaName(dataset.key))
  const envelope = (data: Json): Json => ({
    type: 'object',
    required: ['data', 'meta', 'links'],
    properties: { data, meta: reference('schemas', 'Meta'), links: reference('schemas', 'Links') },
  })
  const rows = dataset.result === 'one' ? row : { type: 'array', items: row }
  const flatRow = { type: 'object' }
  const schemas: Readonly<Record<string, Json>> = {
    json: { schema: envelope(dataset.flat ? { anyOf: [rows, { type: 'array', items: flatRow }] } : rows) },
    columns: { schema: envelope({ type: 'object', additionalProperties: { type: 'array' } }) },
    ndjson: { schema: dataset.flat ? flatRow : row },
    csv: { schema: { type: 'string' } },
    arrow: { schema: { type: 'string', contentEncoding: 'binary' } },
    parquet: { schema: { type: 'string', contentEncoding: 'binary' } },
    xlsx: { schema: { type: 'string', contentEncoding: 'binary' } },
    geojson: { schema: featuresSchema(row) },
    rss: { schema: { type: 'string' } },
  }
  return Object.fromEntries(
    (dataset.flat?.formats ?? dataset.formats).map((format) => [
      formats[format].mediaType.split(';')[0]!,
      schemas[format]!,
    ]),
  )
}

/** Points of GeoJSON; a property is as the column of that name. */
const featuresSchema = (row: Json): Json => ({
  type: 'object',
  required: ['type', 'features', 'meta', 'links'],
  properties: {
    type: { const: 'FeatureCollection' },
    features: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'geometry', 'properties'],
        properties: {
          type: { const: 'Feature' },
          geometry: {
            type: 'object',
            required: ['type', 'coordinates'],
            properties: {
              type: { const: 'Point' },
              coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
            },
          },
          properties: row,
        },
      },
    },
    meta: reference('schemas', 'Meta'),
    links: reference('schemas', 'Links'),
  },
})

/** Of every dataset by its key: whether it answers with one row or with many. */
export type Results = ReadonlyMap<string, Pick<Description, 'result'>>

/** A row: every column that it can have; without `fields` and `metrics` it has those of `x-default`. */
export function rowSchema(dataset: Description, datasets: Results): Json {
  if (dataset.parts) {
    const part = (key: string): Json => {
      const row = reference('schemas', schemaName(key))
      // a part of one row that nothing is held for is null
      return datasets.get(key)?.result === 'many'
        ? { type: 'array', items: row }
        : { anyOf: [row, { type: 'null' }] }
    }
    const properties = Object.fromEntries(
      Object.entries(dataset.parts).map(([name, key]) => [name, part(key)]),
    )
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  }
  return {
    type: 'object',
    description: dataset.summary,
    properties: Object.fromEntries(dataset.columns.map((one) => [one.name, columnSchema(one)])),
    'x-default': defaultNames(dataset),
    additionalProperties: false,
  }
}

/** Names of the columns of an answer that asks for none; a choice of metrics stands for them where they begin. */
function defaultNames({ columns, metrics }: Description): string[] {
  const chosen =
    typeof metrics?.chosen === 'string' ? [`metrics: ${metrics.chosen}`] : (metrics?.chosen ?? [])
  const first = columns.find(({ metric }) => metric)
  return columns.flatMap((one) => (one === first ? chosen : one.metric ? [] : [one.name]))
}

/** JSON Schema of a column's values. */
function columnSchema(column: ColumnDescription): Json {
  const value = valueSchema(column)
  return {
    title: column.label,
    ...(column.doc !== null && { description: column.doc }),
    ...(column.unit !== null && { 'x-unit': column.unit }),
    ...value,
    ...(column.nullable && { type: [value.type, 'null'] }),
  }
}

function valueSchema({ type, fields }: ColumnDescription): Json {
  const nested = (): Json => ({
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, columnSchema(field)])),
  })
  switch (type) {
    case 'Bool':
      return { type: 'boolean' }
    case 'Code':
    case 'String':
      return { type: 'string' }
    case 'Date':
    case 'Date32':
      return { type: 'string', format: 'date' }
    case 'DateTime':
    case 'DateTime64(3)':
      return { type: 'string', format: 'date-time' }
    case 'Float64':
      return { type: 'number' }
    case 'Array(String)':
      return { type: 'array', items: { type: 'string' } }
    case 'Array(UInt32)':
      return { type: 'array', items: { type: 'integer' } }
    case 'Array(Float64)':
      return { type: 'array', items: { type: ['number', 'null'] } }
    case 'Tuple':
      return nested()
    case 'Array(Tuple)':
      return { type: 'array', items: nested() }
    default:
      return { type: 'integer', ...(type.startsWith('U') && { minimum: 0 }) }
  }
}
