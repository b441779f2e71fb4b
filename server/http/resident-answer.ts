import { Readable } from 'node:stream'
import { closing, opening } from '../formats/envelope.ts'
import type { Format } from '../formats/names.ts'
import { formats } from '../formats/names.ts'
import { choose } from '../resident/choose.ts'
import { columnArrays, rowObjects } from '../resident/json.ts'
import type { Held } from '../resident/resident.ts'
import type { Answering, Produced } from './answer.ts'
import { factHeaders, linksOf, metaOf, nothingFound, totalHeaders } from './answer.ts'

/** Answers up to this size are had whole, longer ones are streamed. */
const LONGEST_WHOLE = 1024 * 1024

/** The resident table that answers a request, if one does; its bytes are those that the engine would write. */
export function residentOf({ plan: { selection }, format, published }: Answering): Held | undefined {
  return selection && writers[format] && published.resident.holding(selection)
}

/** What `produce` does, out of the server's memory: no query, and no turn to wait for. */
export async function produceResident(answering: Answering, { key, table: read }: Held): Promise<Produced> {
  const { plan, format } = answering
  const table = await read()
  const { rows, total } = choose(table, key, plan.selection!)
  const one = plan.query.dataset.result === 'one'
  if (one && rows.length === 0) throw nothingFound(answering)
  const all = one ? 1 : total
  const names = plan.columns.map(({ name }) => name)
  const end = closing(metaOf(answering, rows.length, all), linksOf(answering, all))
  const headers = {
    'content-type': formats[format].mediaType,
    ...factHeaders(answering),
    ...(format !== 'json' && totalHeaders(answering, all)),
  }
  return { headers, body: bodyOf(writers[format]!({ table, names, rows, one, end })) }
}

interface Writing {
  readonly table: Parameters<typeof rowObjects>[0]
  readonly names: readonly string[]
  readonly rows: Uint32Array
  readonly one: boolean
  /** The envelope's end. */
  readonly end: string
}

/** The formats that are written here. */
const writers: Readonly<Partial<Record<Format, (writing: Writing) => Generator<Buffer>>>> = {
  *json({ table, names, rows, one, end }) {
    yield opening
    yield* rowObjects(table, names, rows, one ? 'object' : 'array')
    yield Buffer.from(end)
  },
  *columns({ table, names, rows, end }) {
    yield opening
    yield* columnArrays(table, names, rows)
    yield Buffer.from(end)
  },
  ndjson: ({ table, names, rows }) => rowObjects(table, names, rows, 'lines'),
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
