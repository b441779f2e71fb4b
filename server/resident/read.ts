/** A resident table out of the engine's answer. */
import type { Readable } from 'node:stream'
import type { ReadQuery } from '../engine/engine.ts'
import { formatSettings } from '../formats/settings.ts'
import { type ColumnSpec, ResidentTable, SLACK, type TableText } from './table.ts'

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
const VALUE_BYTES = 12
/** What a chunk might need beyond what is expected. */
const SPARE = 2 ** 17

/**
 * Reads what the engine wrote in `residentFormat`.
 * @param specs the columns in the order of the SELECT
 * @param together columns of a band
 * @param expected rows that there probably are
 * @throws Error where the last row is not whole
 */
export async function readResidentTable(
  stream: Readable,
  specs: readonly ColumnSpec[],
  { together, expected }: { readonly together: number; readonly expected: number },
): Promise<ResidentTable> {
  const bands: BandWriter[] = []
  for (let from = 0; from < specs.length; from += together)
    bands.push(new BandWriter(Math.min(together, specs.length - from), expected))
  let band = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (const writer of bands) writer.makeRoom(chunk.length)
    for (let from = 0; from < chunk.length; ) {
      from = bands[band]!.take(chunk, from)
      if (bands[band]!.rowIsWhole) band = (band + 1) % bands.length
    }
  }
  const { rows } = bands[0]!
  if (band !== 0 || bands.some((writer) => !writer.rowIsWhole || writer.rows !== rows))
    throw new Error('the engine answered with a row that is not whole')
  const longest = bands.flatMap((writer) => [...writer.longest])
  return new ResidentTable({ specs, rows, together, longest, ...joined(bands) })
}

/** The bands one after the other. All are read through one view, as each costs a copying loop checks of its own. */
function joined(bands: readonly BandWriter[]): Pick<TableText, 'text' | 'starts'> {
  const [only] = bands
  if (bands.length === 1) return { text: only!.text, starts: only!.starts }
  const length = bands.reduce((sum, band) => sum + band.length, 0)
  const text = Buffer.allocUnsafeSlow(length + SLACK)
  const starts = new Uint32Array(bands.reduce((sum, band) => sum + band.count, 1))
  let bytes = 0
  let values = 0
  for (const band of bands) {
    band.text.copy(text, bytes, 0, band.length)
    const before = bytes
    starts.set(
      band.starts.map((start) => start + before),
      values,
    )
    bytes += band.length
    values += band.count
  }
  return { text, starts }
}

class BandWriter {
  readonly longest: Uint32Array
  length = 0
  count = 0
  readonly #width: number
  #text: Buffer
  /** Of the values that are whole, and of the next one. */
  #starts: Uint32Array
  #quoted = false
  #escaped = false

  constructor(width: number, expected: number) {
    this.#width = width
    this.longest = new Uint32Array(width)
    this.#text = Buffer.allocUnsafeSlow(expected * width * VALUE_BYTES + SPARE)
    this.#starts = new Uint32Array(expected * width + SPARE)
  }

  get rows(): number {
    return Math.floor(this.count / this.#width)
  }

  get text(): Buffer {
    return this.#text.subarray(0, this.length + SLACK)
  }

  get starts(): Uint32Array {
    return this.#starts.subarray(0, this.count + 1)
  }

  /** Whether what was taken ends with a row's last value. */
  get rowIsWhole(): boolean {
    return this.#starts[this.count] === this.length && this.count % this.#width === 0
  }

  /** So that none need be made while so many bytes are taken. */
  makeRoom(bytes: number): void {
    const least = this.length + bytes + SLACK
    if (least > this.#text.length) {
      const text = Buffer.allocUnsafeSlow(Math.max(least, Math.ceil(this.#text.length * 1.5)))
      this.#text.copy(text, 0, 0, this.length)
      this.#text = text
    }
    // a value and its comma have two bytes at least
    const values = this.count + (bytes >> 1) + 2
    if (values > this.#starts.length) {
      const starts = new Uint32Array(Math.max(values, Math.ceil(this.#starts.length * 1.5)))
      starts.set(this.starts)
      this.#starts = starts
    }
  }

  /** Takes the bytes up to the end of the row, or of the chunk. @returns where it stopped */
  take(chunk: Buffer, from: number): number {
    const text = this.#text
    let length = this.length
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      text[length++] = byte
      if (this.#quoted) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) this.#quoted = false
      } else if (byte === QUOTE) this.#quoted = true
      else if (byte === COMMA && this.#end(length)) return at + 1
    }
    this.length = length
    return chunk.length
  }

  /** A value ends. @returns whether the row does */
  #end(length: number): boolean {
    const column = this.count % this.#width
    const size = length - 1 - this.#starts[this.count]!
    if (size > this.longest[column]!) this.longest[column] = size
    this.#starts[++this.count] = length
    this.length = length
    return column === this.#width - 1
  }
}
