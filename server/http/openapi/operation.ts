/** The operation of one dataset: its parameters, answers, problems and examples. */
import type { CatalogEntry } from '../../catalog/catalog.ts'
import type { ColumnDescription, Description } from '../../catalog/describe.ts'
import type { JsonSchema } from '../../catalog/parameters.ts'
import { formats, tabular } from '../../formats/names.ts'
import { fieldsSchema, metricsSchema, sortSchema } from './column-schemas.ts'
import { contentOf } from './row-schemas.ts'
import {
  headerReferences,
  headers,
  type Json,
  reference,
  refusedStatuses,
  responseName,
  securityOf,
  servedProblems,
  unreadableStatuses,
} from './shared.ts'

/** The operation of a served dataset. */
export function operation(dataset: Description): Json {
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
    'x-time': dataset.time,
    security: securityOf(dataset.tier),
    parameters: [...ownParameters(dataset), ...frameOf(dataset)],
    responses,
    externalDocs: { url: `/docs/${dataset.key}` },
    'x-examples': dataset.examples,
  }
}

function ownParameters(dataset: Description): Json[] {
  return dataset.parameters.map((parameter) => ({
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === 'path' && { required: true }),
    description: parameter.doc,
    ...(parameter.schema.type === 'array' && { style: 'form', explode: false }),
    schema: parameter.role === 'metrics' ? metricsSchema(parameter.schema) : parameter.schema,
    ...(parameter.example !== null && { example: exampleOf(parameter.schema, parameter.example) }),
  }))
}

const exampleOf = (schema: JsonSchema, example: string): unknown => {
  if (schema.type === 'integer') return Number(example)
  if (schema.type !== 'array') return example
  return example.split(',').map((one) => exampleOf(schema.items as JsonSchema, one))
}

function frameOf(described: Description): Json[] {
  const { flat } = described
  const dataset = flat ? { ...described, columns: [...described.columns, ...flat.columns] } : described
  const many = dataset.result === 'many' || flat !== null
  const names = ['format', 'fields', ...(many ? ['sort', 'limit', 'cursor'] : [])]
  const bounds = dataset.bounded.flatMap(({ name }) => [`min_${name}`, `max_${name}`])
  const offered = flat?.formats ?? dataset.formats
  return [...names, ...bounds]
    .filter((name) => name !== 'fields' || !dataset.parts)
    .map((name) => {
      if (name === 'format' && offered.join() !== tabular.join()) {
        return { ...sharedParameters.format, schema: { type: 'string', enum: offered } }
      }
      if (name === 'fields') return { ...listParameters.fields, schema: fieldsSchema(dataset) }
      if (name === 'sort') return { ...listParameters.sort, schema: sortSchema(dataset) }
      if (name === 'limit' && dataset.limit) {
        const schema = {
          type: 'integer',
          minimum: 1,
          maximum: dataset.limit.most,
          default: dataset.limit.default,
        }
        return { ...sharedParameters.limit, schema }
      }
      return reference('parameters', name)
    })
}

/** Parameters that are the same for most datasets, which refer to them. */
export const sharedParameters = {
  format: {
    name: 'format',
    in: 'query',
    description: `Format of the answer; beats \`Accept\`. ${tabular
      .map((name) => [name, formats[name]] as const)
      .map(([name, { doc }]) => `\`${name}\`: ${doc}`)
      .join(' ')}`,
    schema: { type: 'string', enum: tabular },
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

const listParameters = {
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
} as const

export const boundParameter = (side: 'min' | 'max', column: ColumnDescription): Json => ({
  name: `${side}_${column.name}`,
  in: 'query',
  description: `${side === 'min' ? 'Least' : 'Greatest'} ${column.label}, inclusive${column.unit ? `, in ${column.unit}` : ''}. A null never matches.`,
  schema: { type: 'number' },
})

/** The operation of a dataset that is in the catalog and not served. */
export const notServed = (entry: CatalogEntry): Json => ({
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
  responses: {
    ...Object.fromEntries(
      [...unreadableStatuses, ...refusedStatuses].map((status) => [
        status,
        reference('responses', responseName(status)),
      ]),
    ),
    501: {
      description: 'Not served yet.',
      content: { 'application/problem+json': { schema: reference('schemas', 'Problem') } },
    },
  },
})
