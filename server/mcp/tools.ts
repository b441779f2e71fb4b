/** What a model may ask this server through the Model Context Protocol: five tools over the same API, keys and limits. */
import { z } from 'zod'
import { API_ROOT, catalog, catalogEntry, likelyKey } from '../catalog/catalog.ts'

/** The answer of the API to a path with its query. */
export interface Answer {
  readonly status: number
  readonly body: string
}
export type Ask = (path: string) => Promise<Answer>

/** What is wrong with a call: the model reads the message and tries again. */
export class ToolFault extends Error {}

export interface Tool {
  readonly description: string
  readonly input: Readonly<Record<string, z.ZodType>>
  run(input: never, ask: Ask): Promise<string>
}

const MOST_ROWS = 200
const ROWS = 20
const words = z.string().min(1).max(100)

/** The directories of institutions: the columns that tell one from another. */
const directories = {
  bank: { path: '/banks/', fields: 'rssd_id,legal_name,city,hq_state,active,total_assets' },
  credit_union: { path: '/cus/', fields: 'cu_number,legal_name,city,state,active,total_assets' },
  holding_company: {
    path: '/holding-companies/',
    fields: 'rssd_id,legal_name,city,hq_state,active,total_assets',
  },
} as const
const kinds = Object.keys(directories) as (keyof typeof directories)[]

interface Described {
  readonly name: string
  readonly label: string
  readonly unit: string | null
  readonly meaning: string | null
  readonly metric: boolean
}

const universe = z.enum(kinds).optional().describe('whose metric; default bank')
const number = z.coerce.number().int().positive()
const scalar = z.union([z.string().max(2000), z.number(), z.boolean()])

export const tools: Readonly<Record<string, Tool>> = {
  find_institution: {
    description:
      'Finds US banks, credit unions and holding companies by words of name or city, the largest first. Gives the number that the other tools take: rssd_id, or cu_number of a credit union.',
    input: { name: words.describe('words that must all occur'), kind: z.enum(kinds).optional() },
    async run({ name, kind }: { name: string; kind?: keyof typeof directories }, ask) {
      const found = await Promise.all(
        (kind ? [kind] : kinds).map(async (one) => {
          const { path, fields } = directories[one]
          const query = new URLSearchParams({ q: name, fields, sort: '-total_assets', limit: '5' })
          const { data, meta } = await read(ask, `${path}?${query}`)
          return [one, { found: meta.total, largest: data }] as const
        }),
      )
      return JSON.stringify(Object.fromEntries(found))
    },
  },
  find_data: {
    description:
      'Finds datasets and metrics by words that must all occur in key, name or description, such as "charge-offs" or "trends". Without words: every dataset by key.',
    input: { words: words.optional() },
    async run({ words: q }: { words?: string }, ask) {
      if (q === undefined) return JSON.stringify(catalog.map(({ key, name, tier }) => ({ key, name, tier })))
      const [datasets, metrics] = await Promise.all([
        read(ask, `/datasets/?${new URLSearchParams({ q, fields: 'key,name,tier,summary', limit: '15' })}`),
        read(
          ask,
          `/reference/metrics/?${new URLSearchParams({ q, fields: 'key,label,unit,universe', limit: '30' })}`,
        ),
      ])
      return JSON.stringify({ datasets: datasets.data, metrics: metrics.data })
    },
  },
  describe: {
    description:
      'Describes one dataset (what a row is, parameters, columns, examples) or one metric (definition, unit, formula, items, distribution over all institutions), by key. A metric is one of banks unless `universe` says whose.',
    input: { dataset: words.optional(), metric: words.optional(), universe },
    async run({ dataset, metric, universe }: { dataset?: string; metric?: string; universe?: string }, ask) {
      if ((dataset === undefined) === (metric === undefined))
        throw new ToolFault('give one of `dataset` and `metric`')
      if (metric !== undefined) return text(ask, metricPath(metric, { universe }))
      entryOf(dataset!)
      const fields = 'key,tier,path,summary,notes,parameters,columns,examples'
      const { data } = await read(ask, `/datasets/${encodeURIComponent(dataset!)}/?fields=${fields}`)
      const { columns, ...rest } = data as { columns: Described[] }
      // some hundreds of names that find_data finds
      const metrics = columns.filter(({ metric }) => metric).length
      return JSON.stringify({
        ...rest,
        columns: columns
          .filter(({ metric }) => !metric)
          .map(({ name, unit, meaning, label }) => ({ name, unit, meaning: meaning ?? label })),
        ...(metrics > 0 && { metrics: `${metrics} metrics besides, as far as chosen: find_data finds them` }),
      })
    },
  },
  query: {
    description: `Reads a dataset. Parameters are those of \`describe\`, those of its path among them (rssd_id=852218), and fields, sort (-total_assets), min_<column>, max_<column>, metrics (several by comma) where it takes them. At most ${MOST_ROWS} rows, ${ROWS} without limit; \`all\` is the address of the whole. Amounts are thousands of US dollars and ratios percent, as \`meta.units\` says; quarters are 2025Q4.`,
    input: {
      dataset: words,
      parameters: z.record(z.string().max(100), scalar).optional(),
      limit: z.number().int().min(1).max(MOST_ROWS).optional(),
    },
    async run(
      {
        dataset,
        parameters = {},
        limit = ROWS,
      }: { dataset: string; parameters?: Record<string, string | number | boolean>; limit?: number },
      ask,
    ) {
      const entry = entryOf(dataset)
      const rest = new Map(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
      const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = rest.get(name)
        if (value === undefined) throw new ToolFault(`\`${dataset}\` needs the parameter \`${name}\``)
        rest.delete(name)
        return encodeURIComponent(value)
      })
      for (const own of ['format', 'limit', 'cursor']) rest.delete(own)
      const whole = new URLSearchParams([...rest]).toString()
      if (entry.result === 'many') rest.set('limit', String(limit))
      const { data, meta } = await read(ask, `${path}?${new URLSearchParams([...rest])}`)
      return JSON.stringify({ data, meta, all: `${API_ROOT}${path}${whole && `?${whole}`}` })
    },
  },
  trace_figure: {
    description:
      'Follows a figure of a bank, credit union or holding company down to what it filed: the formula of the metric, each metric, concept and item that it rests on, with their values in their quarters.',
    input: {
      metric: words.describe('key of a metric, or of banks code of a UBPR concept such as UBPRE013'),
      universe,
      rssd_id: number.optional().describe('of a bank or holding company'),
      cu_number: number.optional().describe('of a credit union'),
      as_of: z.string().max(20).optional().describe('quarter, such as 2025Q4; default the latest'),
    },
    async run({ metric, ...asked }: { metric: string; rssd_id?: number; cu_number?: number }, ask) {
      if ((asked.rssd_id === undefined) === (asked.cu_number === undefined))
        throw new ToolFault('give one of `rssd_id` and `cu_number`')
      const own = asked.cu_number === undefined ? {} : { universe: 'credit_union' }
      return text(ask, metricPath(metric, { ...own, ...asked }))
    },
  },
}

/** The address of a metric with what is asked of it. */
function metricPath(metric: string, asked: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))
  return `/reference/metrics/${encodeURIComponent(metric)}/${given.length > 0 ? `?${query}` : ''}`
}

function entryOf(key: string) {
  const entry = catalogEntry(key)
  if (entry) return entry
  const likely = likelyKey(key)
  throw new ToolFault(
    `there is no dataset \`${key}\`${likely ? `; did you mean \`${likely}\`?` : ''} find_data lists them`,
  )
}

async function text(ask: Ask, path: string): Promise<string> {
  const { status, body } = await ask(API_ROOT + path)
  if (status >= 400) throw new ToolFault(problemText(body))
  return body
}

const read = async (ask: Ask, path: string): Promise<{ data: unknown; meta: { total: number } }> =>
  JSON.parse(await text(ask, path))

/** What a problem document says, with what would be allowed. */
function problemText(body: string): string {
  const { code, detail, errors = [] } = JSON.parse(body)
  const told = errors.map(
    (one: { parameter: string; reason: string; did_you_mean?: string }) =>
      `${one.parameter}: ${one.reason}${one.did_you_mean ? ` (did you mean ${one.did_you_mean}?)` : ''}`,
  )
  return [code, detail, ...told].join('; ')
}
