/** Rows of a resident table as an Arrow IPC stream: one batch, of the types that the engine has for the same columns. */
import {
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import type { Column, ColumnType } from '../catalog/columns.ts'
import { arrowType, factsOf } from '../formats/arrow-schema.ts'
import { type Coded, kindOf, type ResidentColumn, type ResidentTable, wholeTable } from './table.ts'

/** Whether all of the columns can be had: of those types that a table in memory has. */
export const hasArrow = (columns: readonly Column[]): boolean =>
  columns.every(({ type }) => kindOf(type) === 'text' || type in arrays)

/** @param metadata of the schema */
export function arrowStream(
  table: ResidentTable,
  columns: readonly Column[],
  rows: Uint32Array,
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const held = columns.map((column) => table.column(column.name))
  const types = columns.map((column, at) => typeOf(column, held[at]!))
  const fields = columns.map(
    (column, at) => new Field(column.name, types[at]!, column.nullable, factsOf(column)),
  )
  const schema = new Schema(fields, new Map(Object.entries(metadata)))
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  if (rows.length > 0) {
    const all = wholeTable(table, rows)
    const children = columns.map((column, at) => {
      const type = types[at]!
      return all ? wholeData(column, held[at]!, type, rows) : dataOf(column, held[at]!, type, rows)
    })
    writer.write(
      new RecordBatch(
        schema,
        makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children }),
      ),
    )
  }
  writer.finish()
  const { buffer, byteOffset, byteLength } = writer.toUint8Array(true)
  return Buffer.from(buffer, byteOffset, byteLength)
}

type Numbers = Float64Array | Int32Array | Uint8Array | Uint16Array | Uint32Array

/** What holds the values of the types that are numbers. */
const arrays: Readonly<Partial<Record<ColumnType, new (length: number) => Numbers>>> = {
  Date: Int32Array,
  Float64: Float64Array,
  Int32: Int32Array,
  UInt8: Uint8Array,
  UInt16: Uint16Array,
  UInt32: Uint32Array,
}

/** A code that is never absent has a dictionary, as the engine's Arrow has it: see `output` of server/query/plan.ts. */
function typeOf({ type, nullable }: Column, held: ResidentColumn): DataType {
  if (type === 'Code' && !nullable) return new Dictionary(new Utf8(), new Int32(), held.number)
  return arrowType(type)
}

/** A whole column is asked for again and again, and never changes. */
const whole = new WeakMap<ResidentColumn, Map<ColumnType, Data>>()

function wholeData(column: Column, held: ResidentColumn, type: DataType, rows: Uint32Array): Data {
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

function dataOf({ type: name }: Column, held: ResidentColumn, type: DataType, rows: Uint32Array): Data {
  if (held.kind === 'text') {
    const { coded } = held
    return type instanceof Dictionary ? dictionaryData(coded, type, rows) : textData(coded, type, rows)
  }
  const { numbers } = held
  const data = new arrays[name]!(rows.length)
  const valid = new Validity(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const value = numbers[rows[at]!]!
    if (Number.isNaN(value)) valid.clear(at)
    else data[at] = name === 'Date' ? days(value) : value
  }
  return makeData({ type, length: rows.length, data, ...valid.parts } as never)
}

/** Days since 1970 of a date's number, 20260630. */
const days = (date: number): number =>
  Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / 86_400_000

function dictionaryData({ codes, texts }: Coded, type: Dictionary, rows: Uint32Array): Data {
  const data = new Int32Array(rows.length)
  for (let at = 0; at < rows.length; at++) data[at] = codes[rows[at]!]!
  const dictionary = vectorFromArray(texts as string[], new Utf8())
  return makeData({ type, length: rows.length, nullCount: 0, data, dictionary } as never)
}

function textData({ codes, texts }: Coded, type: DataType, rows: Uint32Array): Data {
  const bytes = texts.map((text) => (text === null ? null : Buffer.from(text)))
  const valueOffsets = new Int32Array(rows.length + 1)
  const valid = new Validity(rows.length)
  const values: Buffer[] = []
  let length = 0
  for (let at = 0; at < rows.length; at++) {
    const value = bytes[codes[rows[at]!]!]
    if (value) {
      values.push(value)
      length += value.length
    } else valid.clear(at)
    valueOffsets[at + 1] = length
  }
  return makeData({
    type,
    length: rows.length,
    valueOffsets,
    data: Buffer.concat(values, length),
    ...valid.parts,
  } as never)
}

/** Which rows have a value: a bit each, from the lowest. */
class Validity {
  readonly #bits: Uint8Array
  #nulls = 0

  constructor(length: number) {
    this.#bits = new Uint8Array((length + 7) >> 3).fill(255)
  }

  clear(at: number): void {
    this.#bits[at >> 3]! &= ~(1 << (at & 7))
    this.#nulls++
  }

  get parts(): { readonly nullCount: number; readonly nullBitmap: Uint8Array | null } {
    return { nullCount: this.#nulls, nullBitmap: this.#nulls > 0 ? this.#bits : null }
  }
}
