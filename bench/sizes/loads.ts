/** Loads generated files into a folder of its own, source by source, and says what each cost. */

import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import type { Build } from '../../server/engine/build.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { publishing } from '../../server/publishing.ts'
import { derive } from '../../sql/universes/index.ts'
import { silent as noLog } from '../peers/silent.ts'
import { watch } from '../processes.ts'
import type { SourceFiles } from './sec.ts'

export interface Loaded {
  readonly source: string
  readonly holds: string
  readonly megabytes: number
  readonly rows: number
  readonly seconds: number
  readonly cpuSeconds: number | null
  /** Most memory of this process, its engine included. */
  readonly peakMb: number | null
}

export async function loadInTurn(
  engine: Engine,
  files: readonly SourceFiles[],
  say: (line: string) => void,
): Promise<Loaded[]> {
  const rebuild = async (build: Build): Promise<void> => void (await derive(build, []))
  await ensureCurrent(engine, { ...publishing, rebuild }, noLog)
  const loads: Loaded[] = []
  for (const { source, paths, holds, megabytes } of files) {
    const options = { progress: silent, log: noLog, publishing }
    const { result, usage } = await watch([process.pid], () =>
      runLoad(engine, findSource(source)!, paths, options),
    )
    const failed = result.editions.find(({ status }) => status !== 'published')
    if (failed) throw new Error(`${source}: ${failed.name}: ${failed.reason ?? failed.status}`)
    const rows = result.editions.reduce((sum, { rowsKept }) => sum + rowsKept, 0)
    const cpuSeconds = usage && usage.cpuMs / 1000
    loads.push({
      source,
      holds,
      megabytes,
      rows,
      seconds: result.seconds,
      cpuSeconds,
      peakMb: usage?.allMb ?? null,
    })
    say(`${source}: ${result.seconds.toFixed(1)} s, ${cpuSeconds?.toFixed(1)} s of CPU, ${rows} rows`)
  }
  return loads
}
