/** What stands after SELECT: the columns of an answer as SQL. */
import type { Column } from '../catalog/columns.ts'
import type { Dataset } from '../catalog/define.ts'

export const expression = (column: Column): string => column.sql ?? column.name

/** SELECT lists by their columns: the default ones of a dataset are the same array at every request. */
const lists = {
  plain: new WeakMap<readonly Column[], string>(),
  dictionary: new WeakMap<readonly Column[], string>(),
}

export function selectList(columns: readonly Column[], dictionary: boolean): string {
  const known = dictionary ? lists.dictionary : lists.plain
  let list = known.get(columns)
  if (list === undefined) {
    list = columns.map((column) => output(column, dictionary)).join(', ')
    known.set(columns, list)
  }
  return list
}

/** One entry of the SELECT list. */
function output(column: Column, dictionary: boolean): string {
  const sql = expression(column)
  // ClickHouse writes an absent entry as index -1, which polars refuses: only what is never absent has a dictionary
  if (dictionary && column.type === 'Code')
    return column.nullable
      ? `CAST(${sql} AS Nullable(String)) AS ${column.name}`
      : `toLowCardinality(${sql}) AS ${column.name}`
  return sql === column.name ? sql : `${sql} AS ${column.name}`
}

/** Where a row lies on the map. */
export const pointOf = ({ point, allColumns }: Dataset): string =>
  `[${[point!.longitude, point!.latitude].map((name) => expression(allColumns.get(name)!)).join(', ')}] AS _point`

/** The rows as features of GeoJSON: where one is stands in its geometry alone, unless nothing else was asked for. */
export function asFeatures({ point }: Dataset, columns: readonly Column[], rows: string): string {
  const place = Object.values(point!)
  const others = columns.filter(({ name }) => !place.includes(name))
  const names = (others.length > 0 ? others : columns).map(({ name }) => name).join(', ')
  return `SELECT 'Feature' AS type, CAST(('Point', _point), 'Tuple(type String, coordinates Array(Float64))') AS geometry,
    tuple(${names}) AS properties FROM (${rows})`
}

/** The columns of what an item of a feed says. */
export const itemColumns = ({ feed, allColumns }: Dataset): readonly Column[] =>
  [...new Set(Object.values(feed!))].map((name) => allColumns.get(name)!)

/** Text that XML may hold. */
const xml = (sql: string): string =>
  `encodeXMLComponent(replaceRegexpAll(toValidUTF8(toString(${sql})), '[\\x00-\\x1f]', ' '))`

/** The rows as items of RSS, each a text in one column; links are below the address in `{origin:String}`. */
export function asItems({ feed }: Dataset, rows: string): string {
  const { id, about, title, link, moment, category } = feed!
  return `SELECT concat('<item><title>', ${xml(`concat(${about}, ': ', ${title})`)}, '</title><link>', ${xml(`concat({origin:String}, ${link})`)},
    '</link><description>', ${xml(title)}, '</description><category>', ${xml(category)}, '</category><guid isPermaLink="false">', ${xml(id)},
    '</guid><pubDate>', formatDateTime(${moment}, '%a, %d %b %Y %H:%i:%S GMT', 'UTC'), '</pubDate></item>') AS item FROM (${rows})`
}
