import type { ClickHouseClient } from '@clickhouse/client'
import { databasesSql } from '../derive/shards.ts'
import { hashOf } from '../hash.ts'
import { columnType } from './columns.ts'
import { copiesOf, keptColumns, lookupIndex, type Table, tableDefinition } from './declare.ts'
import { declaredTables } from './index.ts'

/** Changes when any declared table does: a version that was published with others is built again. */
export const declaredTablesHash: string = hashOf(
  declaredTables.flatMap(copiesOf).map((table) => [table.name, tableDefinition(table)]),
)

interface Held {
  columns: Map<string, string>
  sorting_key: string
  partition_key: string
}

/**
 * Makes the declared tables that a build lacks, and adds columns and indexes that are new. Any other change of a table that holds
 * rows needs a numbered migration, which runs before.
 * @throws Error naming the table and what differs
 */
export async function prepareDeclaredTables(
  client: ClickHouseClient,
  tables: readonly Table[] = declaredTables,
): Promise<void> {
  const [held, indexes] = [await heldTables(client), await heldIndexes(client)]
  await Promise.all(
    tables.flatMap(copiesOf).map(async (table) => {
      const there = held.get(table.name)
      if (!there) await client.command({ query: `CREATE TABLE ${table.name} ${tableDefinition(table)}` })
      else {
        await addColumns(client, table, there)
        await addIndexes(client, table, indexes)
      }
    }),
  )
}

async function addColumns(client: ClickHouseClient, table: Table, held: Held): Promise<void> {
  const differs = (what: string, is: string, declared: string) =>
    new Error(
      `table ${table.name}: ${what} is ${is}, the declaration says ${declared}: this needs a numbered migration in sql/schema/history`,
    )
  // of one column it keeps the parentheses that it was declared with
  const order = held.sorting_key.replace(/^\((.*)\)$/, '$1')
  if (order !== table.order.join(', ')) throw differs('the order', order, table.order.join(', '))
  const squeezed = (sql: string) => sql.replaceAll(/\s/g, '')
  if (squeezed(held.partition_key) !== squeezed(table.partition ?? ''))
    throw differs('the partition', held.partition_key || 'none', table.partition ?? 'none')
  let after: string | undefined
  for (const [name, column] of keptColumns(table.columns)) {
    const type = columnType(column)
    const is = held.columns.get(name)
    if (is === undefined)
      await client.command({
        query: `ALTER TABLE ${table.name} ADD COLUMN ${name} ${type}${after ? ` AFTER ${after}` : ' FIRST'}`,
      })
    else if (is !== type) throw differs(`the type of ${name}`, is, type)
    after = name
  }
}

async function addIndexes(
  client: ClickHouseClient,
  { name, lookup = [] }: Table,
  held: ReadonlySet<string>,
): Promise<void> {
  for (const column of lookup.filter((column) => !held.has(`${name}.${column}`))) {
    await client.command({ query: `ALTER TABLE ${name} ADD INDEX ${lookupIndex(column)}` })
    await client.command({
      query: `ALTER TABLE ${name} MATERIALIZE INDEX ${column}`,
      clickhouse_settings: { mutations_sync: '1' },
    })
  }
}

async function heldTables(client: ClickHouseClient): Promise<Map<string, Held>> {
  const answer = await client.query({
    query: `SELECT t.name AS name, t.sorting_key AS sorting_key, t.partition_key AS partition_key,
        groupArray((c.name, c.type)) AS columns
      FROM system.tables AS t INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
      WHERE t.database IN ${databasesSql()} AND t.engine LIKE '%MergeTree' GROUP BY ALL`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{
    name: string
    sorting_key: string
    partition_key: string
    columns: [string, string][]
  }>()
  return new Map(rows.map(({ name, columns, ...keys }) => [name, { ...keys, columns: new Map(columns) }]))
}

/** `table.index` of each skip index. */
async function heldIndexes(client: ClickHouseClient): Promise<Set<string>> {
  const answer = await client.query({
    query: `SELECT concat(table, '.', name) AS held FROM system.data_skipping_indices WHERE database IN ${databasesSql()}`,
    format: 'JSONEachRow',
  })
  return new Set((await answer.json<{ held: string }>()).map(({ held }) => held))
}
