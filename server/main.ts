/** `npm start`: the engine starts, and builds the demo where there is no data, while the rest of the program is read. */
import cluster from 'node:cluster'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { EngineStartError } from './engine/errors.ts'
import { openEngine } from './engine/open.ts'
import { tuneHeap } from './heap.ts'
import { openLog } from './ops/log.ts'

async function main(): Promise<void> {
  tuneHeap()
  const began = Date.now()
  const config = readConfig(process.env)
  const log = openLog(config)
  if (cluster.isWorker) return answer(config, log)
  const opening = openEngine(config, log)
  opening.catch(() => {}) // it is waited for below
  const { beginDemo } = await import('./demo.ts')
  const engine = await opening
  const demo = await beginDemo(engine, log)
  const { serve } = await import('./serve.ts')
  await serve({ config, log, engine, began, demo })
}

/** One of the processes of PROCESSES, which the first one started. */
async function answer(config: Config, log: FastifyBaseLogger): Promise<void> {
  const engine = await openEngine(config, log, { starts: false })
  const processes = await import('./processes/answerer.ts')
  await processes.answer(config, log, engine)
}

main().catch((error: unknown) => {
  const foreseen = error instanceof ConfigError || error instanceof EngineStartError
  const message =
    error instanceof Error ? (foreseen ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
