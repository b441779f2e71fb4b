import type { ClickHouseClient } from '@clickhouse/client'

const AT_ONCE = 4

/**
 * Makes each MergeTree table of one database in another, with all its parts: ClickHouse hardlinks them, so the clone
 * costs neither time nor disk, and changing one side leaves the other as it was. Views and Memory tables are left to
 * those who made them.
 */
export async function cloneTables(client: ClickHouseClient, from: string, to: string): Promise<void> {
  const result = await client.query({
    query: `SELECT name, total_rows AS rows FROM system.tables
            WHERE database = {from:String} AND engine LIKE '%MergeTree' AND name NOT LIKE '.inner%' ORDER BY name`,
    query_params: { from },
    format: 'JSONEachRow',
  })
  const tables = await result.json<{ name: string; rows: string | null }>()
  const next = tables.values()
  const worker = async () => {
    for (const { name, rows } of next) {
      // of a table without rows there are no parts to look for
      const how = Number(rows) === 0 ? 'AS' : 'CLONE AS'
      await client.command({ query: `CREATE TABLE ${to}.\`${name}\` ${how} ${from}.\`${name}\`` })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
