/** Which rows of a resident table a selection chooses, as SQL would: the WHERE, ORDER BY and LIMIT of a plan. */

import { firstAfter, firstFrom } from '../../sql/ascending.ts'
import type { Operator } from '../catalog/parameters.ts'
import type { Selection, SortKey, Test } from '../query/selection.ts'
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
  const least = fewest(table, key, tests)
  let rows = least ? least.rows() : between(0, table.rows)
  for (const test of tests) if (test !== least?.test) rows = rows.subarray(0, keep(table, test, rows))
  sort(table, rows, order)
  const total = rows.length
  return { rows: rows.subarray(offset, limit === undefined ? total : offset + limit), total }
}

/** The rows that pass a test, which are known without looking at each. */
interface Reach {
  readonly test: Test
  readonly count: number
  /** Ascending. */
  readonly rows: () => Uint32Array
}

/** In a larger table nothing is put in order for what may be asked once: it is in the order of what it is asked by. */
const MOST_ORDERED = 20_000
/** Where more than one row in so many passes, looking at all of them is as quick. */
const FEW = 4

/** The test that the fewest rows pass, where that is worth knowing. */
function fewest(table: ResidentTable, key: string | undefined, tests: readonly Test[]): Reach | undefined {
  const one = tests.find(({ column, operator }) => column === key && operator === '=')
  if (one) {
    const { numbers } = table.column(one.column)
    const from = firstFrom(numbers, one.value as number)
    const to = firstAfter(numbers, one.value as number)
    return { test: one, count: to - from, rows: () => between(from, to) }
  }
  if (table.rows > MOST_ORDERED) return undefined
  let least: Reach | undefined
  for (const test of tests) {
    const reach = reachOf(table, test)
    if (reach && reach.count * FEW <= table.rows && !(least && least.count <= reach.count)) least = reach
  }
  return least
}

function reachOf(table: ResidentTable, test: Test): Reach | undefined {
  const { operator, value } = test
  const column = table.column(test.column)
  if (column.kind === 'text') {
    const { texts } = column.coded
    const { rows, starts } = column.placed
    const wanted = operator === 'IN' ? (value as readonly unknown[]) : [value]
    const parts: Uint32Array[] = []
    for (let code = 0; code < texts.length; code++)
      if (texts[code] !== null && wanted.includes(texts[code]))
        parts.push(rows.subarray(starts[code], starts[code + 1]))
    return reach(test, parts, true)
  }
  if (operator === 'IN') return undefined
  const { rows, numbers } = column.ordered
  const bound = column.kind === 'date' ? dateNumber(value as string) : (value as number)
  const from = operator === '<=' ? 0 : firstFrom(numbers, bound)
  const to = operator === '>=' ? numbers.length : firstAfter(numbers, bound)
  return reach(test, [rows.subarray(from, to)], false)
}

/** @param ascending whether the rows of each part are */
const reach = (test: Test, parts: readonly Uint32Array[], ascending: boolean): Reach => {
  let count = 0
  for (const part of parts) count += part.length
  return {
    test,
    count,
    rows() {
      if (ascending && parts.length === 1) return parts[0]!.slice()
      const all = new Uint32Array(count)
      let at = 0
      for (const part of parts) {
        all.set(part, at)
        at += part.length
      }
      return all.sort()
    },
  }
}

function between(from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from)
  for (let row = from; row < to; row++) rows[row - from] = row
  return rows
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
  if (rows.length < 2) return
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
