import type { ClickHouseClient } from '@clickhouse/client'
import { assertNoLostPublications } from './damage.ts'
import type { Engine, Logger } from './engine.ts'
import { LONGEST_LOOK_MS, publications } from './publications.ts'

/**
 * Drops the databases of versions that were replaced longer ago than the grace period. Safe at any time, from any
 * process. @returns the databases that were dropped
 */
export async function retireVersions(engine: Engine, graceSeconds = engine.config.versionGraceSeconds) {
  const control = engine.loader()
  const all = await publications(engine)
  const existing = new Set(await versionDatabases(engine))
  const dropped: string[] = []
  for (const [index, publication] of all.entries()) {
    const successor = all[index - 1]
    if (!successor || publication.database === all[0]!.database || !existing.has(publication.database))
      continue
    if (Date.now() - Date.parse(successor.publishedAt) < graceSeconds * 1000) continue
    // not SYNC: that would wait for the queries that still read it, which go on
    await control.command({
      query: `DROP DATABASE IF EXISTS ${publication.database}`,
      abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
    })
    dropped.push(publication.database)
  }
  return dropped
}

/** While this process holds the lock, a version database that was never published is what an aborted build left behind. */
export async function dropUnserved(engine: Engine, log: Logger): Promise<void> {
  await assertNoLostPublications(engine)
  await retireVersions(engine)
  const published = new Set((await publications(engine)).map(({ database }) => database))
  for (const database of await versionDatabases(engine)) {
    if (published.has(database)) continue
    log.info({ database }, 'dropping what a build left that was killed or ended')
    // its last statement may still run, and the drop would wait for that
    await engine.loader().command({
      query: 'KILL QUERY WHERE current_database = {database:String} SYNC',
      query_params: { database },
    })
    await dropVersion(engine.loader(), database)
  }
}

async function versionDatabases(engine: Engine): Promise<string[]> {
  const result = await engine.loader().query({
    query: `SELECT name FROM system.databases WHERE match(name, concat('^', currentDatabase(), '_v_[0-9a-z]+$'))`,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

export async function dropVersion(control: ClickHouseClient, database: string): Promise<void> {
  await control.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` })
}
