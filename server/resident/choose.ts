/** Which rows of a resident table a selection chooses, as SQL would: the WHERE, ORDER BY and LIMIT of a plan. */

import type { Operator } from '../catalog/parameters.ts'
import type { Selection, SortKey, Test } from '../query/selection.ts'
import { firstFrom } from './sorted.ts'
import { dateNumber, type ResidentTable } from './table.ts'

/** Rows of a table, and how many there are without limit and offset. */
export interface Chosen {
  readonly rows: Uint32Array
  readonly total: number
}

/**
 * @param key the column of numbers that the table is in the order of, where there is one: a test for one value of it
 *   finds its rows by halving
 */
export function choose(table: ResidentTable, key: string | undefined, selection: Selection): Chosen {
  const { tests, order, limit, offset } = selection
  const one = tests.find(({ column, operator }) => column === key && operator === '=')
  const [from, to] = one ? range(table.column(one.column).numbers, one.value as number) : [0, table.rows]
  let rows = new Uint32Array(to - from)
  for (let row = from; row < to; row++) rows[row - from] = row
  for (const test of tests) if (test !== one) rows = rows.subarray(0, keep(table, test, rows))
  sort(table, rows, order)
  const total = rows.length
  return { rows: rows.subarray(offset, limit === undefined ? total : offset + limit), total }
}

/** From the first row with the value to the one after the last; the values ascend. */
function range(sorted: Float64Array, value: number): [number, number] {
  const from = firstFrom(sorted, value)
  let to = from
  while (to < sorted.length && sorted[to] === value) to++
  return [from, to]
}

/** Moves the rows that pass to the front. @returns how many there are */
function keep(table: ResidentTable, { column: name, operator, value }: Test, rows: Uint32Array): number {
  const column = table.column(name)
  const wanted = operator === 'IN' ? (value as readonly unknown[]) : [value]
  if (column.kind === 'text') {
    const { codes, texts } = column.coded
    const passing = Uint8Array.from(texts, (text) => (text !== null && wanted.includes(text) ? 1 : 0))
    return keepCodes(codes, passing, rows)
  }
  const values = wanted.map((one) => (column.kind === 'date' ? dateNumber(one as string) : (one as number)))
  if (operator === 'IN') return keepAny(column.numbers, new Set(values), rows)
  return keepNumbers(column.numbers, operator, values[0]!, rows)
}

function keepCodes(codes: Uint32Array, passing: Uint8Array, rows: Uint32Array): number {
  let kept = 0
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    if (passing[codes[row]!] === 1) rows[kept++] = row
  }
  return kept
}

function keepAny(numbers: Float64Array, wanted: ReadonlySet<number>, rows: Uint32Array): number {
  let kept = 0
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    // NaN is what a null is here
    if (wanted.has(numbers[row]!)) rows[kept++] = row
  }
  return kept
}

/** A null is NaN, which passes no comparison. */
function keepNumbers(numbers: Float64Array, operator: Operator, bound: number, rows: Uint32Array): number {
  let kept = 0
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    const number = numbers[row]!
    const passes = operator === '=' ? number === bound : operator === '>=' ? number >= bound : number <= bound
    if (passes) rows[kept++] = row
  }
  return kept
}

/** Sorts in place, by numbers and dates alone. */
function sort(table: ResidentTable, rows: Uint32Array, order: readonly SortKey[]): void {
  const keys = order.map(({ column, descending }) => ({
    numbers: table.column(column).numbers,
    sign: descending ? -1 : 1,
  }))
  const compared = (a: number, b: number): number => {
    for (const { numbers, sign } of keys) {
      const left = numbers[a]!
      const right = numbers[b]!
      if (left === right) continue
      // nulls last, whichever the direction
      if (Number.isNaN(left)) {
        if (Number.isNaN(right)) continue
        return 1
      }
      if (Number.isNaN(right)) return -1
      return left < right ? -sign : sign
    }
    return 0
  }
  // most ask for the order that the table has
  for (let at = 1; at < rows.length; at++) {
    if (compared(rows[at - 1]!, rows[at]!) > 0) {
      rows.sort(compared)
      return
    }
  }
}
