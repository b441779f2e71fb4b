/** A panel out of files of columns, as an Arrow stream: batch by batch, at the pace of who reads it. */
import { setImmediate } from 'node:timers/promises'
import type { Column } from '../../catalog/columns.ts'
import type { ArrowData } from '../../formats/arrow-messages.ts'
import { arrowType } from '../../formats/arrow-schema.ts'
import type { Selection, Test } from '../../query/selection.ts'
import { ArrowWriter, ONE_BATCH_ROWS } from '../arrow.ts'
import { type Making, makingOf, memoryFor, type Values } from '../arrow-columns.ts'
import { TableLost } from '../table.ts'
import { NUMBER_BYTES, type OpenColumn, type Stretch } from './column-file.ts'
import { newRoom, type Room, roomFor, spare } from './disk.ts'
import { firstPiece, type Opened, type Piece, passing, pieceOf } from './pieces.ts'

/** A panel whose files are open. */
export interface HeldPanel {
  /** Holds the files until the panel is closed. @throws TableLost where one is open no more */
  open(): Panel
}

/** How an answer is divided. */
export interface Limits {
  /** So many rows are one batch, with dictionaries. */
  readonly oneBatch: number
  /** Where there are more: so many rows of a batch at most. */
  readonly batch: number
  /** Bytes of the largest batch that is in memory whole, rather than column by column. */
  readonly whole: number
}

export const limits: Limits = { oneBatch: ONE_BATCH_ROWS, batch: 32_768, whole: 16 * 2 ** 20 }

/** Others wait no longer than this. */
const WORK_MS = 4

export class Panel {
  /** Rows; known once they are chosen. */
  total = 0
  readonly #columns: readonly Column[]
  readonly #tests: Selection['tests']
  readonly #opened: readonly Opened[]
  readonly #limits: Limits
  readonly #leave: readonly (() => void)[]
  readonly #pieces: Piece[] = []
  #closed = false
  #began = 0

  constructor(
    opened: readonly Opened[],
    { columns, tests }: Pick<Selection, 'columns' | 'tests'>,
    limits: Limits,
  ) {
    this.#opened = opened
    this.#columns = columns
    this.#tests = tests
    this.#limits = limits
    this.#leave = opened.map(({ file }) => file.hold())
  }

  /** To be called once nothing is read any more. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const leave of this.#leave) leave()
  }

  /** Finds the rows. @throws TableLost where a file cannot be read; the signal's reason */
  async choose(signal: AbortSignal): Promise<void> {
    this.#began = performance.now()
    for (const opened of this.#opened) {
      const [by, , date] = opened.file.order
      const ofPlace = ({ column }: Test): boolean => column === by || column === date
      let piece = firstPiece(opened, this.#tests.filter(ofPlace))
      for (const test of this.#tests) {
        if (ofPlace(test) || piece.ranks.length === 0) continue
        const room = roomFor(piece.size * NUMBER_BYTES)
        try {
          const { values, places } = await valuesOf(piece, test.column, room)
          piece = pieceOf(opened, passing(piece, values, places, test))
        } finally {
          spare(room)
        }
      }
      if (piece.ranks.length > 0) this.#pieces.push(piece)
      this.total += piece.ranks.length
      await this.#rest()
      signal.throwIfAborted()
    }
  }

  /**
   * The rows that were chosen. @param metadata of the schema
   * @throws TableLost where a file cannot be read
   */
  async *arrow(metadata: Readonly<Record<string, string>>): AsyncGenerator<Buffer> {
    this.#began = performance.now()
    const { oneBatch, batch, whole } = this.#limits
    const columns = this.#columns
    const one = this.total <= oneBatch
    const writer = new ArrowWriter(columns, one ? [...columns.keys()] : undefined, metadata)
    for (const pieces of one ? [this.#pieces] : batchesOf(this.#pieces, batch)) {
      const rows = rowsOf(pieces)
      if (rows === 0) continue
      // columns of floats are made twice, once to know which are null, rather than be in memory all at once
      const later = rows * columns.length * NUMBER_BYTES > whole ? memoryFor(rows) : undefined
      await this.#write(writer, pieces, rows, later)
      const floats = columns.filter(({ type }) => type === 'Float64').values()
      for (const piece of writer.taken(later?.buffer)) {
        if (piece.buffer !== later?.buffer) yield piece
        else yield await this.#floats(pieces, rows, floats.next().value!)
        // a reader as quick as this asks again within the same turn of the event loop
        await this.#rest()
      }
    }
    writer.finish()
    yield* writer.taken()
  }

  async #write(
    writer: ArrowWriter,
    pieces: readonly Piece[],
    rows: number,
    later: Float64Array | undefined,
  ): Promise<void> {
    const data: ArrowData[] = []
    for (const [at, column] of this.#columns.entries()) {
      const memory = column.type === 'Float64' ? later : undefined
      const making = makingOf(column, writer.types[at]!, rows, memory)
      await this.#fill(making, pieces, column)
      data.push(making.data())
    }
    writer.write(rows, data)
  }

  async #floats(pieces: readonly Piece[], rows: number, column: Column): Promise<Buffer> {
    const memory = memoryFor(rows)
    await this.#fill(makingOf(column, arrowType(column.type), rows, memory), pieces, column)
    return Buffer.from(memory.buffer)
  }

  async #fill(making: Making, pieces: readonly Piece[], { name }: Column): Promise<void> {
    const room = roomFor(Math.max(...pieces.map(({ size }) => size)) * NUMBER_BYTES)
    try {
      for (const piece of pieces) {
        const reading = valuesOf(piece, name, room)
        const { values, places } = 'then' in reading ? await reading : reading
        making.add(values, places)
        if (this.#isLate) await this.#rest()
      }
    } finally {
      spare(room)
    }
  }

  get #isLate(): boolean {
    return performance.now() - this.#began > WORK_MS
  }

  /** Lets others have their turn. */
  async #rest(): Promise<void> {
    if (!this.#isLate) return
    await setImmediate()
    this.#began = performance.now()
  }
}

interface Found {
  readonly values: Values
  readonly places: Uint32Array
}

/** The values of a column in the rows of a piece; at once where what is read is in memory. @throws TableLost */
function valuesOf(piece: Piece, name: string, room: Room): Found | Promise<Found> {
  const { file, memory, ranks, rows, stretches, places } = piece
  const { runs, ids, dates } = file.ranked
  const [by, id, date] = file.order
  if (name === id) return { values: ids, places: ranks }
  if (name === date) return { values: dates, places: ranks }
  if (name === by) return { values: { codes: runs, texts: file.runTexts }, places: ranks }
  const column = file.column(name)
  const held = memory.get(column)
  if (held) return { values: held, places: rows }
  if (memory.wants(column, file.rows * column.width)) return whenHeld(piece, column)
  const reading = read(piece, column, stretches, room)
  if (reading || (column.stored && !column.texts)) return whenRead(piece, column, room, reading)
  return { values: column.texts ? { codes: room.codes, texts: column.texts } : room.numbers, places }
}

/** Reads a column whole, to be held. */
async function whenHeld(piece: Piece, column: OpenColumn): Promise<Found> {
  const { file, memory, rows } = piece
  const room = newRoom(file.rows * column.width)
  const { values } = await whenRead(piece, column, room, read(piece, column, file.all, room))
  memory.hold(column, values, room.bytes.length)
  return { values, places: rows }
}

function read(
  piece: Piece,
  column: OpenColumn,
  stretches: readonly Stretch[],
  { bytes }: Room,
): Promise<void> | undefined {
  try {
    return piece.file.read(column, stretches, bytes)
  } catch (error) {
    throw lost(piece, error)
  }
}

async function whenRead(
  piece: Piece,
  column: OpenColumn,
  { numbers, codes }: Room,
  reading: Promise<void> | undefined,
): Promise<Found> {
  const { file, places } = piece
  try {
    await reading
    if (!column.stored) return { values: numbers, places }
    return { values: { codes, texts: column.texts ?? (await file.readTexts(column)) }, places }
  } catch (error) {
    throw lost(piece, error)
  }
}

function lost(piece: Opened, error: unknown): TableLost {
  piece.lost(error)
  return new TableLost('the history cannot be read', { cause: error })
}

const rowsOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { ranks }) => sum + ranks.length, 0)

/** Pieces of files that are one batch together; files of many rows are several. */
function* batchesOf(pieces: readonly Piece[], most: number): Generator<Piece[]> {
  let batch: Piece[] = []
  for (const piece of pieces) {
    const { ranks } = piece
    if (rowsOf(batch) + ranks.length > most && batch.length > 0) {
      yield batch
      batch = []
    }
    if (ranks.length <= most) {
      batch.push(piece)
      continue
    }
    const parts = Math.ceil(ranks.length / most)
    for (let part = 0; part < parts; part++) {
      const [from, to] = [part, part + 1].map((n) => Math.round((n * ranks.length) / parts))
      yield [pieceOf(piece, ranks.subarray(from, to))]
    }
  }
  if (batch.length > 0) yield batch
}
