/** What an answer of the whole service costs that was not kept. */
import { readConfig } from '../../server/config/config.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openService } from '../in-process.ts'
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
  const service = await openService(engine, config)
  const ask = async (path: string): Promise<number> => {
    const answer = await service.ask(`/api/v1${path}`)
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
    await service.close()
  }
}
