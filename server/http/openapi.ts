/** OpenAPI 3.1 of the whole API, from the declarations alone. */
import { API_ROOT, catalog, chapters, type Tier } from '../datasets/catalog.ts'
import type { Column } from '../datasets/columns.ts'
import type { Dataset } from '../datasets/define.ts'
import { isMetricColumns } from '../datasets/define.ts'
import { type Entities, exampleUrl } from '../datasets/document.ts'
import type { AnyParameter, JsonSchema } from '../datasets/parameters.ts'
import { problems } from '../errors.ts'
import { formats } from '../formats/names.ts'
import { formatsOf } from '../query/parse.ts'
import { ACCOUNT_PATH, accountSchema } from './account-schema.ts'
import { columnComponents, fieldsSchema, metricsSchema, sortSchema } from './column-schemas.ts'

type Json = Record<string, unknown>

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** The document as an object; `version` is the package's, `held` names institutions for examples that answer. */
export function openapi(datasets: ReadonlyMap<string, Dataset>, version: string, held: Entities = {}): Json {
  const paths: Json = {}
  const schemas: Json = { ...columnComponents, Problem: problemSchema, Meta: metaSchema, Links: linksSchema }
  const bounds: Json = {}
  for (const entry of catalog) {
    const path = `${API_ROOT}${entry.path}`
    if (paths[path]) continue
    const dataset = datasets.get(entry.key)
    if (!dataset) {
      paths[path] = { get: notServed(entry) }
      continue
    }
    schemas[schemaName(dataset.key)] = rowSchema(dataset, datasets)
    for (const column of dataset.bounded.values()) {
      for (const side of ['min', 'max'] as const)
        bounds[`${side}_${column.name}`] = boundParameter(side, column)
    }
    paths[path] = { get: operation(dataset, held) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'US banking history',
      version,
      summary: 'Call Reports and more, one REST API over ClickHouse.',
      description:
        'Money is in thousands of US dollars, ratios in percent, dates ISO 8601, absent values null. Every answer is of one data version; equal URL and data version give equal bytes.\n\n[Every dataset at a glance](/docs/catalog) · [every problem](/docs/errors)',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: securityOf('Public'),
    tags: [
      ...Object.entries(chapters).map(([name, description]) => ({ name, description })),
      { name: accountTag, description: 'Who asks, what is left of the allowance, and what was asked.' },
    ],
    paths: { ...paths, [ACCOUNT_PATH]: { get: accountOperation } },
    components: {
      schemas,
      parameters: { ...sharedParameters, ...bounds },
      headers,
      responses: problemResponses(),
      securitySchemes: { ApiKey: keyScheme },
    },
  }
}

function operation(dataset: Dataset, held: Entities): Json {
  const responses: Json = {
    200: {
      description: dataset.summary,
      headers: headerReferences(Object.keys(headers)),
      content: contentOf(dataset),
    },
    304: { description: 'Not modified: the data version is the one of `If-None-Match`.' },
  }
  for (const status of servedProblems) responses[status] = reference('responses', responseName(status))
  return {
    operationId: dataset.key,
    tags: [dataset.category],
    summary: dataset.name,
    description: [dataset.summary, dataset.notes].filter(Boolean).join('\n\n'),
    'x-tier': dataset.tier,
    'x-badges': [{ name: dataset.tier }],
    security: securityOf(dataset.tier),
    parameters: [...ownParameters(dataset, held), ...frameOf(dataset)],
    responses,
    externalDocs: { url: `/docs/${dataset.key}` },
    'x-examples': dataset.examples.map(({ title, path, query }) => ({
      title,
      url: exampleUrl(dataset, path, query, held),
    })),
  }
}

function ownParameters(dataset: Dataset, held: Entities): Json[] {
  return Object.entries(dataset.parameters).map(([name, parameter]) => {
    const inPath = dataset.pathParameters.includes(name)
    const example = parameter.entity ? held[parameter.entity] : parameter.example
    return {
      name,
      in: inPath ? 'path' : 'query',
      ...(inPath && { required: true }),
      description: parameter.doc,
      ...(parameter.schema.type === 'array' && { style: 'form', explode: false }),
      schema: schemaOf(parameter),
      ...(example !== undefined && { example: exampleOf(parameter, example) }),
    }
  })
}

const schemaOf = (parameter: AnyParameter): JsonSchema => {
  if (parameter.role === 'metrics') return metricsSchema(parameter.schema)
  if (parameter.default === undefined) return parameter.schema
  const text = parameter.canonical?.(parameter.default) ?? parameter.default
  return { ...parameter.schema, default: text }
}

const exampleOf = ({ schema }: AnyParameter, example: string): unknown => {
  if (schema.type === 'integer') return Number(example)
  return schema.type === 'array' ? example.split(',') : example
}

function frameOf(dataset: Dataset): Json[] {
  const names = ['format', 'fields', ...(dataset.result === 'many' ? ['sort', 'limit', 'cursor'] : [])]
  const bounds = [...dataset.bounded.keys()].flatMap((name) => [`min_${name}`, `max_${name}`])
  const offered = formatsOf(dataset)
  return [...names, ...bounds]
    .filter((name) => name !== 'fields' || !dataset.parts)
    .map((name) => {
      if (name === 'format' && offered.length < Object.keys(formats).length) {
        return { ...frameParameters.format, schema: { type: 'string', enum: offered } }
      }
      if (name === 'fields') return { ...frameParameters.fields, schema: fieldsSchema(dataset) }
      if (name === 'sort') return { ...frameParameters.sort, schema: sortSchema(dataset) }
      if (name === 'limit' && dataset.limit) {
        const schema = {
          type: 'integer',
          minimum: 1,
          maximum: dataset.limit.most,
          default: dataset.limit.default,
        }
        return { ...frameParameters.limit, schema }
      }
      return reference('parameters', name)
    })
}

const frameParameters = {
  format: {
    name: 'format',
    in: 'query',
    description: `Format of the answer; beats \`Accept\`. ${Object.entries(formats)
      .map(([name, { doc }]) => `\`${name}\`: ${doc}`)
      .join(' ')}`,
    schema: { type: 'string', enum: Object.keys(formats) },
  },
  fields: {
    name: 'fields',
    in: 'query',
    description: 'Only these columns, in this order.',
    style: 'form',
    explode: false,
  },
  sort: {
    name: 'sort',
    in: 'query',
    description: 'Columns to order by; a minus is descending. The key columns always end the order.',
    style: 'form',
    explode: false,
  },
  limit: {
    name: 'limit',
    in: 'query',
    description: 'At most so many rows; `links.next` has the next page.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'The place to go on from: the cursor of `links.next`, unchanged. Of the same query and data version.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  },
} as const

const { fields: _, sort: __, ...sharedParameters } = frameParameters

const boundParameter = (side: 'min' | 'max', column: Column): Json => ({
  name: `${side}_${column.name}`,
  in: 'query',
  description: `${side === 'min' ? 'Least' : 'Greatest'} ${column.label}, inclusive${column.unit ? `, in ${column.unit}` : ''}. A null never matches.`,
  schema: { type: 'number' },
})

function contentOf(dataset: Dataset): Json {
  const row = reference('schemas', schemaName(dataset.key))
  const envelope = (data: Json): Json => ({
    type: 'object',
    required: ['data', 'meta', 'links'],
    properties: { data, meta: reference('schemas', 'Meta'), links: reference('schemas', 'Links') },
  })
  const schemas: Readonly<Record<string, Json>> = {
    json: { schema: envelope(dataset.result === 'one' ? row : { type: 'array', items: row }) },
    columns: { schema: envelope({ type: 'object', additionalProperties: { type: 'array' } }) },
    ndjson: { schema: row },
    csv: { schema: { type: 'string' } },
    arrow: { schema: { type: 'string', contentEncoding: 'binary' } },
    parquet: { schema: { type: 'string', contentEncoding: 'binary' } },
  }
  return Object.fromEntries(
    formatsOf(dataset).map((format) => [formats[format].mediaType.split(';')[0]!, schemas[format]!]),
  )
}

/** A row: every column that it can have; without `fields` and `metrics` it has those of `x-default`. */
function rowSchema(dataset: Dataset, datasets: ReadonlyMap<string, Dataset>): Json {
  if (dataset.parts) {
    const part = (key: string): Json => {
      const row = reference('schemas', schemaName(key))
      // a part of one row that nothing is held for is null
      return datasets.get(key)?.result === 'many'
        ? { type: 'array', items: row }
        : { anyOf: [row, { type: 'null' }] }
    }
    const properties = Object.fromEntries(
      Object.entries(dataset.parts).map(([name, { dataset: key }]) => [name, part(key)]),
    )
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  }
  return {
    type: 'object',
    description: dataset.summary,
    properties: Object.fromEntries(
      [...dataset.allColumns.values()].map((one) => [one.name, columnSchema(one)]),
    ),
    'x-default': dataset.columns.flatMap((one) =>
      isMetricColumns(one)
        ? typeof one.metrics === 'string'
          ? [`metrics: ${one.metrics}`]
          : one.metrics
        : [one.name],
    ),
    additionalProperties: false,
  }
}

/** JSON Schema of a column's values. */
export function columnSchema(column: Column): Json {
  const value = valueSchema(column)
  return {
    title: column.label,
    ...(column.doc !== undefined && { description: column.doc }),
    ...(column.unit !== undefined && { 'x-unit': column.unit }),
    ...value,
    ...(column.nullable && { type: [value.type, 'null'] }),
  }
}

function valueSchema({ type, fields }: Column): Json {
  const nested = (): Json => ({
    type: 'object',
    properties: Object.fromEntries((fields ?? []).map((field) => [field.name, columnSchema(field)])),
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

const notServed = (entry: (typeof catalog)[number]): Json => ({
  operationId: entry.key,
  tags: [entry.category],
  summary: entry.name,
  description: 'In the catalog, but not served yet: answers 501.',
  'x-tier': entry.tier,
  'x-badges': [{ name: entry.tier }, { name: 'Not served yet' }],
  security: securityOf(entry.tier),
  parameters: [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  responses: Object.fromEntries(
    [...unreadable, ...refused, 501].map((status) => [status, reference('responses', responseName(status))]),
  ),
})

/** Answers of any path to a request that cannot be read. */
const unreadable = [400, 414, 431]

/** And to one that has no leave, or no more of it. */
const refused = [401, 403, 429]

/** Statuses of the problems that a dataset answers with. 405 belongs to other methods, which have no operation here. */
const servedProblems = [...new Set(Object.values(problems).map(({ status }) => status))].filter(
  (status) => status !== 405 && status !== 501,
)

const responseName = (status: number): string => `Problem${status}`

function problemResponses(): Json {
  const byStatus = new Map<number, string[]>()
  for (const [code, { status, title, doc }] of Object.entries(problems)) {
    if (status === 405) continue
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\` ${title}. ${doc}`])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      responseName(status),
      {
        description: lines.join('\n\n'),
        ...((status === 503 || status === 429) && {
          headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } },
        }),
        content: { 'application/problem+json': { schema: reference('schemas', 'Problem') } },
      },
    ]),
  )
}

/** With a key or, of Public data, without one. */
const securityOf = (tier: Tier): Json[] => (tier === 'Public' ? [{}, { ApiKey: [] }] : [{ ApiKey: [] }])

const keyScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'bds_<plan letter>_<43 characters>',
  description:
    'An API key. Public data needs none; Free needs a key of any plan, Premium one of the premium plan. `/docs/access` says how much each may ask.',
} as const

const schemaName = (key: string): string =>
  key.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

const headers = {
  'RateLimit-Policy': {
    description:
      'The limits of the plan: `"day"` and `"burst"` with `q` requests in `w` seconds (IETF draft).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left: `r` requests, whole again in `t` seconds (IETF draft).',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Answers a UTC day.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Those left today.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds to 00:00 UTC.', schema: { type: 'integer' } },
  ETag: { description: 'Strong; the same for the same bytes.', schema: { type: 'string' } },
  Link: { description: 'Outside JSON: the next page, rel="next".', schema: { type: 'string' } },
  'X-Dataset': { description: 'Key of the dataset.', schema: { type: 'string' } },
  'X-As-Of': {
    description: 'The quarter that the answer looks from.',
    schema: { type: 'string', format: 'date' },
  },
  'X-Data-Version': { description: 'The data version.', schema: { type: 'string' } },
  'X-Total-Count': {
    description: 'Outside JSON: rows without limit and cursor.',
    schema: { type: 'integer' },
  },
} as const

/** Of every answer that is limited. */
const rateHeaders = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
}

const accountTag = 'Account'

const accountOperation = {
  operationId: 'account',
  tags: [accountTag],
  summary: 'Account',
  description:
    'The plan of the key, or of the address where none is sent; what is left of the allowance of the UTC day; and what was asked by day and, with a key, by dataset, today included. Takes nothing from the allowance.',
  security: securityOf('Public'),
  responses: {
    200: {
      description: 'Plan, allowance and use.',
      headers: headerReferences(rateHeaders),
      content: { 'application/json': { schema: accountSchema } },
    },
    ...Object.fromEntries(
      [400, 401, 414, 429, 431, 500, 503].map((status) => [
        status,
        reference('responses', responseName(status)),
      ]),
    ),
  },
  externalDocs: { url: '/docs/access' },
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problems) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['parameter', 'reason'],
        properties: {
          parameter: { type: 'string' },
          reason: { type: 'string' },
          allowed: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
          did_you_mean: { type: 'string' },
        },
      },
    },
  },
} as const

const metaSchema = {
  type: 'object',
  required: ['dataset', 'as_of', 'data_version', 'synthetic', 'sources', 'count', 'total', 'limit', 'units'],
  properties: {
    dataset: { type: 'string' },
    as_of: {
      type: ['string', 'null'],
      format: 'date',
      description: 'The quarter that the answer looks from.',
    },
    data_version: { type: 'string' },
    synthetic: { type: 'boolean', description: 'True for the demo universe.' },
    sources: { type: 'array', items: { type: 'string' } },
    count: { type: 'integer', description: 'Rows in this answer.' },
    total: { type: 'integer', description: 'Rows without limit and cursor.' },
    limit: { type: ['integer', 'null'] },
    units: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const

const linksSchema = {
  type: 'object',
  required: ['self', 'next', 'docs'],
  properties: {
    self: { type: 'string', description: 'Canonical address of this answer.' },
    next: { type: ['string', 'null'], description: 'The next page.' },
    docs: { type: 'string' },
  },
} as const
