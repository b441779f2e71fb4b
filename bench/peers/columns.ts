/** The columns of the tables that peers hold, with their types: from the declarations of the datasets. */
import type { Column } from '../../server/catalog/columns.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { type Family, type FamilyTable, families, familyTables } from '../families/families.ts'
import { historyColumns } from '../workloads.ts'

export type Table = 'latest' | 'history' | FamilyTable
export const bankTables = ['latest', 'history'] as const
export const isFamily = (table: Table): table is FamilyTable => familyTables.includes(table as FamilyTable)

export async function columnsOf(table: Table): Promise<Column[]> {
  const family: Family | undefined = isFamily(table) ? families[table] : undefined
  const all = (await loadDatasets()).get(family?.dataset ?? 'screener-dataset')!.allColumns
  if (table === 'latest') return [...all.values()]
  return (family?.columns ?? historyColumns).map((name) => all.get(name)!)
}

/** What a table is sorted by, or found by; `-` before a column: downwards. */
export function keyOf(table: Table): readonly string[] {
  if (isFamily(table)) return families[table].key
  return table === 'latest' ? ['rssd_id'] : ['rssd_id', 'report_date']
}

export const downwards = (column: string): string =>
  column.startsWith('-') ? `${column.slice(1)} DESC` : column

/** ClickHouse's type of a column. */
export function clickhouseType({ type, nullable }: Column): string {
  const plain = type === 'Code' ? 'String' : type
  const full = nullable ? `Nullable(${plain})` : plain
  return type === 'Code' ? `LowCardinality(${full})` : full
}

/** PostgreSQL's type of a column. */
export function postgresType({ type }: Column): string {
  if (type === 'Float64') return 'double precision'
  if (type === 'Date' || type === 'Date32') return 'date'
  return type.startsWith('UInt') ? 'bigint' : 'text'
}
