/** Columns of an Arrow record batch, made of values that lie elsewhere and the places of those that are wanted. */
import { type DataType, Dictionary, Utf8 } from 'apache-arrow'
import type { Column, ColumnType } from '../catalog/columns.ts'
import type { ArrowData } from '../formats/arrow-messages.ts'
import { SLACK } from './table.ts'

/** Different texts, and which of them each row has. */
export interface TextValues {
  readonly codes: Uint32Array
  readonly texts: readonly (string | null)[]
}

/** Numbers (NaN for null, dates with the digits of their ISO spelling) or texts. */
export type Values = Float64Array | Uint32Array | TextValues

/** A column under way, of a number of rows that is known. */
export interface Making {
  /** Adds the values at these places. */
  add(values: Values, places: Uint32Array): void
  /** The column, once all is added. */
  data(): ArrowData
}

type Numbers = Float64Array | Int32Array | Uint8Array | Uint16Array | Uint32Array

/** What holds the values of the types that are numbers. */
export const arrays: Readonly<
  Partial<Record<ColumnType, new (memory: ArrayBufferLike, from: number, length: number) => Numbers>>
> = {
  Date: Int32Array,
  Float64: Float64Array,
  Int32: Int32Array,
  UInt8: Uint8Array,
  UInt16: Uint16Array,
  UInt32: Uint32Array,
}

/** @param memory of the values of a column of numbers, where it is not to be new: 8 bytes a row */
export function makingOf(column: Column, type: DataType, rows: number, memory?: Float64Array): Making {
  if (type instanceof Dictionary) return new DictionaryMaking(type.id, rows)
  return type instanceof Utf8 ? new TextMaking(rows) : new NumberMaking(column, rows, memory)
}

/** Memory for so many numbers, each of which is to be written. */
export const memoryFor = (numbers: number): Float64Array =>
  new Float64Array(Buffer.allocUnsafeSlow(numbers * 8).buffer)

class NumberMaking implements Making {
  readonly #isDate: boolean
  readonly #out: Numbers
  readonly #valid: Validity
  #rows = 0

  constructor({ type: name }: Column, rows: number, memory = memoryFor(rows)) {
    this.#isDate = name === 'Date'
    this.#out = new arrays[name]!(memory.buffer, memory.byteOffset, rows)
    this.#valid = new Validity(rows)
  }

  add(values: Values, places: Uint32Array): void {
    const at = this.#rows
    this.#rows += places.length
    if (values instanceof Float64Array && this.#out instanceof Float64Array)
      gather(values, places, this.#out, at, this.#valid)
    else this.#convert(values as Float64Array | Uint32Array, places, at)
  }

  #convert(values: Float64Array | Uint32Array, places: Uint32Array, at: number): void {
    let date = 0
    let day = 0
    for (let n = 0; n < places.length; n++) {
      const value = values[places[n]!]!
      if (Number.isNaN(value)) {
        this.#out[at + n] = 0
        this.#valid.clear(at + n)
      } else if (!this.#isDate) this.#out[at + n] = value
      else {
        // many rows of one quarter follow each other
        if (value !== date) {
          date = value
          day = days(value)
        }
        this.#out[at + n] = day
      }
    }
  }

  data(): ArrowData {
    const { nulls, bits } = this.#valid
    return { rows: this.#rows, nulls, buffers: [bits, this.#out] }
  }
}

function gather(
  values: Float64Array,
  places: Uint32Array,
  out: Float64Array,
  at: number,
  valid: Validity,
): void {
  for (let n = 0; n < places.length; n++) {
    const value = values[places[n]!]!
    if (Number.isNaN(value)) {
      out[at + n] = 0
      valid.clear(at + n)
    } else out[at + n] = value
  }
}

/** Days since 1970 of a date's number, 20260630. */
const days = (date: number): number =>
  Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / 86_400_000

class DictionaryMaking implements Making {
  readonly #id: number
  readonly #codes: Int32Array
  readonly #known = new Map<string | null, number>()
  #rows = 0

  constructor(id: number, rows: number) {
    this.#id = id
    this.#codes = new Int32Array(rows)
  }

  add(values: Values, places: Uint32Array): void {
    const { codes, texts } = values as TextValues
    const own = new Int32Array(texts.length).fill(-1)
    const at = this.#rows
    this.#rows += places.length
    for (let n = 0; n < places.length; n++) {
      const code = codes[places[n]!]!
      if (own[code] === -1) own[code] = this.#codeOf(texts[code]!)
      this.#codes[at + n] = own[code]!
    }
  }

  #codeOf(text: string | null): number {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#known.set(text, this.#known.size)
    return this.#known.size - 1
  }

  data(): ArrowData {
    const texts = [...this.#known.keys()]
    const values = new TextMaking(texts.length)
    const each = Uint32Array.from(texts.keys())
    values.add({ codes: each, texts }, each)
    return {
      ...{ rows: this.#rows, nulls: 0, buffers: [none, this.#codes] },
      dictionary: { id: this.#id, values: values.data() },
    }
  }
}

const FIRST_ROOM = 32 * 1024

class TextMaking implements Making {
  readonly #ends: Int32Array
  readonly #valid: Validity
  #bytes = Buffer.allocUnsafeSlow(FIRST_ROOM)
  #rows = 0

  constructor(rows: number) {
    this.#ends = new Int32Array(rows + 1)
    this.#valid = new Validity(rows)
  }

  /** Copies eight bytes at a time, beyond their ends if need be: see `fill` of text.ts. */
  add(values: Values, places: Uint32Array): void {
    const { codes, texts } = values as TextValues
    const { bytes, starts, absent } = packed(texts)
    const at = this.#rows
    const ends = this.#ends
    this.#rows += places.length
    let end = ends[at]!
    for (let n = 0; n < places.length; n++) {
      const code = codes[places[n]!]!
      if (code === absent) this.#valid.clear(at + n)
      end += starts[code + 1]! - starts[code]!
      ends[at + n + 1] = end
    }
    this.#makeRoom(ends[at]!, end)
    const out = new DataView(this.#bytes.buffer)
    for (let n = 0; n < places.length; n++) {
      const code = codes[places[n]!]!
      const until = starts[code + 1]!
      for (let from = starts[code]!, to = ends[at + n]!; from < until; from += 8, to += 8)
        out.setFloat64(to, bytes.getFloat64(from, true), true)
    }
  }

  #makeRoom(size: number, most: number): void {
    if (most + SLACK <= this.#bytes.length) return
    const rows = this.#ends.length - 1
    // as long as those so far, if there is no telling
    const expected = Math.ceil((most / this.#rows) * rows)
    const bytes = Buffer.allocUnsafeSlow(Math.max(expected, most) + SLACK)
    this.#bytes.copy(bytes, 0, 0, size)
    this.#bytes = bytes
  }

  data(): ArrowData {
    const data = this.#bytes.subarray(0, this.#ends[this.#rows])
    const { nulls, bits } = this.#valid
    return { rows: this.#rows, nulls, buffers: [bits, this.#ends, data] }
  }
}

interface Packed {
  readonly bytes: DataView
  readonly starts: Uint32Array
  /** The code of null; -1 where there is none. */
  readonly absent: number
}

/** Gone with the texts. */
const known = new WeakMap<readonly (string | null)[], Packed>()

function packed(texts: readonly (string | null)[]): Packed {
  let found = known.get(texts)
  if (!found) {
    const bytes = texts.map((text) => Buffer.from(text ?? ''))
    const starts = new Uint32Array(texts.length + 1)
    for (const [code, { length }] of bytes.entries()) starts[code + 1] = starts[code]! + length
    const all = Buffer.concat([...bytes, Buffer.alloc(SLACK)])
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
    found = { bytes: view, starts, absent: texts.indexOf(null) }
    known.set(texts, found)
  }
  return found
}

const none = new Uint8Array()

/** Which rows have a value: a bit each, from the lowest. */
class Validity {
  readonly #bits: Uint8Array
  #nulls = 0

  constructor(rows: number) {
    this.#bits = new Uint8Array((rows + 7) >> 3).fill(255)
  }

  clear(at: number): void {
    this.#bits[at >> 3]! &= ~(1 << (at & 7))
    this.#nulls++
  }

  get nulls(): number {
    return this.#nulls
  }

  /** Nothing where no value is null. */
  get bits(): Uint8Array {
    return this.#nulls > 0 ? this.#bits : none
  }
}
