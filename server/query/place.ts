/** The values that order a row, as texts of `keysOf`; null for one that is absent. */
export type Keys = readonly (string | null)[]

/** Where a page begins. */
export interface Place {
  /** Rows of the whole answer that come before it. */
  readonly passed: number
  /** Rows of the whole answer, known since the first page. */
  readonly total: number | undefined
  /** Of the row that it follows; undefined: the page is counted from the first row. */
  readonly keys: Keys | undefined
  /** Rows between that one and the page. */
  readonly skip: number
}

/** The first page. */
export const START: Place = { passed: 0, total: undefined, keys: undefined, skip: 0 }
