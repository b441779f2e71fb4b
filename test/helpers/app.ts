import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { type Access, openAccess } from '../../server/access/access.ts'
import { createKey } from '../../server/access/key-store.ts'
import type { KeyPlan } from '../../server/access/plans.ts'
import { type AppDeps, buildApp } from '../../server/app.ts'
import type { Dataset } from '../../server/catalog/define.ts'
import { type Config, readConfig } from '../../server/config/config.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { type Published, readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { openWorkers, type Workers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder, unhurried } from './engine.ts'
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
  workers: Workers
  access: Access
  /** A new key, in force at once: `{ authorization: 'Bearer bds_…' }`. */
  newKey(plan: KeyPlan): Promise<{ id: string; secret: string; headers: { authorization: string } }>
  /** The key of `inject`, for requests that go over a socket. */
  headers: { authorization: string }
}

/**
 * The whole service over a real engine. Everything closes when the test ends.
 * @param options.datasets in place of the declared ones
 * @param options.deps how it is observed
 * @param options.data with a small demo universe (the default), or with nothing loaded
 * @param options.key `inject` sends a premium key where a request has no header of its own (the default), or nothing
 * @param options.env further settings; without them there are no limits of requests
 */
export async function build(
  t: Test,
  options: {
    data?: boolean
    datasets?: Dataset[]
    key?: boolean
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
    ...withoutLimits,
    ...unhurried,
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
  const access = await openAccess(config, engine, log)
  t.teardown(() => access.close())
  const app = await buildApp(config, {
    engine,
    workers,
    access,
    published: () => current,
    datasets,
    ...options.deps,
  })
  t.teardown(() => app.close())
  const newKey: TestApp['newKey'] = async (plan) => {
    const { key, secret } = await createKey(engine, { plan, name: 'a test' })
    await access.keys.refresh()
    return { id: key.id, secret, headers: { authorization: `Bearer ${secret}` } }
  }
  const { headers } = await newKey('premium')
  if (options.key ?? true) sendByDefault(app, headers)
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
    workers,
    access,
    newKey,
    headers,
  }
}

const withoutLimits = Object.fromEntries(
  ['NO_KEY', 'FREE', 'PREMIUM'].flatMap((who) => [
    [`ALLOWANCE_${who}`, '0'],
    [`BURST_${who}`, '0'],
  ]),
)

/** Injected requests have these headers where they say nothing else. */
export function sendByDefault(app: FastifyInstance, headers: Record<string, string>): void {
  const inject = app.inject.bind(app)
  app.inject = ((request: InjectOptions | string) => {
    const options = typeof request === 'string' ? { url: request } : request
    return inject({ ...options, headers: { ...headers, ...options.headers } })
  }) as typeof app.inject
}
