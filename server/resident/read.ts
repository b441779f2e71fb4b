/** A resident table out of the engine's answer. */
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { ReadQuery } from '../engine/engine.ts'
import { formatSettings } from '../formats/settings.ts'
import { type ColumnSpec, ResidentTable, SLACK, type Values } from './table.ts'

/** How the engine must write the rows: JSON values, a comma after each. */
export const residentFormat: Pick<ReadQuery, 'format' | 'settings'> = {
  format: 'CustomSeparated',
  settings: {
    ...formatSettings.json,
    format_custom_escaping_rule: 'JSON',
    format_custom_field_delimiter: ',',
    format_custom_row_before_delimiter: '',
    format_custom_row_after_delimiter: ',',
    format_custom_row_between_delimiter: '',
    format_custom_result_before_delimiter: '',
    format_custom_result_after_delimiter: '',
  },
}

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
/** Bytes of a value that room is made for at first: untouched memory costs nothing. */
const VALUE_BYTES = 16
/** What a chunk might need beyond what is expected. */
const SPARE = 2 ** 17

/**
 * Reads what the engine wrote in `residentFormat`.
 * @param specs the columns in the order of the SELECT
 * @param expected rows that there probably are
 * @param byColumn whether the values are to lie column after column as well
 * @throws Error where the last row is not whole
 */
export async function readResidentTable(
  stream: Readable,
  specs: readonly ColumnSpec[],
  { expected, byColumn }: { readonly expected: number; readonly byColumn: boolean },
): Promise<ResidentTable> {
  const width = specs.length
  const reader = new ValuesReader(width, expected)
  for await (const chunk of stream as AsyncIterable<Buffer>) reader.take(chunk)
  const { count, longest, values } = reader
  if (count % width !== 0 || !reader.isWhole)
    throw new Error(`the engine answered with ${count} values, which are no rows of ${width}`)
  const rows = count / width
  return new ResidentTable({
    specs,
    rows,
    byRow: values,
    byColumn: byColumn ? await turned(values, rows, width) : undefined,
    longest,
  })
}

class ValuesReader {
  /** Values that are whole. */
  count = 0
  /** Bytes of the longest value of each column. */
  readonly longest: Uint32Array
  readonly #width: number
  #text: Buffer
  #starts: Uint32Array
  #length = 0
  #quoted = false
  #escaped = false

  constructor(width: number, expected: number) {
    this.#width = width
    this.longest = new Uint32Array(width)
    this.#text = Buffer.allocUnsafeSlow(expected * width * VALUE_BYTES + SPARE)
    this.#starts = new Uint32Array(expected * width + SPARE)
  }

  get values(): Values {
    return {
      text: this.#text.subarray(0, this.#length + SLACK),
      starts: this.#starts.subarray(0, this.count + 1),
    }
  }

  /** Whether what was taken ends with a value. */
  get isWhole(): boolean {
    return this.#starts[this.count] === this.#length
  }

  take(chunk: Buffer): void {
    this.#makeRoom(chunk.length)
    chunk.copy(this.#text, this.#length)
    const before = this.#length
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#quoted) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) this.#quoted = false
      } else if (byte === QUOTE) this.#quoted = true
      else if (byte === COMMA) this.#end(before + at)
    }
    this.#length += chunk.length
  }

  #end(at: number): void {
    const column = this.count % this.#width
    const size = at - this.#starts[this.count]!
    if (size > this.longest[column]!) this.longest[column] = size
    this.#starts[++this.count] = at + 1
  }

  #makeRoom(bytes: number): void {
    const least = this.#length + bytes + SLACK
    if (least > this.#text.length) {
      const text = Buffer.allocUnsafeSlow(Math.max(least, Math.ceil(this.#text.length * 1.5)))
      this.#text.copy(text, 0, 0, this.#length)
      this.#text = text
    }
    // a value and its comma have two bytes at least
    const values = this.count + (bytes >> 1) + 2
    if (values > this.#starts.length) {
      const starts = new Uint32Array(Math.max(values, Math.ceil(this.#starts.length * 1.5)))
      starts.set(this.#starts.subarray(0, this.count + 1))
      this.#starts = starts
    }
  }
}

/** The values column after column; other requests go on between columns. */
async function turned({ text, starts }: Values, rows: number, width: number): Promise<Values> {
  const out = { text: Buffer.allocUnsafeSlow(text.length), starts: new Uint32Array(starts.length) }
  let value = 0
  let length = 0
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < rows; row++) {
      const from = row * width + column
      out.starts[value++] = length
      for (let at = starts[from]!, end = starts[from + 1]!; at < end; at++) out.text[length++] = text[at]!
    }
    await setImmediate()
  }
  out.starts[value] = length
  return out
}
