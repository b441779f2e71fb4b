import type { Incomplete } from '../../sql/sources/incomplete.ts'
import type { Column } from '../catalog/columns.ts'

/** What an answer says of itself: the same facts in the JSON envelope, the headers and the schema metadata. */
export interface Meta {
  readonly dataset: string
  readonly as_of: string | null
  readonly data_version: string
  readonly synthetic: boolean
  readonly sources: readonly string[]
  /** Rows in this answer. */
  readonly count: number
  /** Rows without limit and cursor. */
  readonly total: number
  readonly limit: number | null
  /** Parts of a composite that who asks does not read, and why. */
  readonly left_out?: readonly { readonly part: string; readonly dataset: string; readonly reason: string }[]
  /** Quarters of the answer whose files were not all there when they were loaded: what those would tell is null. */
  readonly incomplete?: readonly Incomplete[]
  /** The columns of the answer: `units` says the unit of each that has one. */
  readonly columns: readonly Column[]
}

export interface Links {
  readonly self: string
  readonly next: string | null
  readonly docs: string
}

/** A hundred columns and more have units, and most answers have the default columns of their dataset. */
const known = new WeakMap<readonly Column[], string>()

function unitsOf(columns: readonly Column[]): string {
  let units = known.get(columns)
  if (units === undefined) {
    units = JSON.stringify(
      Object.fromEntries(columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]]))),
    )
    known.set(columns, units)
  }
  return units
}

/** The members of the envelope beside `data`, and its end. */
const members = ({ columns, ...meta }: Meta, links: Links): string =>
  `"meta":${JSON.stringify(meta).slice(0, -1)},"units":${unitsOf(columns)}},"links":${JSON.stringify(links)}}`

/** The envelope before the data's own bytes. */
export const opening = Buffer.from('{"data":')
/** The same of a collection of places, where RFC 7946 says how the data is called. */
export const openingOfFeatures = Buffer.from('{"type":"FeatureCollection","features":')

/** The envelope after them. */
export const closing = (meta: Meta, links: Links): string => `,${members(meta, links)}\n`

/** The same where a format has metadata: of an Arrow schema, of a Parquet file. */
export const envelopeMetadata = (meta: Meta, links: Links): Record<string, string> => ({
  'banking.meta': `{${members(meta, links)}`,
})
