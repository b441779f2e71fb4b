/** Loads generated files into a folder of its own, source by source, and says what each cost. */
import type { Engine } from '../../server/engine/engine.ts'
import { beginEmpty, load } from '../histories.ts'
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
  await beginEmpty(engine)
  const loads: Loaded[] = []
  for (const { source, paths, holds, megabytes } of files) {
    const { result, usage } = await watch([process.pid], () => load(engine, source, paths))
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
