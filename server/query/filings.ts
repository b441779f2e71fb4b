import type { Test } from './selection.ts'

/** Banks with derived figures of one quarter (ISO date) and head-office state. */
export interface FilingCount {
  readonly report_date: string
  readonly hq_state: string
  readonly filings: number
}

/** Relations that have a row a bank and quarter, with both columns. */
const relations: readonly string[] = ['bank_quarters', 'state_quarters']

/** How many banks each quarter has in each state, so that the rows of most panels are known without a query. */
export class Filings {
  readonly #counts: readonly FilingCount[]

  constructor(counts: readonly FilingCount[]) {
    this.#counts = counts
  }

  /** Rows of a relation that pass all tests; undefined where these look at more than quarter and state. */
  rows(relation: string, tests: readonly Test[]): number | undefined {
    if (!relations.includes(relation)) return undefined
    const passes: ((count: FilingCount) => boolean)[] = []
    for (const { column, operator, value } of tests) {
      if (column !== 'report_date' && column !== 'hq_state') return undefined
      const wanted = new Set(operator === 'IN' ? (value as readonly unknown[]) : [value])
      if (operator === 'IN' || operator === '=') passes.push((count) => wanted.has(count[column]))
      else if (column === 'hq_state') return undefined
      else if (operator === '>=') passes.push(({ report_date }) => report_date >= (value as string))
      else passes.push(({ report_date }) => report_date <= (value as string))
    }
    let rows = 0
    for (const count of this.#counts) if (passes.every((pass) => pass(count))) rows += count.filings
    return rows
  }
}
