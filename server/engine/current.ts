import { prepareControl } from './control.ts'
import type { Engine, Logger } from './engine.ts'
import {
  type Build,
  type BuildOptions,
  beginBuild,
  codeHash,
  currentPublication,
  type Publication,
  retireVersions,
} from './versions.ts'

export interface EnsureOptions extends Omit<BuildOptions, 'synthetic' | 'empty'> {
  /** Brings the figures of a clone up to the code's state; called when the published one is of other code. */
  rebuild?: (build: Build) => Promise<void>
}

/**
 * What a start does before it serves: makes the control database, publishes an empty version where there is none,
 * and builds the published one again when it is of other code (migrations, views, catalogs).
 */
export async function ensureCurrent(
  engine: Engine,
  options: EnsureOptions,
  log: Logger,
): Promise<Publication> {
  await prepareControl(engine, options.sqlFolder)
  const wanted = await codeHash(options.codeHashExtra, options.sqlFolder)
  const before = await currentPublication(engine)
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
 * grace period. An engine that is down is asked again. @returns stop
 */
export function watchPublications(
  engine: Engine,
  onChange: (publication: Publication) => void | Promise<void>,
  options: { intervalMs?: number; log?: Logger; known?: Publication | null } = {},
): () => void {
  let known = options.known?.dataVersion
  let nextRetirement = 0
  let stopped = false
  let timer: NodeJS.Timeout
  const look = async () => {
    try {
      if (engine.state() === 'ready') {
        const publication = await currentPublication(engine)
        if (!stopped && publication && publication.dataVersion !== known) {
          await onChange(publication)
          known = publication.dataVersion
        }
        if (Date.now() >= nextRetirement) {
          nextRetirement = Date.now() + Math.max(1, engine.config.versionGraceSeconds / 4) * 1000
          await retireVersions(engine)
        }
      }
    } catch (error) {
      options.log?.warn({ error }, 'the publications could not be looked at')
    }
    if (!stopped) timer = setTimeout(look, options.intervalMs ?? engine.config.versionPollMs).unref()
  }
  timer = setTimeout(look, 0).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
