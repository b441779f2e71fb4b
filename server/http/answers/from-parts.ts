import type { Dataset } from '../../catalog/define.ts'
import { closingBytes } from '../../formats/envelope.ts'
import { formatSettings } from '../../formats/settings.ts'
import { parse } from '../../query/parse.ts'
import type { Plan } from '../../query/plan.ts'
import { plan } from '../../query/plan.ts'
import type { Query } from '../../query/query.ts'
import { TableLost } from '../../resident/table.ts'
import type { AnswerDeps, Answering, Produced, StepResults } from './answering.ts'
import { factHeaders, linksOf, metaOf } from './facts.ts'
import { dataFromMemory, rememberedOf } from './from-memory.ts'
import { readBytes, whole } from './read.ts'
import { runSteps } from './steps.ts'

export interface CompositeDeps extends AnswerDeps {
  /** The served datasets, of which the parts are. */
  readonly datasets: ReadonlyMap<string, Dataset>
}

/**
 * A composite: `data` holds the `data` of other datasets under names. Parameters of equal name are passed on; a
 * part of one row that nothing is held for is null, and so is one that who asks does not read.
 */
export async function produceFromParts(deps: CompositeDeps, answering: Answering): Promise<Produced> {
  const absent = new Set(answering.leftOut.map(({ part }) => part))
  const parts = planParts(answering, deps)
  // before the gate: the steps of a part pass it by themselves
  const prepared: { name: string; data: Buffer | (() => Promise<Buffer>) }[] = []
  for (const [name, plan] of parts)
    prepared.push({ name, data: absent.has(name) ? NULL : await prepare(deps, { ...answering, plan }) })
  const chunks: Buffer[] = []
  const leave = await answering.timing.enter(deps.gate, answering)
  try {
    for (const { name, data } of prepared) {
      chunks.push(Buffer.from(`${chunks.length === 0 ? '{"data":{' : ','}${JSON.stringify(name)}:`))
      chunks.push(Buffer.isBuffer(data) ? data : await data())
    }
  } finally {
    leave()
  }
  chunks.push(Buffer.from('}'), closingBytes(metaOf(answering, 1, 1), linksOf(answering, { total: 1 })))
  const headers = factHeaders(answering)
  return { headers, body: Buffer.concat(chunks) }
}

/** Plans every part before anything is asked, so that a bad value is refused whole. */
function planParts({ plan: { query, when }, published }: Answering, deps: CompositeDeps): Map<string, Plan> {
  const parts = new Map<string, Plan>()
  for (const [name, { dataset: key, query: fixed }] of Object.entries(query.dataset.parts ?? {})) {
    const dataset = deps.datasets.get(key)
    if (!dataset) throw new Error(`part ${name} of ${query.dataset.key}: ${key} is not served`)
    if (dataset.scope === 'client' && query.dataset.scope !== 'client')
      throw new Error(`part ${name} of ${query.dataset.key}: ${key} belongs to a key, and the whole does not`)
    const texts: Record<string, string> = Object.fromEntries(new URLSearchParams(fixed))
    for (const parameter of Object.keys(dataset.parameters)) {
      const text = textOf(query, parameter)
      if (text !== undefined) texts[parameter] = text
    }
    // every part looks from the same quarter
    if (dataset.parameters.as_of && when.asOf !== null) texts.as_of = when.asOf
    const path: Record<string, string> = {}
    for (const parameter of dataset.pathParameters) {
      path[parameter] = texts[parameter] ?? ''
      delete texts[parameter]
    }
    parts.set(name, plan(parse(dataset, path, texts, published.publication.dataVersion), published.coverage))
  }
  return parts
}

function textOf({ dataset, values }: Query, name: string): string | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  return dataset.parameters[name]?.canonical?.(value) ?? String(value)
}

const NULL = Buffer.from('null')

/** The data of a part where memory has it, else what asks the engine for it, after its steps. */
async function prepare(deps: AnswerDeps, answering: Answering): Promise<Buffer | (() => Promise<Buffer>)> {
  const { plan, published } = answering
  const remembered = rememberedOf(plan, 'json', published)
  try {
    if (remembered) return (await dataFromMemory(deps, answering, remembered)) ?? NULL
  } catch (error) {
    if (!(error instanceof TableLost)) throw error
  }
  const results = await runSteps(deps, answering)
  return () => dataOf(deps, answering, results)
}

async function dataOf(deps: AnswerDeps, answering: Answering, results: StepResults): Promise<Buffer> {
  const { plan } = answering
  const many = plan.query.dataset.result === 'many'
  const stream = await readBytes(deps.engine, answering, plan.rows({ extra: results }), {
    format: 'JSONEachRow',
    settings: { ...formatSettings.json, ...(many && { output_format_json_array_of_rows: 1 }) },
  })
  const bytes = await whole(stream)
  return bytes.length === 0 ? NULL : bytes
}
