/** Every dataset of the catalog as a method of a client: what differs between them, for whatever language. */
import { API_ROOT, type CatalogEntry, catalog } from '../../server/catalog/catalog.ts'
import { type Description, describe, type ParameterDescription } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'

export interface Method {
  readonly key: string
  readonly entry: CatalogEntry
  /** With `/api/v1` and parameters in braces. */
  readonly path: string
  /** A short name beside that of the dataset. */
  readonly alias: string | undefined
  /** Null while the dataset is not served: its parameters are not known then, but for those of the path. */
  readonly described: Description | null
  readonly pathParameters: readonly string[]
  readonly answer: 'table' | 'document' | 'either'
  /** The parameter that makes a document a table. */
  readonly flat: string | undefined
  /** The column of quarters where rows come in their order, so that the rest of a cut answer can be asked for alone. */
  readonly resumes: string | undefined
  /** Names of parameters that every dataset of its kind has. */
  readonly frame: readonly ('fields' | 'sort' | 'limit' | 'cursor')[]
}

export interface Model {
  readonly methods: readonly Method[]
  /** Of each universe, the keys of the metrics that all of its datasets have: some are of a tier. */
  readonly metrics: ReadonlyMap<string, readonly string[]>
}

const aliases: Readonly<Record<string, string>> = {
  'bank-snapshot': 'bank',
  'bank-screener': 'screen',
  'bank-trends': 'trends',
  'screener-panel': 'panel',
}

export async function readModel(): Promise<Model> {
  const datasets = await loadDatasets()
  const metrics = new Map<string, string[]>()
  const methods = catalog.map((entry): Method => {
    const dataset = datasets.get(entry.key)
    const described = dataset ? describe(dataset) : null
    const names = described ? metricNames(described) : []
    if (described && names.length > 0) {
      const known = metrics.get(described.universe) ?? names
      metrics.set(
        described.universe,
        known.filter((name) => names.includes(name)),
      )
    }
    const tabular = described?.formats.includes('arrow') ?? entry.result === 'many'
    const flat = tabular ? undefined : described?.flat?.parameter
    return {
      ...{ key: entry.key, entry, described, flat },
      path: API_ROOT + entry.path,
      alias: aliases[entry.key],
      pathParameters: [...entry.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
      answer: tabular ? 'table' : flat ? 'either' : 'document',
      resumes: described ? resumes(described) : undefined,
      frame: described ? frameOf(described) : [],
    }
  })
  return { methods, metrics }
}

const metricNames = ({ columns }: Description): string[] =>
  columns.filter(({ metric }) => metric).map(({ name }) => name)

/** The metrics that a dataset has beside those of all. */
export function furtherMetrics(described: Description, { metrics }: Pick<Model, 'metrics'>): string[] {
  const common = new Set(metrics.get(described.universe))
  return metricNames(described).filter((name) => !common.has(name))
}

function resumes({ time, order, parameters, result, limit }: Description): string | undefined {
  const whole = result === 'many' && limit === null && parameters.some(({ role }) => role === 'from')
  return whole && time.kind === 'quarter' && order[0] === time.column ? time.column : undefined
}

function frameOf({ parts, result, flat }: Description): Method['frame'] {
  if (parts) return []
  return result === 'many' || flat ? ['fields', 'sort', 'limit', 'cursor'] : ['fields']
}

/** What a caller may give for a parameter, in no language's words. */
export type Kind = 'yes' | 'integer' | 'number' | 'moment' | 'metric' | 'text' | readonly string[]

export function kindOf({ schema, role }: ParameterDescription): { kind: Kind; many: boolean } {
  const many = schema.type === 'array'
  const one = (many ? schema.items : schema) as { type?: string; enum?: readonly string[] }
  const kind = (): Kind => {
    if (role === 'metrics') return 'metric'
    if (role && role !== 'quarters') return 'moment'
    if (one.enum?.join() === '1,0,true,false') return 'yes'
    if (one.enum) return one.enum
    return one.type === 'integer' || one.type === 'number' ? one.type : 'text'
  }
  return { kind: kind(), many }
}

/** `bank-peers` as a name in camel case with a capital: `BankPeers`. */
export const pascal = (key: string): string =>
  key.replace(/(^|[-_])(\w)/g, (_, __, letter: string) => letter.toUpperCase())

/** Gives each set of values that is met a name of its own, after the parameter that it is first met in. */
export class Choices {
  readonly named = new Map<string, readonly string[]>()
  readonly #names = new Map<string, string>()

  name(parameter: string, values: readonly string[]): string {
    const id = values.join('\n')
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const base = pascal(parameter)
    let name = base
    for (let number = 2; this.named.has(name); number++) name = `${base}${number}`
    this.named.set(name, values)
    this.#names.set(id, name)
    return name
  }
}
