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
  readonly left_out?:
    | undefined
    | readonly { readonly part: string; readonly dataset: string; readonly reason: string }[]
  /** Quarters of the answer whose files were not all there when they were loaded: what those would tell is null. */
  readonly incomplete?: readonly Incomplete[] | undefined
  /** The columns of the answer: `units` says the unit of each that has one. */
  readonly columns: readonly Column[]
}

export interface Links {
  readonly self: string
  readonly next: string | null
  readonly docs: string
}

/** A hundred columns and more have units, and most answers have the default columns of their dataset. */
const known = new WeakMap<readonly Column[], Buffer>()

function unitsOf(columns: readonly Column[]): Buffer {
  let units = known.get(columns)
  if (units === undefined) {
    const pairs = columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]]))
    units = Buffer.from(JSON.stringify(Object.fromEntries(pairs)))
    known.set(columns, units)
  }
  return units
}

const { stringify: json } = JSON

/** The members of the envelope beside `data`, before the units and after them. */
function before(meta: Meta): string {
  const { left_out, incomplete } = meta
  const facts =
    `"dataset":${json(meta.dataset)},"as_of":${json(meta.as_of)},"data_version":${json(meta.data_version)},` +
    `"synthetic":${meta.synthetic},"sources":${json(meta.sources)},"count":${meta.count},"total":${meta.total},"limit":${meta.limit}`
  const more =
    (left_out ? `,"left_out":${json(left_out)}` : '') +
    (incomplete ? `,"incomplete":${json(incomplete)}` : '')
  return `"meta":{${facts}${more},"units":`
}
const after = ({ self, next, docs }: Links): string =>
  `},"links":{"self":${json(self)},"next":${json(next)},"docs":${json(docs)}}}`

/** The envelope before the data's own bytes. */
export const opening = Buffer.from('{"data":')
/** The same of a collection of places, where RFC 7946 says how the data is called. */
export const openingOfFeatures = Buffer.from('{"type":"FeatureCollection","features":')

/** The envelope after them, in parts. */
export const closing = (meta: Meta, links: Links): readonly (string | Buffer)[] => [
  `,${before(meta)}`,
  unitsOf(meta.columns),
  `${after(links)}\n`,
]

/** The same as a whole. */
export const closingBytes = (meta: Meta, links: Links): Buffer =>
  Buffer.concat(closing(meta, links).map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))

/** The same where a format has metadata: of an Arrow schema, of a Parquet file. */
export const envelopeMetadata = (meta: Meta, links: Links): Record<string, string> => ({
  'banking.meta': `{${before(meta)}${unitsOf(meta.columns)}${after(links)}`,
})
