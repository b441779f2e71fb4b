import type { EntityKind } from '../datasets/parameters.ts'
import type { Filings } from './filings.ts'

/**
 * What one data version holds, as far as planning must know it: which institutions filed which quarters. Small
 * (about 2 bytes a filing), read once a data version, so that existence and `as_of` cost a request no query.
 * Quarters are ordinals (query/quarter.ts), ascending.
 */
export interface Holdings {
  /** The quarters that the industry has filed. */
  readonly industry: ArrayLike<number>
  /** The quarter that cross-sections look from by default; undefined where nothing is held. */
  readonly latest: number | undefined
  /** The quarter whose figures are all in the server's memory, as an ISO date. */
  readonly inMemory?: string | undefined
  /** Counts of banks by quarter and state; undefined where totals are counted by the engine alone. */
  readonly filings?: Filings | undefined
  /** Filed quarters of an institution; undefined for one that never filed. */
  quartersOf(kind: EntityKind, id: number): ArrayLike<number> | undefined
}
