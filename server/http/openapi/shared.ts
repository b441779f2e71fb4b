/** What the answers of all paths have in common: headers, problems, security, the envelope's facts and links. */
import type { Tier } from '../../catalog/catalog.ts'
import { problems } from '../../errors.ts'

export type Json = Record<string, unknown>

export const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** Answers of any path to a request that cannot be read. */
export const unreadableStatuses = [400, 414, 431]

/** And to one that has no leave, or no more of it. */
export const refusedStatuses = [401, 403, 429]

/** Statuses of the problems that a dataset answers with. 405 belongs to other methods, which have no operation here. */
export const servedProblems = [...new Set(Object.values(problems).map(({ status }) => status))].filter(
  (status) => status !== 405 && status !== 501,
)

export const responseName = (status: number): string => `Problem${status}`

export function problemResponses(): Json {
  const byStatus = new Map<number, string[]>()
  for (const [code, { status, title, doc }] of Object.entries(problems)) {
    if (status === 405 || status === 501) continue
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
export const securityOf = (tier: Tier): Json[] =>
  tier === 'Public' ? [{}, { ApiKey: [] }] : [{ ApiKey: [] }]

export const keyScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'bds_<plan letter>_<43 characters>',
  description:
    'An API key. Public data needs none; Free needs a key of any plan, Premium one of the premium plan. `/docs/access` says how much each may ask.',
} as const

export const headers = {
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
export const rateHeaders = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

export function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
}

export const problemSchema = {
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

export const metaSchema = {
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
    left_out: {
      type: 'array',
      description: 'Parts of a composite that are null as your plan does not read them, and why.',
      items: {
        type: 'object',
        required: ['part', 'dataset', 'reason'],
        properties: { part: { type: 'string' }, dataset: { type: 'string' }, reason: { type: 'string' } },
      },
    },
    incomplete: {
      type: 'array',
      description:
        'Quarters of the answer whose files were not all there when they were loaded: what those would tell is null.',
      items: {
        type: 'object',
        required: ['source', 'report_date', 'lacks'],
        properties: {
          source: { type: 'string' },
          report_date: { type: 'string', format: 'date' },
          lacks: { type: 'array', items: { type: 'string' }, description: 'Names of the files.' },
        },
      },
    },
    units: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const

export const linksSchema = {
  type: 'object',
  required: ['self', 'next', 'docs'],
  properties: {
    self: { type: 'string', description: 'Canonical address of this answer.' },
    next: { type: ['string', 'null'], description: 'The next page.' },
    docs: { type: 'string' },
  },
} as const
