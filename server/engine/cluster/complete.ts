/** What makes a version on a server other than the one that builds it whole, and shows that it is. */

import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf } from '../../../sql/rows.ts'
import { HOLDS } from '../damage.ts'
import { EngineError } from '../errors.ts'
import type { Node } from '../node.ts'
import { countsOf, type Extents } from './copy.ts'

/** Statements that make the views of a database. */
export async function viewsOf(client: ClickHouseClient, database: string): Promise<string[]> {
  const views = await rowsOf<{ query: string }>(
    client,
    "SELECT create_table_query AS query FROM system.tables WHERE database = {database:String} AND engine = 'View'",
    { database },
  )
  return views.map(({ query }) => query.replace('CREATE VIEW', 'CREATE OR REPLACE VIEW'))
}

/** Makes them in whatever order they can be: a view may read another one. */
export async function makeViews(client: ClickHouseClient, views: readonly string[]): Promise<void> {
  for (let open = views; open.length > 0; ) {
    const left: string[] = []
    let failure: unknown
    for (const query of open)
      await client.command({ query }).catch((error: unknown) => {
        failure = error
        left.push(query)
      })
    if (left.length === open.length) throw failure
    open = left
  }
}

/** Drops those of some tables that are not among others. */
export async function dropOthers(
  client: ClickHouseClient,
  database: string,
  tables: Iterable<string>,
  kept: Extents,
): Promise<void> {
  for (const table of tables)
    if (!kept.has(table))
      await client.command({ query: `DROP TABLE IF EXISTS ${database}.\`${table}\` SYNC` })
}

/** @throws EngineError where two servers have other numbers of rows in any partition of a database */
export async function assertAlike(from: Node, to: Node, database: string): Promise<void> {
  const [expected, held] = await Promise.all(
    [from, to].map((node) => countsOf(node.connection.loader('default'), database)),
  )
  const place = [...new Set([...expected!.keys(), ...held!.keys()])].find(
    (one) => expected!.get(one) !== held!.get(one),
  )
  if (place === undefined) return
  const has = (counts: ReadonlyMap<string, string>) => counts.get(place) ?? 'no'
  throw new EngineError(
    `${to.name} has ${has(held!)} rows of ${database}.${place}, and ${from.name} ${has(expected!)}`,
  )
}

/**
 * Records on a server, in its own control database, that it holds a version, and what of it.
 * @param control a client of that database
 */
export async function recordHeld(control: ClickHouseClient, database: string): Promise<void> {
  await control.command({
    query: `INSERT INTO publications (data_version, database, published_at, synthetic, code_hash, holds)
            SELECT '', {database:String}, now64(3), false, '', ${HOLDS}`,
    query_params: { database },
  })
}
