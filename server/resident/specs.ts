/** The columns of tables of a universe, as they are held. */
import { identityColumns } from '../../sql/derive/tables.ts'
import type { Universe } from '../../sql/derive/universe.ts'
import type { ColumnSpec, Kind } from './table.ts'

const kindOf = (type: string): Kind =>
  type.startsWith('Date')
    ? 'date'
    : type.includes('String')
      ? 'text'
      : type.includes('Bool')
        ? 'flag'
        : 'number'

/** Columns of the rows of quarters of a universe, its id first. */
export function quarterColumns(universe: Universe): ColumnSpec[] {
  const identity = identityColumns(universe).map((column): ColumnSpec => {
    const [name, type] = column.split(' ') as [string, string]
    return { name, kind: kindOf(type) }
  })
  const first = identity.filter(({ name }) => name === universe.id)
  const others = identity.filter(({ name }) => name !== universe.id)
  return [...first, ...others, ...figures(universe.metrics.map((one) => one.key))]
}

export const figures = (keys: readonly string[]): ColumnSpec[] =>
  keys.map((name) => ({ name, kind: 'number' }))
