/** Rows of a resident table in JSON, byte for byte as ClickHouse writes them: its own values between names. */
import { type ResidentColumn, type ResidentTable, SEPARATOR } from './table.ts'

/** What stands around the rows; ClickHouse's formats differ in nothing else. */
const layouts = {
  /** JSONEachRow as an array. */
  array: { before: '[\n', between: ',\n', after: '\n]\n', none: '[\n\n]\n' },
  /** JSONEachRow. */
  lines: { before: '', between: '\n', after: '\n', none: '' },
  /** One row alone. */
  object: { before: '', between: '', after: '', none: '' },
} as const

/** Rows are written so many bytes at a time, about: an answer of any size neither fills the memory nor blocks others. */
const CHUNK_BYTES = 256 * 1024

/** The rows as objects with those columns, in chunks. */
export function* rowObjects(
  table: ResidentTable,
  names: readonly string[],
  rows: Uint32Array,
  layout: keyof typeof layouts,
): Generator<Buffer> {
  const { before, between, after, none } = layouts[layout]
  if (rows.length === 0) {
    yield Buffer.from(none)
    return
  }
  const parts = names.map((name, at) => ({
    prefix: Buffer.from(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    column: table.column(name),
  }))
  const each = Math.max(1, Math.floor(CHUNK_BYTES / meanBytes(parts)))
  for (let from = 0; from < rows.length; from += each) {
    const to = Math.min(from + each, rows.length)
    const head = Buffer.from(from === 0 ? before : between)
    const tail = Buffer.from(to === rows.length ? after : '')
    const size = head.length + tail.length + sizeOf(parts, rows, from, to, between.length)
    yield write(parts, rows.subarray(from, to), Buffer.from(between), head, tail, size)
  }
}

interface Part {
  readonly prefix: Buffer
  readonly column: ResidentColumn
}

const meanBytes = (parts: readonly Part[]): number =>
  parts.reduce((sum, { prefix, column }) => sum + prefix.length + column.json.length / column.rows, 2)

/** Exact, so that the chunk is allocated once. */
function sizeOf(
  parts: readonly Part[],
  rows: Uint32Array,
  from: number,
  to: number,
  between: number,
): number {
  let size = (to - from) * (1 + between) - between
  for (const { prefix, column } of parts) {
    const { ends } = column
    size += (to - from) * prefix.length
    for (let at = from; at < to; at++) {
      const row = rows[at]!
      size += ends[row]! - column.start(row)
    }
  }
  return size
}

function write(
  parts: readonly Part[],
  rows: Uint32Array,
  between: Buffer,
  head: Buffer,
  tail: Buffer,
  size: number,
): Buffer {
  const out = Buffer.allocUnsafe(size)
  let at = head.copy(out)
  for (let n = 0; n < rows.length; n++) {
    if (n > 0) at += between.copy(out, at)
    const row = rows[n]!
    for (const { prefix, column } of parts) {
      // values are short: a loop is quicker than a call for each
      for (let k = 0; k < prefix.length; k++) out[at++] = prefix[k]!
      const { json, ends } = column
      const end = ends[row]!
      for (let k = column.start(row); k < end; k++) out[at++] = json[k]!
    }
    out[at++] = 125
  }
  tail.copy(out, at)
  return out
}

/** The rows as JSONColumns: an object with an array for each column. */
export function* columnArrays(
  table: ResidentTable,
  names: readonly string[],
  rows: Uint32Array,
): Generator<Buffer> {
  for (const [n, name] of names.entries()) {
    const column = table.column(name)
    yield Buffer.concat([
      Buffer.from(`${n === 0 ? '{\n' : ',\n'}\t${JSON.stringify(name)}: [`),
      valuesOf(column, rows),
      Buffer.from(n === names.length - 1 ? ']\n}\n' : ']'),
    ])
  }
}

/** The values of those rows as in an array. */
function valuesOf(column: ResidentColumn, rows: Uint32Array): Buffer {
  const { json, ends } = column
  // all of them, in the order of the table
  if (rows.length === column.rows && rows.every((row, at) => row === at)) return json
  let size = Math.max(0, rows.length - 1) * SEPARATOR.length
  for (const row of rows) size += ends[row]! - column.start(row)
  const out = Buffer.allocUnsafe(size)
  let at = 0
  for (const row of rows) {
    if (at > 0) at += out.write(SEPARATOR, at, 'latin1')
    const end = ends[row]!
    for (let k = column.start(row); k < end; k++) out[at++] = json[k]!
  }
  return out
}
