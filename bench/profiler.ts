// Loaded into the server's process before it: the first SIGUSR2 begins a CPU and an allocation profile, the second
// ends them and writes both to the folder of BENCH_PROFILES.
import { rename, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const SAMPLE_MICROSECONDS = 500
const SAMPLE_BYTES = 32_768

const session = new Session()
let running = false

async function toggle(): Promise<void> {
  if (!running) {
    running = true
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLE_BYTES,
      // what is garbage by the end was allocated too
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await session.post('Profiler.start')
    return
  }
  const { profile: cpu } = await session.post('Profiler.stop')
  const { profile: heap } = await session.post('HeapProfiler.stopSampling')
  const path = join(process.env.BENCH_PROFILES!, 'profiles.json')
  await writeFile(`${path}.part`, JSON.stringify({ cpu, heap }))
  await rename(`${path}.part`, path)
}

if (isMainThread) process.on('SIGUSR2', () => void toggle())
