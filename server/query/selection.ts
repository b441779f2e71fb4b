import type { Column } from '../catalog/columns.ts'
import type { Operator } from '../catalog/parameters.ts'

export interface SortKey {
  readonly column: string
  readonly descending: boolean
}

/** A column compared with a value; a NULL never passes. Numbers by value; texts and ISO dates `=` and `IN` by their spelling, dates in order. */
export interface Test {
  readonly column: string
  readonly operator: Operator
  readonly value: unknown
}

/** A condition of a plan in SQL, and as a test where it is no more than one. */
export interface Condition {
  readonly sql: string
  readonly test?: Test
}

/**
 * A plan that is no more than a choice of columns and rows of one relation, so that whoever holds these can answer it
 * without SQL. Column names are those of the relation.
 */
export interface Selection {
  readonly relation: string
  readonly columns: readonly Column[]
  readonly tests: readonly Test[]
  /** Total: it ends with the grain. Nulls come last in both directions. */
  readonly order: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
}
