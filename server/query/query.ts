import type { Dataset } from '../catalog/define.ts'
import type { Format } from '../formats/names.ts'
import type { Place } from './place.ts'
import type { SortKey } from './selection.ts'

export interface Bound {
  readonly column: string
  readonly side: 'min' | 'max'
  readonly value: number
}

/** A request that was read and found valid, before it meets the data. */
export interface Query {
  readonly dataset: Dataset
  /** Values of declared parameters by name, defaults included. */
  readonly values: ReadonlyMap<string, unknown>
  readonly bounds: readonly Bound[]
  readonly fields: readonly string[] | undefined
  readonly limit: number | undefined
  /** The order of its rows, which is total. */
  readonly order: readonly SortKey[]
  /** Where its page begins: from the cursor, already checked against this query and data version. */
  readonly place: Place
  /** The cursor as it was given; '' where none was. */
  readonly cursor: string
  /** From `format=`; undefined leaves it to `Accept`. */
  readonly format: Format | undefined
  /** The path with its values and last slash. */
  readonly path: string
  /** Canonical query without the cursor: names in order, values spelled one way. Equal means the same rows. */
  readonly canonical: string
}
