/** A resident table out of the engine's answer. */
import type { Readable } from 'node:stream'
import type { ReadQuery } from '../engine/engine.ts'
import { formatSettings } from '../formats/settings.ts'
import { type ColumnSpec, ResidentTable, SLACK } from './table.ts'

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
  const width = specs.length
  let text = Buffer.allocUnsafeSlow(expected * width * VALUE_BYTES + SLACK)
  let ends = new Uint32Array(expected * width)
  let length = 0
  let count = 0
  let quoted = false
  let escaped = false
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length + chunk.length + SLACK > text.length) text = larger(text, length + chunk.length + SLACK)
    chunk.copy(text, length)
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (quoted) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) quoted = false
      } else if (byte === QUOTE) quoted = true
      else if (byte === COMMA) {
        if (count === ends.length) ends = grown(ends)
        ends[count++] = length + at
      }
    }
    length += chunk.length
  }
  if (count % width !== 0 || (count > 0 && ends[count - 1] !== length - 1))
    throw new Error(`the engine answered with ${count} values, which are no rows of ${width}`)
  return new ResidentTable({
    specs,
    rows: count / width,
    text: text.subarray(0, length + SLACK),
    ends: ends.subarray(0, count),
  })
}

function larger(text: Buffer, least: number): Buffer<ArrayBuffer> {
  const next = Buffer.allocUnsafeSlow(Math.max(least, text.length * 1.5))
  text.copy(next)
  return next
}

function grown(ends: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(Math.max(1024, ends.length * 1.5))
  next.set(ends)
  return next
}
