import type { Column } from '../columns.ts'

/** What ClickHouse calls the type of a column inside a nested list, or read from JSON. */
export const typeOf = ({ type, nullable, fields }: Column): string => {
  if (fields) return type === 'Tuple' ? tupleType(fields) : listType(fields)
  const plain = type === 'Code' ? 'String' : type
  return nullable ? `Nullable(${plain})` : plain
}

/** The type of a list of objects with those columns. */
export const listType = (columns: readonly Column[]): string => `Array(${tupleType(columns)})`

const tupleType = (columns: readonly Column[]): string =>
  `Tuple(${columns.map((column) => `${column.name} ${typeOf(column)}`).join(', ')})`

/**
 * The rows of a query as one value: a list of objects with those columns, in the order of the rows.
 * @param rows a SELECT that has a column of each name
 */
export const nested = (rows: string, columns: readonly Column[]): string => `(
  SELECT ${listOf(columns)}
  FROM (${rows})
)`

/**
 * The same as a relation of one row and one column, for lists of thousands: the engine holds what is a value as a constant of the
 * query, and copies it.
 */
export const nestedRow = (name: string, rows: string, columns: readonly Column[]): string =>
  `(SELECT ${listOf(columns)} AS ${name} FROM (${rows}))`

const listOf = (columns: readonly Column[]): string =>
  `CAST(groupArray((${columns.map(({ name }) => name).join(', ')})), '${listType(columns)}')`
