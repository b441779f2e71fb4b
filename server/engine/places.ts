import type { ClickHouseClient } from '@clickhouse/client'
import { shardDatabase } from '../../sql/derive/shards.ts'
import { cloneTables } from './clone.ts'
import type { Engine } from './engine.ts'
import { EngineError } from './errors.ts'
import type { Places } from './place.ts'
import { LONGEST_LOOK_MS } from './publications.ts'

export const placesOf = (engine: Engine): Places => engine.places ?? onOne(engine)

const onOne = (engine: Engine): Places => ({
  async create(database, base) {
    if (base) await assertWhole(engine, base)
    await engine.loader().command({ query: `CREATE DATABASE ${database}` })
    const client = engine.loader(database)
    if (base) await cloneTables(client, base, database)
    return { client, complete: async () => {} }
  },
  databases: () => versionDatabases(engine.loader()),
  drop: (database, wait) => dropDatabase(engine.loader(), database, wait),
})

/** A server of a cluster has some of the rows, and a version cloned from them would be without the others. */
async function assertWhole(engine: Engine, base: string): Promise<void> {
  const found = await engine.loader().query({
    query: 'SELECT name FROM system.databases WHERE name = {name:String}',
    query_params: { name: shardDatabase(base) },
    format: 'JSONEachRow',
  })
  if ((await found.json()).length > 0)
    throw new EngineError(
      `The data version ${base} is divided between the servers of a cluster: CLICKHOUSE_CLUSTER has to name it.`,
    )
}

/** Those that a server has, or has anything of. @param control a client of its control database */
export async function versionDatabases(control: ClickHouseClient): Promise<string[]> {
  const result = await control.query({
    query: `SELECT DISTINCT extract(name, concat('^(', currentDatabase(), '_v_[0-9a-z]+)(?:_[a-z_]+)?$')) AS version
            FROM system.databases WHERE version != ''`,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
  })
  return (await result.json<{ version: string }>()).map(({ version }) => version)
}

export async function dropDatabase(
  control: ClickHouseClient,
  database: string,
  wait: boolean,
): Promise<void> {
  // where it is waited for, the last statement of a build that was ended may still run
  if (wait)
    await control.command({
      query: 'KILL QUERY WHERE current_database = {database:String} SYNC',
      query_params: { database },
    })
  await control.command({
    query: `DROP DATABASE IF EXISTS ${database}${wait ? ' SYNC' : ''}`,
    ...(!wait && { abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS) }),
  })
}
