/** Histories that begin without rows, and what is loaded into them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silent } from '../loaders/lib/progress.ts'
import { type LoadOptions, type LoadOutcome, runLoad } from '../loaders/lib/run.ts'
import type { Source } from '../loaders/lib/source.ts'
import { findSource } from '../loaders/sources.ts'
import { readConfig } from '../server/config/config.ts'
import type { Build } from '../server/engine/build.ts'
import { ensureCurrent } from '../server/engine/current.ts'
import type { Engine } from '../server/engine/engine.ts'
import { openEngine } from '../server/engine/open.ts'
import { publishing } from '../server/publishing.ts'
import { derive } from '../sql/universes/index.ts'
import { silent as noLog } from './peers/silent.ts'

/** Publishes an empty version, from which loads are built, where none is there. */
export async function beginEmpty(engine: Engine): Promise<void> {
  const rebuild = async (build: Build): Promise<void> => void (await derive(build, []))
  await ensureCurrent(engine, { ...publishing, rebuild }, noLog)
}

/** An engine with an empty version in a folder of its own, which is gone afterwards. */
export async function inEmptyHistory<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-load-'))
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir }), noLog)
  try {
    await beginEmpty(engine)
    return await use(engine)
  } finally {
    await engine.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Files of a source, by its key or itself, as one load. @throws where one of them was not published */
export async function load(
  engine: Engine,
  source: string | Source,
  paths: readonly string[],
  options: Partial<LoadOptions> = {},
): Promise<LoadOutcome> {
  const found = typeof source === 'string' ? findSource(source)! : source
  const outcome = await runLoad(engine, found, paths, {
    ...{ progress: silent, log: noLog, publishing },
    ...options,
  })
  const failed = outcome.editions.find(({ status }) => status !== 'published')
  if (failed) throw new Error(`${found.key}: ${failed.name}: ${failed.reason ?? failed.status}`)
  return outcome
}
