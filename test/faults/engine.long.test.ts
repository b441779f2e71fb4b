// What a client sees while the engine, or the way to it, is broken; and that nothing is lost by it.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { build, type TestApp } from '../helpers/app.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { tcpProxy } from '../helpers/tcp-proxy.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

/** Every answer is the engine's, but for those that were kept. */
const fromEngine = { RESIDENT_MIB: '0' }

const SCREEN = '/api/v1/screeners/banks/?fields=rssd_id,legal_name,total_assets&sort=rssd_id'
let asked = 0
/** A request that was never made before: nothing kept answers it. */
const fresh = (): string => `${SCREEN}&min_total_assets=-${++asked}`

interface Seen {
  status: number
  code?: string
  retryAfter?: string
}

async function see({ app }: TestApp, url = fresh()): Promise<Seen> {
  const { statusCode: status, headers, body } = await app.inject(url)
  if (status === 200) return { status }
  t.notMatch(body, /ECONN|127\.0\.0\.1|SELECT|clickhouse|node_modules/i, 'nothing of the inside is told')
  const retryAfter = headers['retry-after'] as string | undefined
  return { status, code: JSON.parse(body).code, ...(retryAfter !== undefined && { retryAfter }) }
}

/** The rows of a fresh request, to compare. */
const rows = async ({ app }: TestApp): Promise<unknown> => (await app.inject(fresh())).json().data

async function until(what: () => boolean, seconds = 20): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(20)) if (what()) return true
  return false
}

const unavailable = { status: 503, code: 'engine-unavailable', retryAfter: '2' }
const timeout = { status: 504, code: 'query-timeout' }

/** Asked before the fault, and answered throughout it. */
const kept = `${SCREEN}&limit=5`

async function standsStill(t: Test, service: TestApp, stop: () => void, resume: () => void): Promise<void> {
  const before = await rows(service)
  t.equal((await see(service, kept)).status, 200)
  stop()
  t.strictSame(await see(service), timeout, 'who asked first waits as long as a query may take')
  t.ok(await until(() => service.engine.state() === 'stalled'))
  t.strictSame(await see(service), unavailable, 'then nobody waits')
  t.equal((await see(service, kept)).status, 200, 'what is kept is answered')
  t.strictSame(await see(service, '/health/live'), { status: 200 })
  t.strictSame(await see(service, '/health/ready'), unavailable)
  resume()
  t.ok(await until(() => service.engine.state() === 'ready'))
  t.strictSame(await rows(service), before, 'nothing is lost')
}

const pidOf = async ({ config }: Engine): Promise<number> =>
  (await readEngineFile(enginePaths(config).address))!.pid

t.test('the embedded engine is paused', async (t) => {
  const service = await build(t, { env: { ...fromEngine, QUERY_SECONDS: '1' } })
  const pid = await pidOf(service.engine)
  t.teardown(() => process.kill(pid, 'SIGCONT'))
  await standsStill(
    t,
    service,
    () => process.kill(pid, 'SIGSTOP'),
    () => process.kill(pid, 'SIGCONT'),
  )
  t.equal(await pidOf(service.engine), pid, 'the same engine goes on')
})

t.test('what lies in memory is answered while the engine is paused', async (t) => {
  const service = await build(t)
  const before = await rows(service)
  const pid = await pidOf(service.engine)
  t.teardown(() => process.kill(pid, 'SIGCONT'))
  process.kill(pid, 'SIGSTOP')
  t.strictSame(await rows(service), before)
  process.kill(pid, 'SIGCONT')
})

t.test('the embedded engine is killed under load', async (t) => {
  const service = await build(t, { env: fromEngine })
  const before = await rows(service)
  t.equal((await see(service, kept)).status, 200)
  const pid = await pidOf(service.engine)
  const under = Array.from({ length: 20 }, () => see(service))
  await sleep(5)
  process.kill(pid, 'SIGKILL')
  for (const seen of await Promise.all(under)) {
    if (seen.status !== 200) t.strictSame(seen, unavailable)
  }
  t.equal((await see(service, kept)).status, 200, 'what is kept is answered')
  t.ok(await until(() => service.engine.state() === 'ready'))
  t.strictSame(await rows(service), before, 'nothing is lost')
  t.not(await pidOf(service.engine), pid)
})

t.test('the network to a ClickHouse elsewhere', async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const elsewhere = await openEngine(readConfig({ DATA_DIR: folder }), memoryLog())
  t.teardown(() => elsewhere.close())
  const { url, reader, loader } = (await readEngineFile(enginePaths(elsewhere.config).address))!
  const network = await tcpProxy(t, url)
  const service = await build(t, {
    data: false,
    env: {
      ...fromEngine,
      CLICKHOUSE_URL: network.url,
      CLICKHOUSE_USER: loader.name,
      CLICKHOUSE_PASSWORD: loader.password,
      CLICKHOUSE_READER_USER: reader.name,
      CLICKHOUSE_READER_PASSWORD: reader.password,
      QUERY_SECONDS: '1',
    },
  })
  const before = await rows(service)

  await t.test('is slow: answers are late and right', async (t) => {
    network.become({ delayMs: 100 })
    t.strictSame(await rows(service), before)
    network.become('fair')
  })

  await t.test('is cut: refused at once, and answered when it is back', async (t) => {
    t.equal((await see(service, kept)).status, 200)
    network.become('cut')
    t.strictSame(await see(service), unavailable)
    t.ok(await until(() => service.engine.state() === 'down'))
    t.strictSame(await see(service), unavailable)
    t.equal((await see(service, kept)).status, 200, 'what is kept is answered')
    network.become('fair')
    t.ok(await until(() => service.engine.state() === 'ready'))
    t.strictSame(await rows(service), before)
  })

  await t.test('swallows everything: an end to waiting, then refused at once', async (t) => {
    await standsStill(
      t,
      service,
      () => network.become('swallow'),
      () => network.become('fair'),
    )
  })
})
