import { closing } from '../formats/envelope.ts'
import { formats } from '../formats/names.ts'
import { formatSettings } from '../formats/settings.ts'
import { parse } from '../query/parse.ts'
import type { Plan } from '../query/plan.ts'
import { plan } from '../query/plan.ts'
import type { Query } from '../query/query.ts'
import type { AnswerDeps, Answering, Produced } from './answer.ts'
import { factHeaders, linksOf, metaOf, runSteps, whole } from './answer.ts'
import type { RouteDeps } from './routes.ts'

/**
 * A composite: `data` holds the `data` of other datasets under names. Parameters of equal name are passed on; a
 * part of one row that nothing is held for is null.
 */
export async function produceComposite(deps: RouteDeps, answering: Answering): Promise<Produced> {
  const parts = planParts(answering, deps)
  // before the gate: the steps of a part pass it by themselves
  const planned: { name: string; part: Plan; extra: Readonly<Record<string, unknown>> }[] = []
  for (const [name, part] of parts) {
    planned.push({ name, part, extra: await runSteps(deps, { ...answering, plan: part }) })
  }
  const chunks: Buffer[] = []
  const leave = await answering.timing.enter(deps.gate, answering)
  try {
    for (const { name, part, extra } of planned) {
      chunks.push(Buffer.from(`${chunks.length === 0 ? '{"data":{' : ','}${JSON.stringify(name)}:`))
      chunks.push(await dataOf(deps, answering, part, extra))
    }
  } finally {
    leave()
  }
  chunks.push(Buffer.from(`}${closing(metaOf(answering, 1, 1), linksOf(answering, 1))}`))
  const headers = { 'content-type': formats.json.mediaType, ...factHeaders(answering) }
  return { headers, body: Buffer.concat(chunks) }
}

/** Plans every part before anything is asked, so that a bad value is refused whole. */
function planParts({ plan: { query, when }, published }: Answering, deps: RouteDeps): Map<string, Plan> {
  const parts = new Map<string, Plan>()
  for (const [name, { dataset: key, query: fixed }] of Object.entries(query.dataset.parts ?? {})) {
    const dataset = deps.datasets.get(key)
    if (!dataset) throw new Error(`part ${name} of ${query.dataset.key}: ${key} is not served`)
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
    parts.set(name, plan(parse(dataset, path, texts, published.publication.dataVersion), published.holdings))
  }
  return parts
}

function textOf({ dataset, values }: Query, name: string): string | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  return dataset.parameters[name]?.canonical?.(value) ?? String(value)
}

async function dataOf(
  deps: AnswerDeps,
  answering: Answering,
  part: Plan,
  extra: Readonly<Record<string, unknown>>,
): Promise<Buffer> {
  const many = part.query.dataset.result === 'many'
  const { stream } = await answering.timing.read(deps.engine, {
    ...part.rows({ extra }),
    database: answering.published.publication.database,
    format: 'JSONEachRow',
    settings: { ...formatSettings.json, ...(many && { output_format_json_array_of_rows: 1 }) },
    signal: answering.signal,
  })
  const bytes = await whole(stream)
  return bytes.length === 0 ? Buffer.from('null') : bytes
}
