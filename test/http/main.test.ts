import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { publishing } from '../../loaders/lib/publishing.ts'
import { readConfig } from '../../server/config.ts'
import { openEngine } from '../../server/engine/engine.ts'
import { beginBuild } from '../../server/engine/versions.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { startMain } from '../helpers/main-process.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

t.test('npm start', async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const main = startMain(t, { DATA_DIR: folder, VERSION_POLL_MS: '200' })
  const [, address] = await main.until(/Ready in .*?: (http:\/\/\S+)/)

  await t.test('answers the query that it prints', async (t) => {
    const response = await fetch(`${address}/api/v1/screeners/banks/?state=GA&min_total_assets=500000`)
    t.equal(response.status, 200)
    t.equal(((await response.json()) as { meta: { synthetic: boolean } }).meta.synthetic, true)
  })

  await t.test('answers Prometheus on the operations port, about its process too', async (t) => {
    const [, ops] = await main.until(/"address":"(http[^"]+)","msg":"operations port"/)
    const text = await (await fetch(`${ops}/metrics`)).text()
    t.match(text, /^process_resident_memory_bytes \d+/m)
    t.match(text, /^nodejs_eventloop_lag_seconds /m)
    t.match(text, /^banking_requests_total\{dataset="bank-screener",status="200"\} 1$/m)
    t.match(text, /^banking_publications_total 1$/m)
    t.equal((await fetch(`${ops}/health/ready`)).status, 200)
  })

  const versionOf = async (): Promise<string> =>
    ((await (await fetch(`${address}/health/ready`)).json()) as { data_version: string }).data_version

  await t.test('takes up what another process publishes, within 2 seconds', async (t) => {
    const before = await versionOf()
    const log = memoryLog()
    const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
    t.teardown(() => engine.close())
    const build = await beginBuild(engine, { synthetic: true, ...publishing }, log)
    const { dataVersion } = await build.publish()
    t.not(dataVersion, before)
    const published = Date.now()
    while ((await versionOf()) !== dataVersion && Date.now() - published < 10_000) await wait(50)
    const took = Date.now() - published
    t.equal(await versionOf(), dataVersion)
    t.ok(took < 2000, `${took} ms`)
  })

  await t.test('SIGTERM ends it with 0, and its answers with it', async (t) => {
    main.child.kill('SIGTERM')
    t.equal(await main.exited(), 0)
    await t.rejects(fetch(`${address}/health/live`))
  })
})

t.test('a wrong setting is named, and nothing starts', async (t) => {
  const main = startMain(t, { PORT: 'eighty', DATA_DIR: await temporaryFolder(t) })
  const [match] = await main.until(/PORT is "eighty": expected .*/)
  t.match(match, /integer/)
  t.equal(await main.exited(), 1)
})

t.test('a port that is taken is named by its setting', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const main = startMain(t, { OPS_PORT: String(port), DATA_DIR: await temporaryFolder(t) })
  await main.until(new RegExp(`OPS_PORT is ${port}: another process listens there on 127.0.0.1`))
  t.equal(await main.exited(), 1)
})
