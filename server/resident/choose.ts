/** Which rows of a resident table a selection chooses, as SQL would: the WHERE, ORDER BY and LIMIT of a plan. */
import type { SortKey } from '../query/query.ts'
import type { Operator, Selection, Test } from '../query/selection.ts'
import { dateNumber, type ResidentTable } from './table.ts'

/** Rows of a table, and how many there are without limit and offset. */
export interface Chosen {
  readonly rows: Uint32Array
  readonly total: number
}

/** @param key the column that the table is in the order of: a test for one value of it finds its rows by halving */
export function choose(table: ResidentTable, key: string, selection: Selection): Chosen {
  const { tests, order, limit, offset } = selection
  const one = tests.find(({ column, operator }) => column === key && operator === '=')
  const [from, to] = one ? range(table.column(key).numbers, one.value as number) : [0, table.rows]
  const passes = tests.filter((test) => test !== one).map((test) => predicate(table, test))
  let rows = new Uint32Array(to - from)
  let total = 0
  for (let row = from; row < to; row++) if (passes.every((pass) => pass(row))) rows[total++] = row
  rows = rows.subarray(0, total)
  sort(table, rows, order)
  return { rows: rows.subarray(offset, limit === undefined ? total : offset + limit), total }
}

/** From the first row with the value to the one after the last; the values ascend. */
function range(sorted: Float64Array, value: number): [number, number] {
  const from = firstFrom(sorted, value)
  let to = from
  while (to < sorted.length && sorted[to] === value) to++
  return [from, to]
}

/** The first place whose value is not below. */
export function firstFrom(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

type Predicate = (row: number) => boolean

function predicate(table: ResidentTable, { column: name, operator, value }: Test): Predicate {
  const column = table.column(name)
  if (column.kind === 'text') return compare(column.texts, operator, value)
  // null is NaN, which passes none
  if (column.kind === 'number') return compare(column.numbers, operator, value)
  return compare(
    column.numbers,
    operator,
    Array.isArray(value) ? value.map(dateNumber) : dateNumber(value as string),
  )
}

function compare(values: ArrayLike<unknown>, operator: Operator, value: unknown): Predicate {
  if (operator === 'IN') {
    const wanted = new Set(value as readonly unknown[])
    return (row) => wanted.has(values[row])
  }
  if (operator === '=') return (row) => values[row] === value
  const numbers = values as ArrayLike<number>
  const bound = value as number
  return operator === '>=' ? (row) => numbers[row]! >= bound : (row) => numbers[row]! <= bound
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
  if (rows.some((row, at) => at > 0 && compared(rows[at - 1]!, row) > 0)) rows.sort(compared)
}
