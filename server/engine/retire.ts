import { assertNoLostPublications } from './damage.ts'
import type { Engine, Logger } from './engine.ts'
import { placesOf } from './places.ts'
import { publications } from './publications.ts'

/**
 * Drops the databases of versions that were replaced longer ago than the grace period. Safe at any time, from any
 * process. @returns the databases that were dropped
 */
export async function retireVersions(engine: Engine, graceSeconds = engine.config.versionGraceSeconds) {
  const all = await publications(engine)
  const places = placesOf(engine)
  const existing = new Set(await places.databases())
  const dropped: string[] = []
  for (const [index, publication] of all.entries()) {
    const successor = all[index - 1]
    if (!successor || publication.database === all[0]!.database || !existing.has(publication.database))
      continue
    if (Date.now() - Date.parse(successor.publishedAt) < graceSeconds * 1000) continue
    // not waiting: the queries that still read it go on
    await places.drop(publication.database, false)
    dropped.push(publication.database)
  }
  return dropped
}

/** While this process holds the lock, a version database that was never published is what an aborted build left behind. */
export async function dropUnserved(engine: Engine, log: Logger): Promise<void> {
  await assertNoLostPublications(engine)
  await retireVersions(engine)
  const published = new Set((await publications(engine)).map(({ database }) => database))
  const places = placesOf(engine)
  for (const database of await places.databases()) {
    if (published.has(database)) continue
    log.info({ database }, 'dropping what a build left that was killed or ended')
    await places.drop(database, true)
  }
}
