/** The whole service over what is loaded, in this process, and what an answer costs that was not kept. */
import { openAccess } from '../../server/access/access.ts'
import { createKey } from '../../server/access/key-store.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { openWorkers } from '../../workers/pool.ts'
import { silent } from '../peers/silent.ts'
import { usageOf } from '../processes.ts'

const WARM = 30
const ASKED = 60

/** Milliseconds until an answer is there, the median and the best, and of CPU of all processes. */
export interface Cost {
  path: string
  bytes: number
  p50: number
  best: number
  cpuMs: number | null
}

export async function costsOf(engine: Engine, paths: readonly string[]): Promise<Cost[]> {
  const config = readConfig({ CACHE_MIB: '0', ALLOWANCE_PREMIUM: '1000000000', BURST_PREMIUM: '1000000000' })
  const workers = openWorkers({ maxThreads: 1 })
  const access = await openAccess(config, engine, silent)
  const { secret } = await createKey(engine, { plan: 'premium', name: 'bench' })
  await access.keys.refresh()
  const published = await readPublished(engine, (await currentPublication(engine))!)
  const app = await buildApp(config, { engine, workers, access, published: () => published })
  const headers = { authorization: `Bearer ${secret}` }
  const ask = async (path: string): Promise<number> => {
    const answer = await app.inject({ method: 'GET', url: `/api/v1${path}`, headers })
    if (answer.statusCode !== 200)
      throw new Error(`${path}: ${answer.statusCode} ${answer.body.slice(0, 300)}`)
    return answer.rawPayload.length
  }
  try {
    const costs: Cost[] = []
    for (const path of paths) {
      for (let turn = 0; turn < WARM; turn++) await ask(path)
      const before = await usageOf([process.pid])
      const times: number[] = []
      let bytes = 0
      for (let turn = 0; turn < ASKED; turn++) {
        const began = performance.now()
        bytes = await ask(path)
        times.push(performance.now() - began)
      }
      const after = await usageOf([process.pid])
      times.sort((a, b) => a - b)
      const cpuMs = before && after && (after.cpuMs - before.cpuMs) / ASKED
      costs.push({ path, bytes, p50: times[ASKED / 2]!, best: times[0]!, cpuMs })
    }
    return costs
  } finally {
    await app.close()
    await access.close()
    await workers.close()
  }
}
