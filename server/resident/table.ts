/**
 * Some columns of some rows of a relation, whole, in memory. It never changes. The values are the text that
 * ClickHouse wrote of them, so that an answer is copied out of it.
 */

import type { ColumnType } from '../catalog/columns.ts'
import { type Ordered, orderedByNumber, type Placed, placedByCode } from './sorted.ts'

/**
 * A date's number has the digits of its ISO spelling, 20260630: it orders and equals as the date does. A flag, and whatever
 * else there is, is copied alone: nothing is chosen or put in order by it.
 */
export type Kind = 'number' | 'date' | 'text' | 'flag'

export const kindOf = (type: ColumnType): Kind =>
  type === 'Date'
    ? 'date'
    : type === 'String' || type === 'Code'
      ? 'text'
      : /^(U?Int|Float)\d+$/.test(type)
        ? 'number'
        : 'flag'

/** A value takes about so many bytes of memory: its text and where it ends. Fewer on average, so that there is room. */
export const VALUE_BYTES = 14

export interface ColumnSpec {
  readonly name: string
  readonly kind: Kind
}

/** Values as text, one after the other. */
export interface Values {
  /** JSON values, a comma after each; then at least `SLACK` bytes that mean nothing. */
  readonly text: Buffer
  /** Where each value begins in `text`, and where the next one would after the last. */
  readonly starts: Uint32Array
}

/** A table that has all that a selection asks for. */
export interface Held {
  /** The column of numbers that the table is in the order of, where there is one. */
  readonly key: string | undefined
  /** Whether the engine answers at other times: only with its bytes nobody can tell who did. */
  readonly passing: boolean
  readonly table: () => Promise<ResidentTable>
}

/** What is made of a table elsewhere than in memory cannot be read: the engine is to be asked. */
export class TableLost extends Error {}

/** What a table is made of: see `readResidentTable`. */
export interface TableText {
  readonly specs: readonly ColumnSpec[]
  readonly rows: number
  readonly byRow: Values | undefined
  /** The same column after column, where few of many columns are often asked for. One of the two there is. */
  readonly byColumn: Values | undefined
  /** Bytes of the longest value of each column. */
  readonly longest: ArrayLike<number>
}

/** Text is copied eight bytes at a time: so many may be read and written beyond an end. */
export const SLACK = 8

const QUOTE = 34
const ZERO = 48
const BACKSLASH = 92
/** So many digits are exact as a number. */
const EXACT_DIGITS = 15

export class ResidentTable {
  readonly rows: number
  /** Columns. */
  readonly width: number
  readonly byRow: Values | undefined
  readonly byColumn: Values | undefined
  readonly #columns: ReadonlyMap<string, ResidentColumn>

  constructor(parts: TableText) {
    this.rows = parts.rows
    this.width = parts.specs.length
    this.byRow = parts.byRow
    this.byColumn = parts.byColumn
    this.#columns = new Map(parts.specs.map((spec, at) => [spec.name, new ResidentColumn(spec, parts, at)]))
  }

  column(name: string): ResidentColumn {
    const column = this.#columns.get(name)
    if (!column) throw new Error(`the resident table has no column ${name}`)
    return column
  }
}

export interface Coded {
  readonly codes: Uint32Array
  readonly texts: readonly (string | null)[]
}

/** One column of a table. What is made of its text is made when it is first asked for, which of many is never. */
export class ResidentColumn {
  readonly name: string
  readonly kind: Kind
  readonly rows: number
  /** Which of the table's columns it is, from 0. */
  readonly number: number
  /** Bytes of the longest value. */
  readonly longest: number
  readonly #values: Values
  /** Which of the values is that of the first row, and how many further that of the next one is. */
  readonly #first: number
  readonly #stride: number
  #numbers: Float64Array | undefined
  #coded: Coded | undefined
  #escaped: boolean | undefined
  #placed: Placed | undefined
  #ordered: Ordered | undefined

  constructor({ name, kind }: ColumnSpec, { specs, rows, ...parts }: TableText, number: number) {
    this.name = name
    this.kind = kind
    this.rows = rows
    this.number = number
    this.longest = parts.longest[number]!
    this.#values = parts.byColumn ?? parts.byRow!
    this.#first = parts.byColumn ? number * rows : number
    this.#stride = parts.byColumn ? 1 : specs.length
  }

  /** The values of a column of numbers or dates as numbers, NaN for null. */
  get numbers(): Float64Array {
    if (this.kind === 'text') throw new Error(`${this.name} is a text`)
    const read = this.kind === 'date' ? dateAt : numberAt
    this.#numbers ??= this.#each(new Float64Array(this.rows), (from, to) => read(this.#values.text, from, to))
    return this.#numbers
  }

  /** Of a column of texts: the different ones, and for each row which of them it has. */
  get coded(): Coded {
    if (this.kind !== 'text') throw new Error(`${this.name} is no text`)
    this.#coded ??= this.#code()
    return this.#coded
  }

  /** Of a column of texts: whether one of them may be spelled with an escape in JSON. */
  get escaped(): boolean {
    this.#escaped ??= this.#mayBeEscaped()
    return this.#escaped
  }

  /** Of a column of texts: the rows by `coded`. */
  get placed(): Placed {
    this.#placed ??= placedByCode(this.coded.codes, this.coded.texts.length)
    return this.#placed
  }

  /** Of a column of numbers or dates: the rows by their values. */
  get ordered(): Ordered {
    this.#ordered ??= orderedByNumber(this.numbers)
    return this.#ordered
  }

  /** The value of a row as the engine wrote it. */
  json(row: number): string {
    const { text, starts } = this.#values
    const at = this.#first + row * this.#stride
    return text.toString('utf8', starts[at]!, starts[at + 1]! - 1)
  }

  #mayBeEscaped(): boolean {
    const { text, starts } = this.#values
    if (this.#stride === 1)
      return text.subarray(starts[this.#first], starts[this.#first + this.rows]).includes(BACKSLASH)
    for (let row = 0, at = this.#first; row < this.rows; row++, at += this.#stride)
      if (text.subarray(starts[at], starts[at + 1]).includes(BACKSLASH)) return true
    return false
  }

  #code(): Coded {
    const known = new Map<string, number>()
    const codes = this.#each(new Uint32Array(this.rows), (from, to) => {
      const json = this.#values.text.toString('utf8', from, to)
      let code = known.get(json)
      if (code === undefined) {
        code = known.size
        known.set(json, code)
      }
      return code
    })
    return { codes, texts: [...known.keys()].map((json) => JSON.parse(json) as string | null) }
  }

  #each<A extends Float64Array | Uint32Array>(out: A, read: (from: number, to: number) => number): A {
    const { starts } = this.#values
    for (let row = 0; row < this.rows; row++) {
      const at = this.#first + row * this.#stride
      out[row] = read(starts[at]!, starts[at + 1]! - 1)
    }
    return out
  }
}

/** Whether those are all rows of the table in its order. */
export function wholeTable(table: ResidentTable, rows: Uint32Array): boolean {
  if (rows.length !== table.rows) return false
  for (let at = 0; at < rows.length; at++) if (rows[at] !== at) return false
  return true
}

/** The number of a date in its ISO spelling. */
export const dateNumber = (iso: string): number => Number(iso.replaceAll('-', ''))

function numberAt(json: Buffer, from: number, to: number): number {
  let value = 0
  if (to - from > EXACT_DIGITS) return Number(json.toString('latin1', from, to))
  for (let at = from; at < to; at++) {
    const digit = json[at]! - ZERO
    if (digit < 0 || digit > 9) {
      const text = json.toString('latin1', from, to)
      return text === 'null' ? Number.NaN : Number(text)
    }
    value = value * 10 + digit
  }
  return value
}

function dateAt(json: Buffer, from: number, to: number): number {
  if (json[from] !== QUOTE) return Number.NaN
  let value = 0
  for (let at = from + 1; at < to - 1; at++) {
    const digit = json[at]! - ZERO
    if (digit >= 0) value = value * 10 + digit
  }
  return value
}
