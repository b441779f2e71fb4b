/** The columns of tables of a universe, as they are held. */
import { identityColumns } from '../../sql/derive/tables.ts'
import type { Universe } from '../../sql/derive/universe.ts'
import type { Dataset } from '../catalog/define.ts'
import { selectList } from '../query/select-list.ts'
import { type ColumnSpec, type Kind, kindOf as kindOfColumn } from './table.ts'

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

/** A dataset that declares `allRows`, with the number of them. */
export interface AllOf {
  readonly dataset: Dataset
  readonly rows: number
}

/** Measured: names and addresses are longer than figures. */
const TEXT_VALUE_BYTES = 24

/** The rows of every institution, with the columns that an answer can have. */
export function ofDataset({ dataset, rows }: AllOf) {
  const { key, allRows, allColumns, grain } = dataset
  const columns = [...allColumns.values()]
  const { from, by } = allRows!
  return {
    relation: key,
    from: `(SELECT ${selectList(columns, false)} FROM (${from}))`,
    order: [Object.values(by)[0], ...grain].join(', '),
    columns: columns.map(({ name, type }): ColumnSpec => ({ name, kind: kindOfColumn(type) })),
    rows,
    valueBytes: TEXT_VALUE_BYTES,
  }
}
