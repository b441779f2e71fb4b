import { pipeline, type Readable } from 'node:stream'
import type { Workers } from '../../workers/pool.ts'
import { isTable, settingsOf } from '../datasets/relations.ts'
import type { Engine, ReadQuery } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import { annotateArrow } from '../formats/arrow.ts'
import type { Links, Meta } from '../formats/envelope.ts'
import { closing, envelopeMetadata, opening } from '../formats/envelope.ts'
import { envelopeRows, envelopeWhole } from '../formats/json.ts'
import type { Format } from '../formats/names.ts'
import { formats } from '../formats/names.ts'
import { annotateParquet } from '../formats/parquet.ts'
import { formatSettings } from '../formats/settings.ts'
import type { Timing } from '../ops/timing.ts'
import type { Published } from '../published.ts'
import { encodeCursor } from '../query/cursor.ts'
import type { Plan, Statement } from '../query/plan.ts'
import type { Gate } from './gate.ts'

export interface AnswerDeps {
  readonly engine: Engine
  readonly workers: Workers
  readonly gate: Gate
}

/** One request, planned, with where its answer goes. */
export interface Answering {
  readonly plan: Plan
  readonly format: Format
  readonly published: Published
  readonly signal: AbortSignal
  /** Whose request it is, for the limits of each client. */
  readonly client: string
  readonly timing: Timing
}

type Extra = Readonly<Record<string, unknown>>

/**
 * Answers of so many rows are sorted whole and sent as one Arrow batch, and only those have dictionaries: what later
 * batches add to one is a delta, which polars refuses, while apache-arrow ignores a replacement. The plan's statement
 * then makes one stream of the rows, which these settings leave as one.
 */
const ONE_BATCH = {
  query_plan_enable_multithreading_after_window_functions: 0,
  max_block_size: 65_409,
  optimize_read_in_order: 0,
  output_format_arrow_low_cardinality_as_dictionary: 1,
}

/**
 * Arrow of a table: read and sorted by one thread it is one stream, which costs less than to make it one. And of more
 * rows than a batch: the engine makes as many as it likes, with one thread always the same, as a strong tag promises.
 */
const ONE_THREAD = { max_threads: 1 }

/** A finished or streamed answer before it meets a client: what a cache can keep and several clients can get. */
export interface Produced {
  /** Names in lower case. Those of the transfer (length, encoding, ETag) are not among them. */
  readonly headers: Record<string, string>
  readonly body: Readable | Buffer
}

/** Runs the plan: rejects while nothing is known of the answer, resolves once the engine has begun to answer. */
export async function produce(deps: AnswerDeps, answering: Answering): Promise<Produced> {
  const { plan, format } = answering
  const extra = await runSteps(deps, answering)
  // one place for all queries of a request: were it one each, requests could wait for each other for ever
  const leave = await answering.timing.enter(deps.gate, answering)
  try {
    const headers = { 'content-type': formats[format].mediaType, ...factHeaders(answering) }
    const respond = plan.query.dataset.result === 'one' ? respondOne : respondMany
    const body = await respond(headers, deps.engine, answering, extra)
    if (Buffer.isBuffer(body)) leave()
    else body.once('close', leave)
    return { headers, body }
  } catch (error) {
    leave()
    throw error
  }
}

async function respondMany(
  headers: Produced['headers'],
  engine: Engine,
  answering: Answering,
  extra: Extra,
): Promise<Readable> {
  const { plan, format } = answering
  // JSON says the total at its end, where it is known without a second query unless a limit cut the rows
  const limited = plan.query.limit !== undefined || plan.query.offset > 0
  const total = limited || format !== 'json' ? countRows(engine, answering, extra) : undefined
  total?.catch(() => {})
  const dictionary = format === 'arrow' && pageRows(plan, await total!) <= ONE_BATCH.max_block_size
  const body = readBytes(engine, answering, plan.rows({ dictionary, extra }), {
    format: formats[format].clickhouse,
    streamed: true,
    settings: {
      ...formatSettings[format],
      ...settingsOf(plan.relation),
      ...(dictionary && ONE_BATCH),
      ...(format === 'arrow' && (!dictionary || isTable(plan.relation)) && ONE_THREAD),
      ...(format === 'json' && { output_format_json_array_of_rows: 1 }),
    },
  })
  if (format === 'json') {
    const close = async (counted: number): Promise<string> => {
      const all = total ? await total : counted
      return closing(metaOf(answering, pageRows(plan, all), all), linksOf(answering, all))
    }
    return through(await body, envelopeRows(close))
  }
  const [stream, all] = await both(body, total!)
  if (pageRows(plan, all) > engine.config.queryRows) {
    stream.destroy()
    throw tooManyRows(pageRows(plan, all), engine.config.queryRows)
  }
  Object.assign(headers, totalHeaders(answering, all))
  const meta = metaOf(answering, pageRows(plan, all), all)
  const links = linksOf(answering, all)
  if (format === 'columns')
    return through(
      stream,
      envelopeWhole(() => closing(meta, links)),
    )
  return annotated(stream, answering, meta, links)
}

/** Answers of one row are small: the bytes are had whole, so that no row can still be a 404. */
async function respondOne(
  headers: Produced['headers'],
  engine: Engine,
  answering: Answering,
  extra: Extra,
): Promise<Readable | Buffer> {
  const { plan, format } = answering
  const byBytes = format === 'json' || format === 'ndjson'
  if (!byBytes && (await countRows(engine, answering, extra)) === 0) throw nothingFound(answering)
  if (format !== 'json') Object.assign(headers, totalHeaders(answering, 1))
  const dictionary = format === 'arrow'
  const stream = await readBytes(engine, answering, plan.rows({ dictionary, extra }), {
    format: formats[format].clickhouse,
    settings: { ...formatSettings[format], ...(dictionary && ONE_BATCH) },
  })
  const meta = metaOf(answering, 1, 1)
  const links = linksOf(answering, 1)
  if (format === 'columns')
    return through(
      stream,
      envelopeWhole(() => closing(meta, links)),
    )
  if (!byBytes) return annotated(stream, answering, meta, links)
  const bytes = await whole(stream)
  if (bytes.length === 0) throw nothingFound(answering)
  if (format === 'ndjson') return bytes
  const row = bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes
  return Buffer.concat([opening, row, Buffer.from(closing(meta, links))])
}

/** The stream and the total; where the total fails, the stream must not be left open. */
async function both(body: Promise<Readable>, total: Promise<number>): Promise<[Readable, number]> {
  const stream = await body
  try {
    return [stream, await total]
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** Arrow and Parquet carry the envelope as metadata; lines of text pass as they are. */
function annotated(stream: Readable, answering: Answering, meta: Meta, links: Links): Readable {
  const { plan, format } = answering
  if (format !== 'arrow' && format !== 'parquet') return stream
  const metadata = envelopeMetadata(meta, links)
  if (format === 'parquet') return through(stream, annotateParquet(plan.columns, metadata))
  return through(stream, annotateArrow(plan.columns, metadata))
}

/** The steps of the plan, one after the other; their results are bound by name. */
export async function runSteps(deps: AnswerDeps, answering: Answering): Promise<Extra> {
  const { plan, published, signal } = answering
  const parameters = { ...Object.fromEntries(plan.query.values), ...plan.when.params }
  let extra: Extra = {}
  for (const { step, read } of plan.steps) {
    const result =
      'count' in step
        ? step.count(await published.resident.quarter(), { ...parameters, ...extra })
        : await deps.workers.step<Record<string, unknown>>({
            task: step.task,
            key: JSON.stringify([published.publication.database, read]),
            read: () => readShared(deps, answering, read!),
            parameters,
            signal,
          })
    for (const name of Object.keys(step.binds)) {
      if (result[name] === undefined)
        throw new Error(`a step of ${plan.query.dataset.key} did not return ${name}`)
    }
    extra = { ...extra, ...result }
  }
  return extra
}

/** What a step reads: other requests wait for the same bytes, so no single one cancels it. */
async function readShared(
  { engine, gate }: AnswerDeps,
  answering: Answering,
  read: Statement,
): Promise<Buffer> {
  const { timing, published } = answering
  const leave = await timing.enter(gate)
  try {
    const { database } = published.publication
    return await whole(
      (await timing.read(engine, { ...read, database, format: 'JSONCompactColumns' })).stream,
    )
  } finally {
    leave()
  }
}

/** Rows without limit and cursor. */
async function countRows(engine: Engine, answering: Answering, extra: Extra): Promise<number> {
  const { total } = answering.plan
  if (total !== undefined) return total
  const stream = await readBytes(engine, answering, answering.plan.count(extra), { format: 'TabSeparated' })
  return Number((await whole(stream)).toString())
}

async function readBytes(
  engine: Engine,
  { published, signal, timing }: Answering,
  statement: Statement,
  how: Pick<ReadQuery, 'format' | 'settings' | 'streamed'>,
): Promise<Readable> {
  const { database } = published.publication
  return (await timing.read(engine, { ...statement, ...how, database, signal })).stream
}

/** A failure on either side ends both; Fastify cuts the connection where the answer has begun. */
function through(source: Readable, transform: NodeJS.ReadWriteStream): Readable {
  return pipeline(source, transform, () => {}) as unknown as Readable
}

export async function whole(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function tooManyRows(rows: number, most: number): Problem {
  return new Problem(
    'query-too-large',
    `the answer would have ${rows} rows, at most ${most} are given at once: ask for pages with limit, or for less`,
  )
}

export function nothingFound({ plan }: Answering): Problem {
  const named = plan.query.dataset.pathParameters.map((name) => {
    const noun = plan.query.dataset.parameters[name]?.noun ?? name
    return `${noun} “${plan.query.values.get(name)}”`
  })
  const when = plan.when.asOf === null ? '' : ` as of ${plan.when.asOf}`
  return new Problem('not-found', `nothing is held for ${named.join(', ') || 'this request'}${when}`)
}

/** Rows of this page. */
function pageRows({ query }: Plan, total: number): number {
  return Math.max(0, Math.min(query.limit ?? Number.POSITIVE_INFINITY, total - query.offset))
}

/** The facts of an answer of so many rows, which its timing takes down too. */
export function metaOf({ plan, published, timing }: Answering, count: number, total: number): Meta {
  timing.rows = count
  const { dataset, limit } = plan.query
  return {
    dataset: dataset.key,
    as_of: plan.when.asOf,
    data_version: published.publication.dataVersion,
    synthetic: published.publication.synthetic,
    sources: dataset.sources,
    count,
    total,
    limit: limit ?? null,
    columns: plan.columns,
  }
}

export function linksOf(answering: Answering, total: number): Links {
  const { query } = answering.plan
  return { self: selfOf(answering), next: nextOf(answering, total), docs: `/docs/${query.dataset.key}` }
}

function selfOf({ plan: { query }, published }: Answering): string {
  const cursor =
    query.offset > 0
      ? `cursor=${encodeCursor(query.offset, `${query.path}?${query.canonical}`, published.publication.dataVersion)}`
      : ''
  const search = [query.canonical, cursor].filter(Boolean).join('&')
  return search === '' ? query.path : `${query.path}?${search}`
}

function nextOf({ plan: { query }, published }: Answering, total: number): string | null {
  if (query.limit === undefined) return null
  const offset = query.offset + query.limit
  if (offset >= total) return null
  const cursor = encodeCursor(offset, `${query.path}?${query.canonical}`, published.publication.dataVersion)
  return `${query.path}?${[query.canonical, `cursor=${cursor}`].filter(Boolean).join('&')}`
}

export function factHeaders({ plan, published }: Answering): Record<string, string> {
  return {
    'x-dataset': plan.query.dataset.key,
    ...(plan.when.asOf !== null && { 'x-as-of': plan.when.asOf }),
    'x-data-version': published.publication.dataVersion,
  }
}

export function totalHeaders(answering: Answering, total: number): Record<string, string> {
  const next = nextOf(answering, total)
  return { 'x-total-count': String(total), ...(next !== null && { link: `<${next}>; rel="next"` }) }
}
