import type { Metric } from '../../sql/formula/metrics/index.ts'

/**
 * What the SQL of a declaration may look at. It answers questions about the request, never hands out its text:
 * values are written `{name:Type}` and bound by the engine.
 */
export interface Scope {
  /** Metrics that the request chose, else the declaration's default ones. */
  readonly metrics: readonly Metric[]
  /** Whether the request gave the parameter (a default counts as given). */
  has(parameter: string): boolean
  /** Whether a parameter has that value: to choose between branches of SQL. */
  is(parameter: string, value: string | number | boolean): boolean
}

/**
 * The rows of every institution at once, where they are few enough for the server's memory: it answers in place of
 * `from`, and they must have the same values. None of these may be a list.
 */
export interface AllRows {
  /** SELECT of them; `{quarter:Date}` is the latest filed quarter. */
  readonly from: string
  /**
   * What `from` of the dataset compares by itself: parameters with the column of each, a number or a date. The rows lie in
   * the order of the first. With `report_date` among them they are those of the latest quarter.
   */
  readonly by: Readonly<Record<string, string>>
}

/** The figures of the latest quarter, column by column, as a count over them reads them. */
export interface QuarterInMemory {
  readonly rows: number
  column(name: string): {
    /** NaN where there is none. */
    readonly numbers: Float64Array
    /** Texts as codes: equal texts have equal ones. */
    readonly coded: { readonly codes: ArrayLike<number> }
    /** The value of a row in JSON, as the engine writes it. */
    json(row: number): string
  }
}

/**
 * The rows of a dataset worked out over the quarter that is in memory: the values of each column in JSON, as the engine
 * would write them.
 * @param asked values of the parameters, and what the steps bind
 */
export type Counted = (
  quarter: QuarterInMemory,
  asked: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, readonly string[]>>
