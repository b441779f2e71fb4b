/** The rows of a file of the history: how the engine writes them, and how values are cut out of them. */
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
 * SQL of the rows of the years `{spans:Array(Int32)}`: the number, where each value ends, the values in JSON with a comma
 * between. The engine spells them as it does in an answer; the table lies in this order.
 */
export const rowsSql = ({ id, tables }: Universe): string => `
SELECT ${id}, CAST(arrayCumSum(value -> length(value) + 1, splitByChar(',', text)), 'Array(UInt16)') AS ends, text
FROM (
  SELECT ${id}, report_date,
    concat(toString(${id}), ',"', toString(report_date), '",', trim(BOTH '[]' FROM toJSONString(metrics))) AS text
  FROM ${tables.rows} WHERE ${rowSpan.sql} IN {spans:Array(Int32)}
) ORDER BY ${id}, report_date`

/** Columns of such a row. */
export const columnsOf = ({ id, metrics }: Universe): readonly ColumnSpec[] => [
  { name: id, kind: 'number' },
  { name: 'report_date', kind: 'date' },
  ...metrics.map(({ key }) => ({ name: key, kind: 'number' }) as const),
]

/** A row within bytes: places are of its parts. */
interface Row {
  readonly id: number
  /** Of each value where it ends in the text, its comma included, in 2 bytes. */
  readonly ends: number
  readonly text: number
  readonly next: number
}

const ID_BYTES = 4

/**
 * The row that begins at a place; undefined where it is not whole.
 * @throws Error where it is no row of so many values
 */
export function rowAt(bytes: Buffer, at: number, columns: number): Row | undefined {
  const count = varint(bytes, at + ID_BYTES)
  if (!count) return undefined
  const { value: values, next: ends } = count
  if (values !== columns) throw new Error(`a row has ${values} values, expected ${columns}`)
  const length = varint(bytes, ends + values * 2)
  if (!length) return undefined
  const text = length.next
  const next = text + length.value
  if (next > bytes.length) return undefined
  if (bytes.readUInt16LE(ends + values * 2 - 2) !== length.value + 1)
    throw new Error(`the values of a row end elsewhere than its ${length.value} bytes`)
  return { id: bytes.readUInt32LE(at), ends, text, next }
}

/** LEB128; undefined where it is not whole. */
function varint(bytes: Buffer, at: number): { value: number; next: number } | undefined {
  let value = 0
  for (let shift = 0; at < bytes.length; shift += 7) {
    const byte = bytes[at++]!
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return { value, next: at }
  }
  return undefined
}

const COMMA = 44

/**
 * A table of some columns of whole rows.
 * @param bytes the rows, one after the other
 * @param all columns of a row
 * @param places of those that are wanted
 */
export function tableOf(bytes: Buffer, all: readonly ColumnSpec[], places: readonly number[]): ResidentTable {
  const longest = new Uint32Array(places.length)
  const starts = [0]
  let text: Buffer = Buffer.allocUnsafe(FIRST_ROOM)
  let size = 0
  let rows = 0
  for (let at = 0; at < bytes.length; rows++) {
    const row = rowAt(bytes, at, all.length)
    if (!row) throw new Error('a row is not whole')
    const most = size + (row.next - row.text) + 1 + SLACK
    if (most > text.length) text = grown(text, size, most)
    for (let n = 0; n < places.length; n++) {
      const place = places[n]!
      const end = row.text + bytes.readUInt16LE(row.ends + place * 2) - 1
      let from = row.text + (place === 0 ? 0 : bytes.readUInt16LE(row.ends + place * 2 - 2))
      if (end - from > longest[n]!) longest[n] = end - from
      while (from < end) text[size++] = bytes[from++]!
      text[size++] = COMMA
      starts.push(size)
    }
    at = row.next
  }
  return new ResidentTable({
    specs: places.map((place) => all[place]!),
    rows,
    byRow: { text: text.subarray(0, size + SLACK), starts: Uint32Array.from(starts) },
    byColumn: undefined,
    longest,
  })
}

const FIRST_ROOM = 32 * 1024

function grown(text: Buffer, size: number, most: number): Buffer {
  const room = Buffer.allocUnsafe(Math.max(most, text.length * 2))
  text.copy(room, 0, 0, size)
  return room
}
