/** Rows of a resident table as text, byte for byte as ClickHouse writes them: its own values between names. */
import type { Column } from '../catalog/columns.ts'
import { type ResidentColumn, type ResidentTable, SLACK, type Values } from './table.ts'

/** What stands around the values; ClickHouse's formats differ in nothing else, but in how CSV spells null and quotes. */
interface Layout {
  /** Before the first row. */
  readonly head: (columns: readonly Column[]) => string
  /** Begins a row; its values are parted by commas. */
  readonly open: string
  /** Before a value. */
  readonly title: (name: string) => string
  /** Leads from a row to the next. */
  readonly rowEnd: string
  /** After the last row. */
  readonly tail: string
  /** In place of all that where there is no row. */
  readonly none: (columns: readonly Column[]) => string
  readonly csv?: true
}

const nothing = (): string => ''
const key = (name: string): string => `${JSON.stringify(name)}:`
const titles = (columns: readonly Column[]): string => `${columns.map(({ name }) => `"${name}"`).join(',')}\n`
const objects = { head: nothing, open: '{', title: key, none: nothing }

const layouts = {
  /** JSONEachRow as an array. */
  array: { ...objects, head: () => '[\n', rowEnd: '},\n', tail: '}\n]\n', none: () => '[\n\n]\n' },
  /** JSONEachRow. */
  lines: { ...objects, rowEnd: '}\n', tail: '}\n' },
  /** One row alone. */
  object: { ...objects, rowEnd: '', tail: '}', none: () => '{}' },
  /** CSVWithNames. */
  csv: { head: titles, open: '', title: nothing, rowEnd: '\n', tail: '\n', none: titles, csv: true },
} as const satisfies Record<string, Layout>

export type LayoutName = keyof typeof layouts

/** A chunk has about so many bytes: an answer of any size neither fills the memory nor keeps others waiting. */
const CHUNK_BYTES = 128 * 1024

/** Where memory for a chunk comes from, which is the reader's own. */
export type Room = (bytes: number) => Buffer

/** Rows of a table. */
export interface Chunk {
  readonly table: ResidentTable
  readonly rows: Uint32Array
}

/** The rows of several tables with those columns, one table after the other: each may go once the next is asked for. */
export async function* chunkTexts(
  chunks: AsyncIterable<Chunk>,
  columns: readonly Column[],
  name: LayoutName,
): AsyncGenerator<Buffer | string> {
  const layout: Layout = layouts[name]
  let first = true
  for await (const { table, rows } of chunks) {
    yield first ? layout.head(columns) : layout.rowEnd
    first = false
    yield* filled(shapeOf(table, columns, name), rows, Buffer.allocUnsafe)
  }
  yield first ? layout.none(columns) : layout.tail
}

/** The rows with those columns, in chunks. */
export function* rowTexts(
  table: ResidentTable,
  columns: readonly Column[],
  rows: Uint32Array,
  name: LayoutName,
  room: Room = Buffer.allocUnsafe,
): Generator<Buffer | string> {
  const layout: Layout = layouts[name]
  if (rows.length === 0) {
    yield layout.none(columns)
    return
  }
  yield layout.head(columns)
  yield* filled(shapeOf(table, columns, name), rows, room)
  yield layout.tail
}

/** The rows as JSONColumns: an object with an array for each column. */
export function* columnTexts(
  table: ResidentTable,
  columns: readonly Column[],
  rows: Uint32Array,
  room: Room = Buffer.allocUnsafe,
): Generator<Buffer | string> {
  for (const [n, { name }] of columns.entries()) {
    yield `${n === 0 ? '{\n' : ',\n'}\t${JSON.stringify(name)}: [`
    const shape = makeShape(table, { texts: [''], columns: [table.column(name)], rowEnd: ', ' })
    if (rows.length > 0) yield* filled(shape, rows, room)
    yield n === columns.length - 1 ? ']\n}\n' : ']'
  }
}

/** What a row is made of, ready to be copied: texts of its own, and after each a value of a column. */
interface Shape {
  /** The texts, one after the other, with what ends a row before the first. */
  readonly texts: DataView
  readonly textEnds: Uint32Array
  /** Bytes of what ends a row: the first row has none before it. */
  readonly rowEnd: number
  readonly values: Values
  /** Which of the values is that of the first row in each column, and how many further that of the next row is. */
  readonly firsts: Uint32Array
  readonly stride: number
  /** Bytes that a row has at most. */
  readonly longest: number
  /** Where nulls are empty: which of the columns have texts that CSV spells otherwise. */
  readonly respelled: Uint8Array | undefined
}

/** The same columns are asked for again and again. Gone with the table. */
const shapes = new WeakMap<ResidentTable, WeakMap<readonly Column[], Map<LayoutName, Shape>>>()

function shapeOf(table: ResidentTable, columns: readonly Column[], name: LayoutName): Shape {
  const ofTable = shapes.get(table) ?? new WeakMap()
  shapes.set(table, ofTable)
  const known: Map<LayoutName, Shape> = ofTable.get(columns) ?? new Map()
  ofTable.set(columns, known)
  const last = known.get(name)
  if (last) return last
  const layout: Layout = layouts[name]
  const held = columns.map((column) => table.column(column.name))
  const shape = makeShape(table, {
    texts: columns.map(({ name }, at) => (at === 0 ? layout.open : ',') + layout.title(name)),
    columns: held,
    rowEnd: layout.rowEnd,
    ...(layout.csv && { respelled: held.map((one) => one.kind === 'text' && one.escaped) }),
  })
  known.set(name, shape)
  return shape
}

interface Parts {
  readonly texts: readonly string[]
  readonly columns: readonly ResidentColumn[]
  readonly rowEnd: string
  readonly respelled?: readonly boolean[]
}

function makeShape(table: ResidentTable, { texts, columns, rowEnd, respelled }: Parts): Shape {
  const textEnds = new Uint32Array(texts.length)
  let length = 0
  for (const [at, text] of texts.entries()) {
    length += Buffer.byteLength(text) + (at === 0 ? rowEnd.length : 0)
    textEnds[at] = length
  }
  return {
    texts: viewOf(Buffer.concat([Buffer.from(rowEnd + texts.join('')), Buffer.alloc(SLACK)])),
    textEnds,
    rowEnd: rowEnd.length,
    ...lyingBest(table, columns),
    longest: columns.reduce((sum, column) => sum + column.longest, length),
    respelled: respelled && Uint8Array.from(respelled, Number),
  }
}

/**
 * Of many columns the values are found quickest row by row, of few of them column by column: what lies between is read
 * past. Measured with 4,500 rows of 273 values: nine columns 0.5 against 3 ms, 103 columns 12 against 4 ms.
 */
function lyingBest(
  { byRow, byColumn, width, rows }: ResidentTable,
  columns: readonly ResidentColumn[],
): Pick<Shape, 'values' | 'firsts' | 'stride'> {
  if (byColumn && (!byRow || columns.length * FEW < width))
    return { values: byColumn, firsts: Uint32Array.from(columns, ({ number }) => number * rows), stride: 1 }
  return { values: byRow!, firsts: Uint32Array.from(columns, ({ number }) => number), stride: width }
}

/** Few columns are less than one in so many. */
const FEW = 8

function* filled(shape: Shape, rows: Uint32Array, room: Room): Generator<Buffer> {
  const { longest, rowEnd } = shape
  const size = Math.min(rows.length * longest, CHUNK_BYTES + longest) + SLACK
  for (let row = 0; row < rows.length; ) {
    const out = room(size)
    const filled = fill(shape, rows, row, out, size - longest - SLACK)
    yield out.subarray(row === 0 ? rowEnd : 0, filled.bytes)
    row = filled.row
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView =>
  new DataView(buffer, byteOffset, byteLength)

const QUOTE = 34
const N_OF_NULL = 110

/**
 * Copies whole rows until there are `enough` bytes. Values and names are short: eight bytes at a time, beyond their ends
 * if need be, are quicker than a call for each. As a float a piece of text stays what it is: it would change as
 * NaN alone, whose bytes are never in UTF-8 (0xF0 or more, followed by 0x7F or 0xFF).
 */
function fill(
  { texts, textEnds, values: { text: json, starts }, firsts, stride, respelled }: Shape,
  rows: Uint32Array,
  from: number,
  buffer: Buffer,
  enough: number,
): { readonly row: number; readonly bytes: number } {
  const out = viewOf(buffer)
  const values = viewOf(json)
  const count = firsts.length
  let at = 0
  let n = from
  for (; n < rows.length && at <= enough; n++) {
    const before = rows[n]! * stride
    let text = 0
    for (let part = 0; part < count; part++) {
      const textEnd = textEnds[part]!
      const length = textEnd - text
      for (let to = at; text < textEnd; text += 8, to += 8)
        out.setFloat64(to, texts.getFloat64(text, true), true)
      text = textEnd
      at += length
      const place = firsts[part]! + before
      const start = starts[place]!
      const end = starts[place + 1]! - 1
      if (respelled !== undefined) {
        const first = json[start]
        if (first === N_OF_NULL) continue
        if (respelled[part] === 1 && first === QUOTE) {
          at += buffer.write(csvText(json.toString('utf8', start, end)), at)
          continue
        }
      }
      for (let piece = start, to = at; piece < end; piece += 8, to += 8)
        out.setFloat64(to, values.getFloat64(piece, true), true)
      at += end - start
    }
  }
  return { row: n, bytes: at }
}

/** RFC 4180, 2.7; never longer than in JSON. */
const csvText = (json: string): string => `"${(JSON.parse(json) as string).replaceAll('"', '""')}"`
