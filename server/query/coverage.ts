import type { EntityKind } from '../catalog/parameter.ts'
import type { Filings } from './filings.ts'

/**
 * What one data version covers, as far as planning must know it: which institutions there are, and which quarters they
 * filed. Small (4 bytes an institution, about 2 a filing), read once a data version, so that existence and `as_of` cost a
 * request no query. Quarters are ordinals (sql/quarter.ts), ascending.
 */
export interface Coverage {
  /** What all institutions of a kind have filed. */
  filed(kind: EntityKind): FiledQuarters
  /** Filed quarters of an institution; undefined for one that never filed. */
  quartersOf(kind: EntityKind, id: number): ArrayLike<number> | undefined
  /** Whether any source knows the institution, though it may never have filed. */
  knows(kind: EntityKind, id: number): boolean
  /** The quarter whose figures of banks are all in the server's memory, as an ISO date. */
  readonly inMemory?: string | undefined
  /** Counts of banks by quarter and state; undefined where totals are counted by the engine alone. */
  readonly filings?: Filings | undefined
}

export interface FiledQuarters {
  readonly quarters: ArrayLike<number>
  /** The quarter that cross-sections look from by default; undefined where nothing is held. */
  readonly latest: number | undefined
}

/** Whether a number is among sorted ones. */
export function includes(sorted: ArrayLike<number>, wanted: number): boolean {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (sorted[middle] === wanted) return true
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}
