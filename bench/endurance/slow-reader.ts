import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OurServer } from '../peers/ours.ts'
import { usageOf } from '../processes.ts'
import { allMetrics } from '../universe.ts'

const BYTES_A_SECOND = 1_000_000

/** Reads the panel of all metrics at 1 MB/s for the given time, and then the rest as fast as it comes. */
export async function slowReader({ origin, key, pid }: OurServer, seconds: number) {
  const samples: { own: number; all: number }[] = []
  const sample = async (): Promise<void> => {
    const usage = await usageOf([pid])
    if (usage) samples.push({ own: Math.round(usage.ownMb), all: Math.round(usage.allMb) })
  }
  await sample()
  const url = `${origin}/api/v1/screeners/panel/?metrics=${allMetrics.join(',')}`
  const { slowBytes, allBytes, whole } = await new Promise<{
    slowBytes: number
    allBytes: number
    whole: boolean
  }>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` } }, async (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`))
      const began = performance.now()
      let allBytes = 0
      let slowBytes = 0
      let lastSample = 0
      try {
        for await (const chunk of response) {
          allBytes += (chunk as Buffer).length
          const elapsed = performance.now() - began
          if (elapsed < seconds * 1000) {
            slowBytes = allBytes
            const due = (allBytes / BYTES_A_SECOND) * 1000
            if (due > elapsed) await sleep(due - elapsed)
          }
          if (performance.now() - lastSample > 1000) {
            lastSample = performance.now()
            await sample()
          }
        }
        resolve({ slowBytes, allBytes, whole: response.complete })
      } catch (error) {
        reject(error)
      }
    }).on('error', reject)
  })
  const of = (values: number[]) => ({
    first: values[0],
    least: Math.min(...values),
    most: Math.max(...values),
  })
  return {
    megabytes: Math.round(allBytes / 1e6),
    readSlowly: Math.round(slowBytes / 1e6),
    whole,
    serverMemoryMb: of(samples.map(({ own }) => own)),
    withEngineMb: of(samples.map(({ all }) => all)),
  }
}
