import type { Readable } from 'node:stream'
import { isTable, settingsOf } from '../../catalog/relations.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Problem } from '../../errors.ts'
import { annotateArrow } from '../../formats/arrow.ts'
import type { Links, Meta } from '../../formats/envelope.ts'
import { closingBytes, envelopeMetadata, opening, openingOfFeatures } from '../../formats/envelope.ts'
import { envelopeRows, envelopeWhole, type Passed } from '../../formats/json.ts'
import { type Format, formats } from '../../formats/names.ts'
import { annotateParquet } from '../../formats/parquet.ts'
import { closingOfFeed, openingOfFeed } from '../../formats/rss.ts'
import { formatSettings } from '../../formats/settings.ts'
import { MOST_SHEET_ROWS, workbook } from '../../formats/xlsx.ts'
import { keysIn } from '../../query/order.ts'
import { refuse } from '../../query/parse.ts'
import type { Keys } from '../../query/place.ts'
import type { Plan, Shape } from '../../query/plan.ts'
import { ONE_BATCH_ROWS } from '../../resident/arrow.ts'
import type { AnswerDeps, Answering, Produced, StepResults } from './answering.ts'
import {
  type Extent,
  factHeaders,
  hasNext,
  linksOf,
  mayBeEmpty,
  metaOf,
  nothingFound,
  pageRows,
  tooManyRows,
  totalHeaders,
} from './facts.ts'
import { countRows, lastOfPage, readBytes, through, whole } from './read.ts'
import { runSteps } from './steps.ts'

/**
 * Answers of so many rows are sorted whole and sent as one Arrow batch, and only those have dictionaries: what later
 * batches add to one is a delta, which polars refuses, while apache-arrow ignores a replacement. The plan's statement
 * then makes one stream of the rows, which these settings leave as one.
 */
const ONE_BATCH = {
  query_plan_enable_multithreading_after_window_functions: 0,
  max_block_size: ONE_BATCH_ROWS,
  optimize_read_in_order: 0,
  output_format_arrow_low_cardinality_as_dictionary: 1,
}

/** A page is one stream once it is chosen, so that its rows may be read in the order of a table. */
const { optimize_read_in_order: _, ...ONE_BATCH_OF_PAGE } = ONE_BATCH

/**
 * Arrow of a table: read and sorted by one thread it is one stream, which costs less than to make it one. And of more
 * rows than a batch: the engine makes as many as it likes, with one thread always the same, as a strong tag promises.
 */
const ONE_THREAD = { max_threads: 1 }

/**
 * Answers with the bytes that ClickHouse writes. Resolves once the engine has begun to answer; rejects where it fails
 * before that.
 */
export async function produceFromEngine(deps: AnswerDeps, answering: Answering): Promise<Produced> {
  const { plan } = answering
  const results = await runSteps(deps, answering)
  // one place for all queries of a request: with one each, requests could deadlock
  const leave = await answering.timing.enter(deps.gate, answering)
  try {
    const headers = factHeaders(answering)
    const respond = plan.query.dataset.result === 'one' ? respondOne : respondMany
    const body = await respond(headers, deps.engine, answering, results)
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
  results: StepResults,
): Promise<Readable> {
  const { plan, format } = answering
  const origin = answering.asking?.origin ?? ''
  // JSON says the total at its end, where it is known without a second query unless a limit cut the rows
  const limited = plan.query.limit !== undefined
  const inEnvelope = format === 'json' || format === 'geojson'
  const total = limited || !inEnvelope ? countRows(engine, answering, results) : undefined
  // what a cursor keeps of the last row is asked for where the row itself does not tell it
  const told = format === 'json' && isTold(plan)
  const extent = total?.then(async (total): Promise<Extent> => {
    return told ? { total } : { total, last: await lastOfPage(engine, answering, results, total) }
  })
  extent?.catch(() => {})
  const dictionary = format === 'arrow' && pageRows(plan, await total!) <= ONE_BATCH.max_block_size
  const body = readBytes(
    engine,
    answering,
    plan.rows({ dictionary, as: shapes[format], extra: { origin, ...results } }),
    {
      format: formats[format].clickhouse,
      streamed: true,
      settings: {
        ...formatSettings[format],
        ...settingsOf(plan.query.dataset.universe, plan.relation),
        ...(dictionary && (plan.query.limit === undefined ? ONE_BATCH : ONE_BATCH_OF_PAGE)),
        ...(format === 'arrow' &&
          (!dictionary || isTable(plan.query.dataset.universe, plan.relation)) &&
          ONE_THREAD),
        ...(inEnvelope && { output_format_json_array_of_rows: 1 }),
      },
    },
  )
  if (inEnvelope) {
    const close = async ({ rows, last }: Passed): Promise<Buffer> => {
      let all = extent ? await extent : { total: rows }
      if (told && hasNext(plan, all.total)) {
        const known = keysOfRow(plan, last())
        all = { ...all, last: known ?? (await lastOfPage(engine, answering, results, all.total)) }
      }
      return closingBytes(metaOf(answering, pageRows(plan, all.total), all.total), linksOf(answering, all))
    }
    return through(await body, envelopeRows(close, format === 'json' ? opening : openingOfFeatures))
  }
  const [stream, all] = await both(body, extent!)
  const count = pageRows(plan, all.total)
  if (count > engine.config.queryRows) {
    stream.destroy()
    throw tooManyRows(count, engine.config.queryRows)
  }
  if (format === 'xlsx' && count > MOST_SHEET_ROWS) {
    stream.destroy()
    throw tooManyForSheet(count)
  }
  Object.assign(headers, totalHeaders(answering, all))
  const meta = metaOf(answering, count, all.total)
  const links = linksOf(answering, all)
  if (format === 'columns')
    return through(
      stream,
      envelopeWhole(() => closingBytes(meta, links)),
    )
  if (format === 'rss') {
    const { name, summary } = plan.query.dataset
    const channel = {
      ...{ title: name, description: summary },
      self: origin + links.self,
      docs: origin + links.docs,
    }
    return through(
      stream,
      envelopeWhole(() => closingOfFeed, openingOfFeed(channel)),
    )
  }
  return annotated(stream, answering, meta, links)
}

/** Whether a row has all that orders it. */
function isTold({ columns, query }: Plan): boolean {
  const names = new Set(columns.map(({ name }) => name))
  return query.order.every(({ column }) => names.has(column))
}

const keysOfRow = ({ query: { dataset, order } }: Plan, row: string | undefined): Keys | undefined =>
  row === undefined ? undefined : keysIn(dataset, order, JSON.parse(row) as Record<string, unknown>)

const shapes: Readonly<Partial<Record<Format, Shape>>> = { geojson: 'features', rss: 'items', xlsx: 'cells' }

/** Answers of one row are small: they are read whole, so that an empty one can still become a 404. */
async function respondOne(
  headers: Produced['headers'],
  engine: Engine,
  answering: Answering,
  results: StepResults,
): Promise<Readable | Buffer> {
  const { plan, format } = answering
  const byBytes = format === 'json' || format === 'ndjson'
  const dictionary = format === 'arrow'
  const read = () =>
    readBytes(engine, answering, plan.rows({ dictionary, as: shapes[format], extra: results }), {
      format: formats[format].clickhouse,
      settings: { ...formatSettings[format], ...(dictionary && ONE_BATCH) },
    })
  const bytes = byBytes ? await whole(await read()) : undefined
  const held = bytes
    ? bytes.length > 0
    : !plan.when.empty && (await countRows(engine, answering, results)) > 0
  if (!held && !mayBeEmpty(plan)) throw nothingFound(answering)
  const rows = held ? 1 : 0
  if (format !== 'json') Object.assign(headers, totalHeaders(answering, { total: rows }))
  const meta = metaOf(answering, rows, rows)
  const links = linksOf(answering, { total: rows })
  if (format === 'columns')
    return through(
      await read(),
      envelopeWhole(() => closingBytes(meta, links)),
    )
  if (!bytes) return annotated(await read(), answering, meta, links)
  if (format === 'ndjson') return bytes
  const row = !held ? Buffer.from('{}') : bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes
  return Buffer.concat([opening, row, closingBytes(meta, links)])
}

/** The stream and the extent; where that fails, the stream must not be left open. */
async function both(body: Promise<Readable>, extent: Promise<Extent>): Promise<[Readable, Extent]> {
  const stream = await body
  try {
    return [stream, await extent]
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** Arrow and Parquet carry the envelope as metadata, a workbook as a sheet; lines of text pass as they are. */
function annotated(stream: Readable, answering: Answering, meta: Meta, links: Links): Readable {
  const { plan, format } = answering
  if (format === 'xlsx') return workbook(stream, meta, links)
  if (format !== 'arrow' && format !== 'parquet') return stream
  const metadata = envelopeMetadata(meta, links)
  if (format === 'parquet') return through(stream, annotateParquet(plan.columns, metadata))
  return through(stream, annotateArrow(plan.columns, metadata))
}

const tooManyForSheet = (rows: number): Problem =>
  refuse([
    {
      parameter: 'format',
      reason: `a worksheet holds ${MOST_SHEET_ROWS.toLocaleString('en-US')} rows below its head, and the answer has ${rows.toLocaleString('en-US')}`,
      allowed: 'parquet or csv; or pages with `limit`, or fewer rows',
    },
  ])
