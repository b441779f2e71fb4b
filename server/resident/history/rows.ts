/** The rows of a file of the history: how the engine writes them, and how they lie column after column. */
import { crc32 } from 'node:zlib'
import { rowSpan } from '../../../sql/derive/tables.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import { formatSettings } from '../../formats/settings.ts'
import { type ColumnSpec, ResidentTable, SLACK } from '../table.ts'

/** How the engine must write the rows of `rowsSql`: in small blocks, as a row is read with all its texts. */
export const historyFormat = {
  format: 'RowBinary',
  settings: { ...formatSettings.json, max_block_size: 512, max_threads: 1 },
} as const

/**
 * SQL of the rows of the years `{spans:Array(Int32)}`: the number, and the values in JSON with a comma between. The engine
 * spells them as it does in an answer; the table lies in this order.
 */
export const rowsSql = ({ id, tables }: Universe): string => `
SELECT ${id},
  concat(toString(${id}), ',"', toString(report_date), '",', trim(BOTH '[]' FROM toJSONString(metrics))) AS text
FROM ${tables.rows} WHERE ${rowSpan.sql} IN {spans:Array(Int32)} ORDER BY ${id}, report_date`

/** Columns of such a row. */
export const columnsOf = ({ id, metrics }: Universe): readonly ColumnSpec[] => [
  { name: id, kind: 'number' },
  { name: 'report_date', kind: 'date' },
  ...metrics.map(({ key }) => ({ name: key, kind: 'number' }) as const),
]

/** A row within bytes: places are of its text. */
interface Row {
  readonly id: number
  readonly text: number
  readonly next: number
}

const ID_BYTES = 4

/** The row that begins at a place; undefined where it is not whole. */
export function rowAt(bytes: Buffer, at: number): Row | undefined {
  let length = 0
  let text = at + ID_BYTES
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[text++]
    if (byte === undefined) return undefined
    length += (byte & 127) * 2 ** shift
    if (byte < 128) break
  }
  const next = text + length
  return next > bytes.length ? undefined : { id: bytes.readUInt32LE(at), text, next }
}

const COMMA = 44

/** Bytes before the texts of an institution: how many rows it has, and of each column where it ends and its CRC-32. */
export const headBytes = (columns: number): number => 4 + columns * 8

/** Where the values of a column begin and end within those of an institution, and their CRC-32. */
export function columnIn(head: Buffer, column: number, columns: number) {
  const at = 4 + column * 8
  return {
    from: column === 0 ? headBytes(columns) : head.readUInt32LE(at - 8),
    to: head.readUInt32LE(at),
    crc: head.readUInt32LE(at + 4),
  }
}

/** Of a value where it ends in the text of its column, its comma included. */
const END_BYTES = 2

/**
 * The rows of an institution column after column, behind their head: of each where its values end, and their text with a comma
 * after each. To look for the commas when a series is read would be most of the reading.
 * @param rows texts as the engine wrote them
 * @throws Error where a row has another number of values, or the values of a column are longer than 64 KiB
 */
export function turned(rows: readonly Buffer[], columns: number): Buffer {
  let at = headBytes(columns)
  const ends = rows.length * END_BYTES
  const turned = Buffer.allocUnsafe(rows.reduce((size, { length }) => size + length + 1, at + columns * ends))
  // of each row where each value begins, and where another would
  const width = columns + 1
  const begins = new Uint32Array(rows.length * width)
  for (const [n, row] of rows.entries()) {
    let value = n * width
    for (let i = 0; i < row.length; i++) if (row[i] === COMMA) begins[++value] = i + 1
    if (value !== n * width + columns - 1)
      throw new Error(`a row has ${value - n * width + 1} values, expected ${columns}`)
    begins[value + 1] = row.length + 1
  }
  turned.writeUInt32LE(rows.length)
  for (let column = 0; column < columns; column++) {
    const from = at
    at += ends
    for (let n = 0, value = column; n < rows.length; n++, value += width) {
      const row = rows[n]!
      for (let i = begins[value]!, end = begins[value + 1]! - 1; i < end; i++) turned[at++] = row[i]!
      turned[at++] = COMMA
      turned.writeUInt16LE(at - from - ends, from + n * END_BYTES)
    }
    turned.writeUInt32LE(at, 4 + column * 8)
    turned.writeUInt32LE(crc32(turned.subarray(from, at)), 8 + column * 8)
  }
  return turned
}

/** Some columns of an institution out of one file. */
export interface Columns {
  readonly rows: number
  /** Of each where its values end, and their text. */
  readonly values: readonly Buffer[]
}

/**
 * A table of columns of an institution.
 * @param parts out of each file, oldest first
 * @param specs of the columns
 */
export function tableOf(parts: readonly Columns[], specs: readonly ColumnSpec[]): ResidentTable {
  let rows = 0
  let bytes = 0
  for (const part of parts) {
    rows += part.rows
    for (const held of part.values) bytes += held.length - part.rows * END_BYTES
  }
  const text = Buffer.allocUnsafe(bytes + SLACK)
  const starts = new Uint32Array(rows * specs.length + 1)
  const longest = new Uint32Array(specs.length)
  let from = 0
  let value = 0
  for (let column = 0; column < specs.length; column++) {
    for (const part of parts) {
      const held = part.values[column]!
      const ends = part.rows * END_BYTES
      held.copy(text, from, ends)
      longest[column] = Math.max(longest[column]!, placeValues(held, part.rows, from, starts, value))
      from += held.length - ends
      value += part.rows
    }
  }
  return new ResidentTable({ specs, rows, byRow: undefined, byColumn: { text, starts }, longest })
}

/** Notes where the next of each of the values begins, of which the first begins at `from`. @returns bytes of the longest */
function placeValues(held: Buffer, rows: number, from: number, starts: Uint32Array, value: number): number {
  let longest = 0
  let begin = from
  for (let row = 0; row < rows; row++) {
    const end = from + (held[row * END_BYTES]! | (held[row * END_BYTES + 1]! << 8))
    const length = end - 1 - begin
    if (length > longest) longest = length
    starts[value + row + 1] = end
    begin = end
  }
  return longest
}
