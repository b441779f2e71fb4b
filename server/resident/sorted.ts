/** Rows in the order of something, and where those of each value of it begin and end. */
export interface Placed {
  readonly rows: Uint32Array
  /** One more than there are values. */
  readonly starts: Uint32Array
}

/** The rows of each code, ascending. @param codes of each row, from 0 */
export function placedByCode(codes: Uint32Array, count: number): Placed {
  const starts = new Uint32Array(count + 1)
  for (const code of codes) starts[code + 1]!++
  for (let code = 0; code < count; code++) starts[code + 1]! += starts[code]!
  const next = starts.slice()
  const rows = new Uint32Array(codes.length)
  for (let row = 0; row < codes.length; row++) rows[next[codes[row]!]!++] = row
  return { rows, starts }
}

/** Numbers ascending with the row of each; rows that have none are not among them. */
export interface Ordered {
  readonly numbers: Float64Array
  readonly rows: Uint32Array
}

/** @param numbers of each row, NaN for none */
export function orderedByNumber(numbers: Float64Array): Ordered {
  const rows = Uint32Array.from(numbers.keys())
    .filter((row) => !Number.isNaN(numbers[row]))
    .sort((a, b) => numbers[a]! - numbers[b]!)
  return { numbers: Float64Array.from(rows, (row) => numbers[row]!), rows }
}
