/** Record batches as an Arrow IPC stream, of the types that the engine has for the same columns; those of a resident table. */
import { type DataType, Dictionary, Int32, Utf8 } from 'apache-arrow'
import type { Column, ColumnType } from '../catalog/columns.ts'
import { fieldOf, schemaMessage } from '../formats/arrow-fields.ts'
import { type ArrowData, batchPieces, END_OF_STREAM } from '../formats/arrow-messages.ts'
import { arrowType } from '../formats/arrow-schema.ts'
import { arrays, makingOf } from './arrow-columns.ts'
import { kindOf, type ResidentColumn, type ResidentTable, wholeTable } from './table.ts'

/** So many rows are one batch, and codes in it have dictionaries; more are several, without. */
export const ONE_BATCH_ROWS = 65_409

/** Whether all of the columns can be had: of those types that a table in memory has. */
export const hasArrow = (columns: readonly Column[]): boolean =>
  columns.every(({ type }) => kindOf(type) === 'text' || type in arrays)

/** Pieces from this length on are sent as they are, shorter ones together. */
const ALONE = 16 * 1024

/** Writes record batches of some columns. */
export class ArrowWriter {
  readonly types: readonly DataType[]
  readonly #pieces: Buffer[]

  /**
   * @param dictionaries a number for each column: codes that are never absent have one, as the engine's have (see `output`
   *   of server/query/select-list.ts); undefined where none has
   * @param metadata of the schema
   */
  constructor(
    columns: readonly Column[],
    dictionaries: readonly number[] | undefined,
    metadata: Readonly<Record<string, string>>,
  ) {
    this.types = columns.map(({ type, nullable }, at) =>
      dictionaries && type === 'Code' && !nullable
        ? new Dictionary(new Utf8(), new Int32(), dictionaries[at])
        : arrowType(type),
    )
    const fields = columns.map((column, at) => fieldOf(column, this.types[at]!))
    this.#pieces = [schemaMessage(fields, metadata)]
  }

  /** @param columns one for each */
  write(rows: number, columns: readonly ArrowData[]): void {
    this.#pieces.push(...batchPieces(rows, columns))
  }

  finish(): void {
    this.#pieces.push(END_OF_STREAM)
  }

  /**
   * What was written since: the memory of columns is not copied, and let go piece by piece.
   * @param apart memory whose pieces are not put together with others, however short they are
   */
  *taken(apart?: ArrayBufferLike): Generator<Buffer> {
    const pieces = this.#pieces.splice(0).reverse()
    let short: Buffer[] = []
    let size = 0
    for (let piece = pieces.pop(); piece; piece = pieces.pop()) {
      const long = piece.length >= ALONE || piece.buffer === apart
      if (!long) {
        short.push(piece)
        size += piece.length
      }
      if (short.length > 0 && (long || size >= ALONE)) {
        yield Buffer.concat(short)
        short = []
        size = 0
      }
      if (long) yield piece
    }
    if (short.length > 0) yield Buffer.concat(short)
  }
}

/** Rows of a resident table, in one batch. @param metadata of the schema */
export function* arrowOf(
  table: ResidentTable,
  columns: readonly Column[],
  rows: Uint32Array,
  metadata: Readonly<Record<string, string>>,
): Generator<Buffer> {
  const held = columns.map(({ name }) => table.column(name))
  // columns that are kept have theirs by their place in the table
  const dictionaries = held.map(({ number }) => number)
  const writer = new ArrowWriter(columns, dictionaries, metadata)
  if (rows.length > 0) {
    const all = wholeTable(table, rows)
    const data = columns.map((column, at) => {
      const made = all ? wholeData : dataOf
      return made(column, held[at]!, writer.types[at]!, rows)
    })
    writer.write(rows.length, data)
  }
  writer.finish()
  yield* writer.taken()
}

/** A whole column is asked for again and again, and never changes. */
const whole = new WeakMap<ResidentColumn, Map<ColumnType, ArrowData>>()

function wholeData(column: Column, held: ResidentColumn, type: DataType, rows: Uint32Array): ArrowData {
  let known = whole.get(held)
  if (!known) {
    known = new Map()
    whole.set(held, known)
  }
  let data = known.get(column.type)
  if (!data) {
    data = dataOf(column, held, type, rows)
    known.set(column.type, data)
  }
  return data
}

function dataOf(column: Column, held: ResidentColumn, type: DataType, rows: Uint32Array): ArrowData {
  const making = makingOf(column, type, rows.length)
  making.add(held.kind === 'text' ? held.coded : held.numbers, rows)
  return making.data()
}
