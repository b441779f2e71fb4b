import type { Column } from '../datasets/columns.ts'

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
  readonly units: Readonly<Record<string, string>>
}

export interface Links {
  readonly self: string
  readonly next: string | null
  readonly docs: string
}

const known = new WeakMap<readonly Column[], Readonly<Record<string, string>>>()

/** `meta.units`: the unit of each column that has one. */
export function unitsOf(columns: readonly Column[]): Readonly<Record<string, string>> {
  let units = known.get(columns)
  if (!units) {
    units = Object.fromEntries(
      columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
    )
    known.set(columns, units)
  }
  return units
}

/** The envelope before the data's own bytes. */
export const opening = Buffer.from('{"data":')

/** The envelope after them. */
export const closing = (meta: Meta, links: Links): string =>
  `,"meta":${JSON.stringify(meta)},"links":${JSON.stringify(links)}}\n`
