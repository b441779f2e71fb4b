/** A panel out of files of columns, as an Arrow stream or as text: batch by batch, at the pace of who reads it. */
import { setImmediate } from 'node:timers/promises'
import type { Column } from '../../catalog/columns.ts'
import type { ArrowData } from '../../formats/arrow-messages.ts'
import { arrowType } from '../../formats/arrow-schema.ts'
import type { Format } from '../../formats/names.ts'
import type { Selection, Test } from '../../query/selection.ts'
import { ArrowWriter } from '../arrow.ts'
import { type Making, makingOf, memoryFor } from '../arrow-columns.ts'
import { TableLost } from '../table.ts'
import { type Chunk, chunkTexts, type LayoutName } from '../text.ts'
import { NUMBER_BYTES } from './column-file.ts'
import { roomFor, spare } from './disk.ts'
import type { VersionFiles } from './partitions.ts'
import { firstPiece, type Opened, type Piece, passing, pieceOf } from './pieces.ts'
import { readSpelled, type SpelledPiece, type StoredSpec, spelledPiece, spelledRoom } from './spelled.ts'
import type { SpelledFile } from './spelled-file.ts'
import { valuesOf } from './values.ts'

/** A panel whose files are open. */
export interface HeldPanel {
  /** Holds the files until the panel is closed. @throws TableLost where one is open no more */
  open(): Panel
}

const layouts: Readonly<Partial<Record<Format, LayoutName>>> = { json: 'array', ndjson: 'lines', csv: 'csv' }

/** How rows are laid out in a format of text that panels are made in. */
export const layoutOf = (format: Format): LayoutName | undefined => layouts[format]

/** The files of a year. */
export interface OpenedYear extends Opened {
  /** Where the panel is to be text. */
  readonly spelled: { readonly file: SpelledFile; readonly lost: (error: unknown) => void } | undefined
}

/** Where the files are from: how their panels are divided, and how many were read. */
type PanelFiles = Pick<VersionFiles, 'limits' | 'panels'>

/** Others wait no longer than this. */
const WORK_MS = 4

export class Panel {
  /** Rows; known once they are chosen. */
  total = 0
  readonly #columns: readonly Column[]
  readonly #tests: Selection['tests']
  readonly #opened: readonly OpenedYear[]
  readonly #files: PanelFiles
  readonly #stored: ReadonlyMap<string, StoredSpec>
  readonly #leave: readonly (() => void)[]
  readonly #pieces: (Piece & OpenedYear)[] = []
  #closed = false
  #began = 0

  /** @param stored columns of the files, by name */
  constructor(
    opened: readonly OpenedYear[],
    { columns, tests }: Pick<Selection, 'columns' | 'tests'>,
    { files, stored }: { readonly files: PanelFiles; readonly stored: ReadonlyMap<string, StoredSpec> },
  ) {
    this.#opened = opened
    this.#columns = columns
    this.#tests = tests
    this.#files = files
    this.#stored = stored
    this.#leave = opened.flatMap(({ file, spelled }) => [
      file.hold(),
      ...(spelled ? [spelled.file.hold()] : []),
    ])
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
      if (piece.ranks.length > 0) this.#pieces.push({ ...piece, spelled: opened.spelled })
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
    const { limits, panels } = this.#files
    const { oneBatch, batch, whole } = limits
    panels.read++
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

  /**
   * The rows that were chosen, as text.
   * @throws TableLost where a file cannot be read, or the engine would read much less of its own
   */
  texts(layout: LayoutName): AsyncGenerator<Buffer | string> {
    this.#began = performance.now()
    const columns = this.#columns.map(({ name }) => this.#stored.get(name)!)
    const pieces = this.#pieces.map((piece) => {
      const { file, lost } = piece.spelled!
      const found = spelledPiece(piece, { file, columns })
      if (!found || found.bytes > this.#files.limits.whole) throw new TableLost('the engine reads less')
      return { piece: found, runs: piece.file.runTexts.length, lost }
    })
    this.#files.panels.read++
    return chunkTexts(this.#spelled(pieces), this.#columns, layout)
  }

  async *#spelled(
    pieces: readonly { piece: SpelledPiece; runs: number; lost: (error: unknown) => void }[],
  ): AsyncGenerator<Chunk> {
    for (const { piece, runs, lost } of pieces) {
      const room = spelledRoom(piece)
      try {
        const chunk = await readSpelled(piece, runs, room).catch((error: unknown) => {
          lost(error)
          throw new TableLost('the history cannot be read', { cause: error })
        })
        yield chunk
      } finally {
        spare(room)
      }
      await this.#rest()
    }
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
