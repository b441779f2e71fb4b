/** What the declaration of a source's table already says, for datasets over it: columns and parameters of time. */
import { INSTANT, type SourceColumn } from '../../sql/sources/columns.ts'
import { keptColumns, type Table } from '../../sql/sources/declare.ts'
import { declaredTables } from '../../sql/sources/index.ts'
import type { Column, ColumnType } from './columns.ts'

/** A table of a declared source. @throws Error where there is none */
export function declaredTable(name: string): Table {
  const table = declaredTables.find((one) => one.name === name)
  if (!table) throw new Error(`no source declares a table ${name}`)
  return table
}

/** Columns of a declared table as columns of a dataset: those named, in that order, else all. */
export function columnsOf({ name: table, columns }: Table, names?: readonly string[]): Column[] {
  const kept = new Map(keptColumns(columns))
  return (names ?? [...kept.keys()]).map((name) => {
    const column = kept.get(name)
    if (!column) throw new Error(`table ${table} has no column ${name}`)
    return columnOf(name, column)
  })
}

function columnOf(name: string, { type, repeated, nullable, label, doc, unit }: SourceColumn): Column {
  const bare = /^Nullable\((.*)\)$/.exec(type)?.[1]
  const plain = (bare ?? type).replace(/^DateTime\b.*/, 'DateTime').replace(INSTANT, 'DateTime64(3)')
  return {
    name,
    label: label ?? sentence(name),
    type: (plain === 'String' && repeated ? 'Code' : plain) as ColumnType,
    nullable: nullable || bare !== undefined,
    ...(doc !== undefined && { doc }),
    ...(unit !== undefined && { unit }),
  }
}

/** `failed_date` → `Failed date` */
const sentence = (name: string): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ')
