import { Readable } from 'node:stream'
import type { Column } from '../datasets/columns.ts'
import { closing, envelopeMetadata, type Links, type Meta, opening } from '../formats/envelope.ts'
import type { Format } from '../formats/names.ts'
import { formats } from '../formats/names.ts'
import type { Published } from '../published.ts'
import type { Plan } from '../query/plan.ts'
import { arrowStream, hasArrow } from '../resident/arrow.ts'
import { choose } from '../resident/choose.ts'
import type { Held } from '../resident/resident.ts'
import type { ResidentTable } from '../resident/table.ts'
import { columnTexts, rowTexts } from '../resident/text.ts'
import type { Answering, Produced } from './answer.ts'
import { factHeaders, linksOf, metaOf, nothingFound, totalHeaders } from './answer.ts'

/** Answers up to this size are had whole, longer ones are streamed. */
const LONGEST_WHOLE = 1024 * 1024

/**
 * The resident table that answers a request, if one does; its bytes are those that the engine would write, but for
 * Arrow, where only schema and values are.
 */
export function residentOf({ selection }: Plan, format: Format, published: Published): Held | undefined {
  if (!selection || !writers[format] || (format === 'arrow' && !hasArrow(selection.columns))) return undefined
  return published.resident.holding(selection)
}

/** What `produce` does, out of the server's memory: no query, and no turn to wait for. */
export async function produceResident(answering: Answering, { key, table: read }: Held): Promise<Produced> {
  const { plan, format } = answering
  const table = await read()
  const { rows, total } = choose(table, key, plan.selection!)
  const one = plan.query.dataset.result === 'one'
  if (one && rows.length === 0) throw nothingFound(answering)
  const all = one ? 1 : total
  const meta = metaOf(answering, rows.length, all)
  const links = linksOf(answering, all)
  const headers = {
    'content-type': formats[format].mediaType,
    ...factHeaders(answering),
    ...(format !== 'json' && totalHeaders(answering, all)),
  }
  return { headers, body: bodyOf(writers[format]!({ table, columns: plan.columns, rows, one, meta, links })) }
}

interface Writing {
  readonly table: ResidentTable
  readonly columns: readonly Column[]
  readonly rows: Uint32Array
  readonly one: boolean
  readonly meta: Meta
  readonly links: Links
}

/** The formats that are written here. */
const writers: Readonly<Partial<Record<Format, (writing: Writing) => Generator<Buffer>>>> = {
  *json({ table, columns, rows, one, meta, links }) {
    yield opening
    yield* rowTexts(table, columns, rows, one ? 'object' : 'array')
    yield Buffer.from(closing(meta, links))
  },
  *columns({ table, columns, rows, meta, links }) {
    yield opening
    yield* columnTexts(table, columns, rows)
    yield Buffer.from(closing(meta, links))
  },
  ndjson: ({ table, columns, rows }) => rowTexts(table, columns, rows, 'lines'),
  *arrow({ table, columns, rows, meta, links }) {
    yield arrowStream(table, columns, rows, envelopeMetadata(meta, links))
  },
  csv: ({ table, columns, rows }) => rowTexts(table, columns, rows, 'csv'),
}

function bodyOf(chunks: Generator<Buffer>): Buffer | Readable {
  const first: Buffer[] = []
  for (let size = 0; size <= LONGEST_WHOLE; ) {
    const { value, done } = chunks.next()
    if (done) return Buffer.concat(first)
    first.push(value)
    size += value.length
  }
  return Readable.from(
    (function* () {
      yield* first
      yield* chunks
    })(),
    { objectMode: false },
  )
}
