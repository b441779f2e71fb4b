import { type Build, type BuildOptions, beginBuild, codeHash } from './build.ts'
import { prepareControl } from './control.ts'
import { assertNoLostPublications, assertVersionIntact } from './damage.ts'
import type { Engine, Logger } from './engine.ts'
import { currentPublication, type Publication } from './publications.ts'
import { retireVersions } from './retire.ts'

export interface EnsureOptions extends Omit<BuildOptions, 'synthetic' | 'empty'> {
  /** Brings the figures of a clone up to the code's state; called when the published one is of other code. */
  rebuild?: (build: Build) => Promise<void>
}

/**
 * What a start does before it serves: makes the control database, publishes an empty version where there is none,
 * and builds the published one again when it is of other code (migrations, views, catalogs).
 * @throws DataDamaged where what was published is not all there: then nothing may be built over it
 */
export async function ensureCurrent(
  engine: Engine,
  options: EnsureOptions,
  log: Logger,
): Promise<Publication> {
  await prepareControl(engine, options.sqlFolder)
  const wanted = await codeHash(options.codeHashExtra, options.sqlFolder)
  await assertNoLostPublications(engine)
  const before = await currentPublication(engine)
  if (before) await assertVersionIntact(engine, before)
  if (before?.codeHash === wanted) return before

  const synthetic = before?.synthetic ?? false
  const build = await beginBuild(engine, { what: 'npm start', ...options, synthetic }, log)
  try {
    // another start may have done it while this one waited for the lock
    const now = await currentPublication(engine)
    if (now?.codeHash === wanted) {
      await build.discard()
      return now
    }
    log.info({ from: before?.dataVersion ?? null }, 'building the data version of this code')
    await options.rebuild?.(build)
  } catch (error) {
    await build.discard().catch(() => {})
    throw error
  }
  return build.publish()
}

/**
 * Calls `onChange` when another version is published, by whatever process, and drops replaced versions after their
 * grace period. An engine that is down is asked again, and one that lost what was published until it is restored.
 * @returns stop
 */
export function watchPublications(
  engine: Engine,
  onChange: (publication: Publication) => void | Promise<void>,
  options: { intervalMs?: number; log?: Logger; known?: Publication | null } = {},
): () => void {
  // not the data version, which a restore brings back in another database
  let known = options.known?.database
  let nextRetirement = 0
  let stopped = false
  let failing = false
  let timer: NodeJS.Timeout
  const look = async () => {
    try {
      if (engine.state() === 'ready') {
        const publication = await currentPublication(engine)
        if (!stopped && publication && publication.database !== known) {
          await assertNoLostPublications(engine)
          await assertVersionIntact(engine, publication)
          await onChange(publication)
          known = publication.database
        }
        if (Date.now() >= nextRetirement) {
          nextRetirement = Date.now() + Math.max(1, engine.config.versionGraceSeconds / 4) * 1000
          await retireVersions(engine)
        }
        failing = false
      }
    } catch (error) {
      if (!failing) options.log?.warn({ error }, 'the publications could not be looked at')
      failing = true
    }
    if (!stopped) timer = setTimeout(look, options.intervalMs ?? engine.config.versionPollMs).unref()
  }
  timer = setTimeout(look, 0).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
