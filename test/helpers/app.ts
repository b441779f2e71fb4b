import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { publishing } from '../../loaders/lib/publishing.ts'
import { type AppDeps, buildApp } from '../../server/app.ts'
import { type Config, readConfig } from '../../server/config.ts'
import type { Dataset } from '../../server/datasets/define.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { type Engine, openEngine } from '../../server/engine/engine.ts'
import { type Published, readPublished } from '../../server/published.ts'
import { openWorkers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder } from './engine.ts'
import { copyUniverse, rebuild } from './universe-folder.ts'

export interface TestApp {
  app: FastifyInstance
  engine: Engine
  config: Config
  /** The version that is served at first. */
  published: Published
  /** What requests see from now on. */
  serve(published: Published | null): void
  /** The address of the server, for what `inject` cannot show. It listens on first use. */
  listen(): Promise<string>
}

/**
 * The whole service over a real engine. Everything closes when the test ends.
 * @param options.datasets in place of the declared ones
 * @param options.env further settings
 * @param options.deps how it is observed
 * @param options.data with a small demo universe (the default), or with nothing loaded
 */
export async function build(
  t: Test,
  options: {
    data?: boolean
    datasets?: Dataset[]
    env?: Record<string, string>
    deps?: Pick<AppDeps, 'logger' | 'metrics' | 'tracer'>
  } = {},
): Promise<TestApp> {
  const folder = await temporaryFolder(t)
  if (options.data ?? true) await copyUniverse(folder)
  const config = readConfig({
    DATA_DIR: folder,
    VERSION_GRACE_SECONDS: '0',
    MAX_CONCURRENT_QUERIES: '4',
    ...options.env,
  })
  const log = memoryLog()
  const engine = await openEngine(config, log)
  t.teardown(() => engine.close())
  const published = await readPublished(engine, await ensureCurrent(engine, { ...publishing, rebuild }, log))
  let current: Published | null = published
  const workers = openWorkers({ maxThreads: 1 })
  t.teardown(() => workers.close())
  const datasets = options.datasets && new Map(options.datasets.map((dataset) => [dataset.key, dataset]))
  const app = await buildApp(config, {
    engine,
    workers,
    published: () => current,
    datasets,
    ...options.deps,
  })
  t.teardown(() => app.close())
  let address: string | undefined
  return {
    app,
    engine,
    config,
    published,
    serve: (next) => {
      current = next
    },
    listen: async () => {
      address ??= await app.listen({ host: '127.0.0.1', port: 0 })
      return address
    },
  }
}
