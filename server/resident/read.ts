/** A resident table out of the engine's answer. */
import type { Readable } from 'node:stream'
import type { ReadQuery } from '../engine/engine.ts'
import { formatSettings } from '../formats/settings.ts'
import { BAND_COLUMNS, type Band, type ColumnSpec, ResidentTable, SLACK } from './table.ts'

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
 * @param expected rows that there probably are
 * @throws Error where the last row is not whole
 */
export async function readResidentTable(
  stream: Readable,
  specs: readonly ColumnSpec[],
  expected: number,
): Promise<ResidentTable> {
  const writers = Array.from({ length: Math.ceil(specs.length / BAND_COLUMNS) }, (_, at) => {
    const width = Math.min(BAND_COLUMNS, specs.length - at * BAND_COLUMNS)
    return new BandWriter(width, expected)
  })
  let band = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (const writer of writers) writer.makeRoom(chunk.length)
    for (let from = 0; from < chunk.length; ) {
      from = writers[band]!.take(chunk, from)
      if (writers[band]!.rowIsWhole) band = (band + 1) % writers.length
    }
  }
  const rows = writers[0]!.rows
  if (band !== 0 || writers.some((writer) => !writer.rowIsWhole || writer.rows !== rows))
    throw new Error('the engine answered with a row that is not whole')
  return new ResidentTable({
    specs,
    rows,
    bands: writers.map((writer) => writer.band),
    longest: writers.flatMap(({ longest }) => [...longest]),
  })
}

class BandWriter {
  readonly longest: Uint32Array
  readonly #width: number
  #text: Buffer
  #ends: Uint32Array
  #length = 0
  #count = 0
  /** Where the value that is not whole yet begins. */
  #begin = 0
  #quoted = false
  #escaped = false

  constructor(width: number, expected: number) {
    this.#width = width
    this.longest = new Uint32Array(width)
    this.#text = Buffer.allocUnsafeSlow(expected * width * VALUE_BYTES + SPARE)
    this.#ends = new Uint32Array(expected * width + SPARE)
  }

  get rows(): number {
    return Math.floor(this.#count / this.#width)
  }

  /** Whether what was taken ends with a row's last value. */
  get rowIsWhole(): boolean {
    return this.#begin === this.#length && this.#count % this.#width === 0
  }

  get band(): Band {
    return {
      text: this.#text.subarray(0, this.#length + SLACK),
      ends: this.#ends.subarray(0, this.#count),
      width: this.#width,
    }
  }

  /** So that none need be made while so many bytes are taken. */
  makeRoom(bytes: number): void {
    const least = this.#length + bytes + SLACK
    if (least > this.#text.length) {
      const text = Buffer.allocUnsafeSlow(Math.max(least, Math.ceil(this.#text.length * 1.5)))
      this.#text.copy(text, 0, 0, this.#length)
      this.#text = text
    }
    // a value and its comma have two bytes at least
    const values = this.#count + (bytes >> 1) + 1
    if (values > this.#ends.length) {
      const ends = new Uint32Array(Math.max(values, Math.ceil(this.#ends.length * 1.5)))
      ends.set(this.#ends.subarray(0, this.#count))
      this.#ends = ends
    }
  }

  /** Takes the bytes up to the end of the row, or of the chunk. @returns where it stopped */
  take(chunk: Buffer, from: number): number {
    const text = this.#text
    let length = this.#length
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
    this.#length = length
    return chunk.length
  }

  /** A value ends. @returns whether the row does */
  #end(length: number): boolean {
    const column = this.#count % this.#width
    const size = length - 1 - this.#begin
    if (size > this.longest[column]!) this.longest[column] = size
    this.#ends[this.#count++] = length - 1
    this.#length = length
    this.#begin = length
    return column === this.#width - 1
  }
}
