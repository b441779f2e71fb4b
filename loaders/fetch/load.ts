import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareControl } from '../../server/engine/control.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { type LoadOptions, type LoadOutcome, runLoad } from '../lib/run.ts'
import { collect } from './collect.ts'
import { amongOf, type FetchedSource, fetchingOf } from './fetching.ts'
import { recordFetch } from './record.ts'
import { readState } from './state.ts'

/** Fetches all of a source, held or not, and loads it. */
export async function fetchAndLoad(
  engine: Engine,
  source: FetchedSource,
  options: LoadOptions,
): Promise<LoadOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'load-'))
  const { progress } = options
  try {
    if (source.fetch.note) progress.note(source.fetch.note)
    const among = await amongOf(engine, source)
    const how = { state: new Map(), folder, progress, among, now: new Date() }
    const collected = await collect(fetchingOf(source, engine.config, how))
    const paths = collected.files.map(({ path }) => path)
    const loaded = await runLoad(engine, source, paths, { ...options, missing: collected.failed })
    await prepareControl(engine, options.publishing.sqlFolder)
    const state = await readState(engine, source.key)
    await recordFetch(engine, { source, folder, state, collected, loaded, now: new Date() })
    return loaded
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
