import type { Readable } from 'node:stream'

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const NEWLINE = 10
const TAB = 9
/** What ClickHouse writes between the values of an array. */
export const SEPARATOR = ', '
const ZERO = 48
/** So many digits are exact as a number. */
const EXACT_DIGITS = 15

/** A date's number has the digits of its ISO spelling, 20260630: it orders and equals as the date does. */
export type Kind = 'number' | 'date' | 'text'

export interface ColumnSpec {
  readonly name: string
  readonly kind: Kind
}

/**
 * The values of one column as ClickHouse wrote them in JSON, one after the other. What is made of them is made when
 * it is first asked for: of most columns only the text is ever wanted, and of many nothing.
 */
export class ResidentColumn {
  readonly name: string
  readonly kind: Kind
  readonly rows: number
  /** JSON values with a separator after each but the last. */
  readonly json: Buffer
  #ends: Uint32Array | undefined
  #numbers: Float64Array | undefined
  #texts: readonly (string | null)[] | undefined

  constructor({ name, kind }: ColumnSpec, rows: number, json: Buffer) {
    this.name = name
    this.kind = kind
    this.rows = rows
    this.json = json
  }

  /** Where the value of a row begins in `json`. */
  start(row: number): number {
    return row === 0 ? 0 : this.ends[row - 1]! + SEPARATOR.length
  }

  /** Where the value of each row ends in `json`. */
  get ends(): Uint32Array {
    this.#ends ??= endsOf(this.json, this.rows, this.name)
    return this.#ends
  }

  /** The values of a column of numbers or dates as numbers, NaN for null. */
  get numbers(): Float64Array {
    if (this.kind === 'text') throw new Error(`${this.name} is a text`)
    const read = this.kind === 'date' ? dateAt : numberAt
    this.#numbers ??= Float64Array.from(this.ends, (end, row) => read(this.json, this.start(row), end))
    return this.#numbers
  }

  /** The values as texts. */
  get texts(): readonly (string | null)[] {
    this.#texts ??= JSON.parse(`[${this.json.toString()}]`) as (string | null)[]
    return this.#texts
  }
}

/** Some columns of some rows of a relation, whole, in memory, column by column. It never changes. */
export class ResidentTable {
  readonly rows: number
  readonly #columns: ReadonlyMap<string, ResidentColumn>

  constructor(columns: readonly ResidentColumn[]) {
    this.rows = columns[0]?.rows ?? 0
    this.#columns = new Map(columns.map((column) => [column.name, column]))
  }

  has(name: string): boolean {
    return this.#columns.has(name)
  }

  column(name: string): ResidentColumn {
    const column = this.#columns.get(name)
    if (!column) throw new Error(`the resident table has no column ${name}`)
    return column
  }
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

/**
 * Reads what ClickHouse wrote as JSONCompactColumns: an array a line for each column, as no line break is in JSON.
 * @param specs the columns in the order of the SELECT, the first of them of numbers
 */
export async function readResidentTable(
  stream: Readable,
  specs: readonly ColumnSpec[],
): Promise<ResidentTable> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from)
    const to = newline < 0 ? bytes.length : newline
    const line = bytes.subarray(from, to)
    // the first and the last line are the brackets of the whole
    if (line[0] === TAB) lines.push(line.subarray(line.indexOf('[') + 1, line.lastIndexOf(']')))
    from = to + 1
  }
  if (lines.length !== specs.length)
    throw new Error(`the engine answered with ${lines.length} columns, not ${specs.length}`)
  const rows = lines[0]!.length === 0 ? 0 : valuesOf(lines[0]!)
  return new ResidentTable(specs.map((spec, at) => new ResidentColumn(spec, rows, lines[at]!)))
}

/** How many values a text of numbers or dates has: no comma lies within one. */
function valuesOf(json: Buffer): number {
  let count = 1
  for (let at = json.indexOf(COMMA); at >= 0; at = json.indexOf(COMMA, at + 1)) count++
  return count
}

function endsOf(json: Buffer, rows: number, name: string): Uint32Array {
  const ends = new Uint32Array(rows)
  const { length } = json
  let row = 0
  let at = 0
  while (row < rows) {
    if (json[at] === QUOTE) {
      at++
      while (at < length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
      at++
    } else while (at < length && json[at] !== COMMA) at++
    ends[row++] = at
    if (at >= length) break
    at += SEPARATOR.length
  }
  if (row !== rows || at < length)
    throw new Error(`the column ${name} has not the ${rows} values of its table`)
  return ends
}
