/** The panel of banks and quarters as numbers: rows of `quarter, bank, label`, then the features. */

/** Columns before the features: see sql/risk/panel.ts. */
const BEFORE = 3

/** Quarters that a label looks ahead. */
export const HORIZON = 4

export interface Panel {
  readonly rows: number
  readonly features: number
  /** Days since 1970 of the report dates. */
  readonly days: Float64Array
  /** The same as numbers that follow each other. */
  readonly quarters: Int32Array
  readonly banks: Float64Array
  /** 1 failed, 0 survived, NaN not known. */
  readonly labels: Float64Array
  /** A row after the other. */
  readonly x: Float64Array
}

/** Days since 1970 as the quarter's number: those of a year follow each other. */
export function quarterNumber(days: number): number {
  const date = new Date(days * 86_400_000)
  return date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3)
}

export const isoDate = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** The rows that have all features; the others have no score either. */
export function readPanel(numbers: Float64Array, features: number): Panel {
  const width = BEFORE + features
  const count = numbers.length / width
  if (!Number.isInteger(count)) throw new Error(`risk-model: expected rows of ${width} numbers`)
  const complete: number[] = []
  for (let row = 0; row < count; row++) {
    let whole = true
    for (let k = BEFORE; k < width; k++) if (!Number.isFinite(numbers[row * width + k])) whole = false
    if (whole) complete.push(row)
  }
  const column = (k: number) => Float64Array.from(complete, (row) => numbers[row * width + k]!)
  const x = new Float64Array(complete.length * features)
  for (const [at, row] of complete.entries())
    x.set(numbers.subarray(row * width + BEFORE, (row + 1) * width), at * features)
  const days = column(0)
  const quarters = Int32Array.from(days, quarterNumber)
  return { rows: complete.length, features, days, quarters, banks: column(1), labels: column(2), x }
}

/** Places of the rows that have a label, of some quarters. */
export function labelled(panel: Panel, of: (quarter: number) => boolean): Int32Array {
  const rows: number[] = []
  for (let row = 0; row < panel.rows; row++)
    if (!Number.isNaN(panel.labels[row]) && of(panel.quarters[row]!)) rows.push(row)
  return Int32Array.from(rows)
}

/** Distinct quarters of some rows, ascending. */
export const quartersOf = (panel: Panel, rows: Int32Array): number[] =>
  [...new Set(Array.from(rows, (row) => panel.quarters[row]!))].sort((a, b) => a - b)
