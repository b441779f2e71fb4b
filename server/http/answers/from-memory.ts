import { Readable } from 'node:stream'
import type { Column } from '../../catalog/columns.ts'
import { closing, envelopeMetadata, type Links, type Meta, opening } from '../../formats/envelope.ts'
import type { Format } from '../../formats/names.ts'
import type { Published } from '../../published.ts'
import type { Keys } from '../../query/place.ts'
import type { Plan } from '../../query/plan.ts'
import type { Selection, SortKey } from '../../query/selection.ts'
import { arrowOf, hasArrow } from '../../resident/arrow.ts'
import { choose } from '../../resident/choose.ts'
import { countedTable } from '../../resident/counted.ts'
import { kindOf, type ResidentTable } from '../../resident/table.ts'
import { columnTexts, type Room, rowTexts } from '../../resident/text.ts'
import type { AnswerDeps, Answering, Produced } from './answering.ts'
import {
  type Extent,
  factHeaders,
  hasNext,
  linksOf,
  mayBeEmpty,
  metaOf,
  nothingFound,
  totalHeaders,
} from './facts.ts'
import { runSteps, valuesOf } from './steps.ts'

/** Longest answer in bytes that is built as one buffer; longer ones are streamed. */
export const LONGEST_WHOLE = 1024 * 1024

/** A plan that the server's memory answers. */
export interface Remembered {
  readonly selection: Selection
  /** The column of numbers that the table is in the order of, where there is one. */
  readonly key: string | undefined
  /** Whether no query comes before it. */
  readonly atHand: boolean
  readonly table: (deps: AnswerDeps, answering: Answering) => Promise<ResidentTable>
}

/**
 * How the server's memory can answer a request, if it can: out of a resident table, or by rows counted over one. The bytes
 * are those that the engine would write; in Arrow only schema and values are the same.
 */
export function rememberedOf(
  { selection, counted, query, steps }: Plan,
  format: Format,
  { resident }: Published,
): Remembered | undefined {
  const asked = selection ?? counted
  if (!asked || !writers[format] || (format === 'arrow' && !hasArrow(asked.columns))) return undefined
  if (selection) {
    const held = resident.holding(selection)
    if (held?.passing && format === 'arrow') return undefined
    return held && { selection, key: held.key, atHand: true, table: held.table }
  }
  const { counted: count, allColumns } = query.dataset
  // texts are in the order of their bytes, which the engine knows
  const byText = ({ column: name }: SortKey) => {
    const column = allColumns.get(name)
    return column !== undefined && kindOf(column.type) === 'text'
  }
  if (asked.order.some(byText)) return undefined
  return {
    selection: asked,
    key: undefined,
    atHand: steps.length === 0,
    async table(deps, answering) {
      const values = { ...valuesOf(answering.plan), ...(await runSteps(deps, answering)) }
      return countedTable(count!(await resident.quarter(), values), allColumns)
    },
  }
}

/** Answers out of the server's memory: without queueing for a query but by a step. */
export async function produceFromMemory(
  deps: AnswerDeps,
  answering: Answering,
  remembered: Remembered,
): Promise<Produced> {
  const { plan, format } = answering
  const { table, columns, rows, total, one } = await rowsOf(deps, answering, remembered)
  if (one && rows.length === 0 && !mayBeEmpty(plan)) throw nothingFound(answering)
  const all: Extent = one
    ? { total: rows.length }
    : { total, last: hasNext(plan, total) ? lastOf(table, rows, remembered.selection) : undefined }
  const meta = metaOf(answering, rows.length, all.total)
  const links = linksOf(answering, all)
  const headers = factHeaders(answering)
  if (format !== 'json') Object.assign(headers, totalHeaders(answering, all))
  const write = writers[format]!
  const body = bodyOf((room) => write({ table, columns, rows, one, meta, links, room }))
  return { headers, body, atHand: remembered.atHand }
}

/** The `data` of such an answer in JSON; undefined where it is of one row and there is none. */
export async function dataFromMemory(
  deps: AnswerDeps,
  answering: Answering,
  remembered: Remembered,
): Promise<Buffer | undefined> {
  const { table, columns, rows, one } = await rowsOf(deps, answering, remembered)
  if (one && rows.length === 0) return undefined
  return Buffer.concat([...rowTexts(table, columns, rows, one ? 'lines' : 'array')].map(bytesOf))
}

async function rowsOf(deps: AnswerDeps, answering: Answering, { table: read, key, selection }: Remembered) {
  const table = await read(deps, answering)
  const { rows, total } = choose(table, key, selection)
  const { columns, query } = answering.plan
  return { table, columns, rows, total, one: query.dataset.result === 'one' }
}

/** What a cursor keeps of the last of the rows: as the engine spells it, which wrote the table. */
function lastOf(table: ResidentTable, rows: Uint32Array, { order }: Selection): Keys | undefined {
  const last = rows.at(-1)
  if (last === undefined) return undefined
  return order.map(({ column }) => {
    const json = table.column(column).json(last)
    return json === 'null' ? null : json.replaceAll('"', '')
  })
}

interface Writing {
  readonly table: ResidentTable
  readonly columns: readonly Column[]
  readonly rows: Uint32Array
  readonly one: boolean
  readonly meta: Meta
  readonly links: Links
  readonly room: Room
}

type Piece = Buffer | string

export const bytesOf = (piece: Piece): Buffer => (typeof piece === 'string' ? Buffer.from(piece) : piece)

/** The formats that are written here. */
const writers: Readonly<Partial<Record<Format, (writing: Writing) => Generator<Piece>>>> = {
  *json({ table, columns, rows, one, meta, links, room }) {
    yield opening
    yield* rowTexts(table, columns, rows, one ? 'object' : 'array', room)
    yield* closing(meta, links)
  },
  *columns({ table, columns, rows, meta, links, room }) {
    yield opening
    yield* columnTexts(table, columns, rows, room)
    yield* closing(meta, links)
  },
  ndjson: ({ table, columns, rows, room }) => rowTexts(table, columns, rows, 'lines', room),
  arrow: ({ table, columns, rows, meta, links }) =>
    arrowOf(table, columns, rows, envelopeMetadata(meta, links)),
  csv: ({ table, columns, rows, room }) => rowTexts(table, columns, rows, 'csv', room),
}

/** Memory that answers are put together in, one after the other: new memory costs more than to copy out of this. */
const whole = Buffer.allocUnsafeSlow(LONGEST_WHOLE)
/** The same of a chunk of one. */
const lent = Buffer.allocUnsafeSlow(LONGEST_WHOLE / 4)
/** A piece from this length on stays where it is, if that is not lent: a long answer is sent without a copy of it. */
const LEFT = 16 * 1024

function bodyOf(write: (room: Room) => Generator<Piece>): Buffer | Readable {
  let streams = false
  const pieces = write((bytes) => (streams || bytes > lent.length ? Buffer.allocUnsafe(bytes) : lent))
  const parts: Buffer[] = []
  let size = 0
  let begin = 0
  let end = 0
  for (;;) {
    const { value: piece, done } = pieces.next()
    const bytes = done ? 0 : typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    size += bytes
    const long = size > LONGEST_WHOLE
    const left = !done && typeof piece !== 'string' && bytes >= LEFT && piece.buffer !== lent.buffer
    if (done || long || left) {
      if (end > begin) parts.push(whole.subarray(begin, end))
      begin = end
      if (done) return Buffer.concat(parts, size)
      if (long) {
        streams = true
        return streamOf([...parts.map(kept), kept(bytesOf(piece))], pieces)
      }
      parts.push(piece as Buffer)
    } else {
      if (typeof piece === 'string') whole.write(piece, end)
      else whole.set(piece, end)
      end += bytes
    }
  }
}

/** Bytes that the next answer does not write over. */
const kept = (bytes: Buffer): Buffer =>
  bytes.buffer === whole.buffer || bytes.buffer === lent.buffer ? Buffer.from(bytes) : bytes

const streamOf = (first: Buffer[], rest: Generator<Piece>): Readable =>
  Readable.from(
    (function* () {
      // let go as it is read: a client may pause here
      while (first.length > 0) yield first.shift()!
      for (const piece of rest) yield bytesOf(piece)
    })(),
    { objectMode: false },
  )
