/** The columns of the two tables that peers hold, with their types: from the declarations of the datasets. */
import type { Column } from '../../server/catalog/columns.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { historyColumns } from '../workloads.ts'

export type Table = 'latest' | 'history'
export const tables: readonly Table[] = ['latest', 'history']

export async function columnsOf(table: Table): Promise<Column[]> {
  const all = (await loadDatasets()).get('screener-dataset')!.allColumns
  return table === 'latest' ? [...all.values()] : historyColumns.map((name) => all.get(name)!)
}

/** ClickHouse's type of a column. */
export function clickhouseType({ type, nullable }: Column): string {
  const plain = type === 'Code' ? 'String' : type
  const full = nullable ? `Nullable(${plain})` : plain
  return type === 'Code' ? `LowCardinality(${full})` : full
}

/** PostgreSQL's type of a column. */
export function postgresType({ type }: Column): string {
  if (type === 'Float64') return 'double precision'
  if (type === 'Date') return 'date'
  return type === 'UInt32' ? 'bigint' : 'text'
}
