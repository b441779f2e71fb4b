import { bareHeading, type SourceColumn } from '../../sql/sources/columns.ts'
import type { SeriesColumn, Table } from '../../sql/sources/declare.ts'
import { LoadError } from '../lib/errors.ts'
import type { Named } from './whole.ts'

/** Made of other columns or rows, and in no file. */
export const isMade = ({ computed, stamped, beside }: SourceColumn): boolean =>
  computed !== undefined || stamped !== undefined || beside === true

/** Where a file has the columns of a table. */
export interface Layout {
  table: Table
  /** 1-based field by column; a column that the file lacks is not there. */
  fields: ReadonlyMap<string, number>
  /** The heading of each, as the file spells it. */
  headings: ReadonlyMap<string, string>
  width: number
}

/** The layout of a file with this header, or the columns that it lacks and must not. */
export function layoutOf(table: Table, header: readonly string[]): Layout | { lacking: string[] } {
  const places = new Map<string, number>()
  for (const [index, heading] of header.entries()) {
    const bare = bareHeading(heading)
    if (bare !== '' && !places.has(bare)) places.set(bare, index + 1)
  }
  const lacking = lackingAmong(table, places)
  if (lacking.length > 0) return { lacking }
  const fields = new Map<string, number>()
  const headings = new Map<string, string>()
  for (const [name, column] of Object.entries(table.columns)) {
    const found = isMade(column) ? undefined : placeOf(column, places)
    if (found === undefined) continue
    fields.set(name, found)
    headings.set(name, header[found - 1]!.replace(/^#/, '').trim())
  }
  return { table, fields, headings, width: header.length }
}

/** Columns that every file of a table has. */
export const neededBy = ({ columns }: Table): SourceColumn[] =>
  Object.values(columns).filter((column) => !isMade(column) && !column.mayLack)

/** What a table needs and is not among these bare headings. */
export function lackingAmong(table: Table, bare: { has(heading: string): boolean }): string[] {
  const has = ({ headings }: SourceColumn) => headings.some((heading) => bare.has(bareHeading(heading)))
  const lacking = neededBy(table).flatMap((column) => (has(column) ? [] : [column.headings[0]!]))
  const some = (table.someOf ?? []).map((name) => table.columns[name]!)
  if (some.length === 0 || some.some(has)) return lacking
  const named = some.slice(0, 3).map(({ headings }) => headings[0])
  return [...lacking, `one of ${named.join(', ')}${some.length > 3 ? ', …' : ''}`]
}

const placeOf = ({ headings }: SourceColumn, places: ReadonlyMap<string, number>): number | undefined =>
  headings.map((heading) => places.get(bareHeading(heading))).find((place) => place !== undefined)

/** What of a table's headings a header lacks. */
export function lackingIn(table: Table, header: readonly string[], file: Named): string[] {
  if (table.series) return seriesIn(table, header, file) ? [] : [table.series.like]
  const layout = layoutOf(table, header)
  return 'lacking' in layout ? layout.lacking : []
}

/**
 * The columns of a wide table of series; undefined: it is none of this source.
 * @throws LoadError where it must be this source's, and cannot be read
 */
export function seriesIn(
  { series }: Table,
  header: readonly string[],
  { name, place }: Named,
): readonly SeriesColumn[] | undefined {
  const found = series!.columns(header, name)
  if (typeof found === 'string') throw new LoadError(`${place}: ${found}`)
  return found
}

/** Names of the columns that the file has no field for. */
export const lackingOf = ({ table, fields }: Layout): string[] =>
  Object.entries(table.columns).flatMap(([name, column]) =>
    isMade(column) || fields.has(name) ? [] : [name],
  )
