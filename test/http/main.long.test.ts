import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { createKey } from '../../server/access/key-store.ts'
import { readConfig } from '../../server/config/config.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { openEngine } from '../../server/engine/open.ts'
import { publishing } from '../../server/publishing.ts'
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

t.test('npm start on an empty folder', { timeout: 600_000 }, async (t) => {
  const folder = await temporaryFolder(t)
  const settings = { DATA_DIR: folder, ALLOWANCE_PREMIUM: '0', BURST_PREMIUM: '0' }
  const main = startMain(t, settings)
  const [, address] = await main.until(/Ready in .*?: (http:\/\/\S+)/, 300)
  const ready = await (await fetch(`${address}/health/ready`)).json()
  const rates = ['treasury', 'fred', 'pmms', 'fdic-national-rates']
  const first = ['ffiec-call-report', 'fdic-institutions', 'mdrm', 'ubpr-formulas', ...rates]

  await t.test(
    'answers every example from the latest quarter of banks, before the whole demo is there',
    async (t) => {
      const engine = await openEngine(readConfig({ DATA_DIR: folder }), memoryLog())
      t.teardown(() => engine.close())
      const { secret } = await createKey(engine, { plan: 'premium', name: 'a test' })
      const headers = { authorization: `Bearer ${secret}` }
      // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
      const ask = async (path: string): Promise<{ status: number; json: any }> => {
        const answer = await fetch(address + path, { headers })
        return { status: answer.status, json: await answer.json() }
      }
      // until the server knows the key
      while ((await ask('/api/v1/account/')).status !== 200) await wait(50)
      const { data: datasets } = (await ask('/api/v1/datasets/')).json
      let asked = 0
      for (const { key, served } of datasets) {
        if (!served || key.startsWith('watchlist')) continue
        const { examples, sources } = (await ask(`/api/v1/datasets/${key}/`)).json.data
        // what banks do not rest on comes with the whole
        if (!sources.every((source: string) => first.includes(source))) continue
        for (const { url } of examples) {
          // so does what other kinds of institution filed
          if (url.includes('universe=')) continue
          const { status, json } = await ask(url)
          t.equal(status, 200, url)
          // in one quarter nobody has closed yet
          if (!url.includes('active=0'))
            t.not(Object.keys(json.data).length, 0, `${url} has something to show`)
          asked++
        }
      }
      t.ok(asked > 50, `${asked} examples`)
    },
  )

  await t.test('and goes on where it was killed', async (t) => {
    main.child.kill('SIGKILL')
    await main.exited()
    const again = startMain(t, settings)
    const [, second] = await again.until(/Ready in .*?: (http:\/\/\S+)/)
    t.strictSame(await (await fetch(`${second}/health/ready`)).json(), ready, 'what was published is served')
    await again.until(/Building all 8 quarters of the synthetic demo universe meanwhile/)
    again.child.kill('SIGTERM')
    t.equal(await again.exited(), 0, 'a stop is no failure of the build')
  })
})

t.test('npm start where a small source was loaded', async (t) => {
  const folder = await temporaryFolder(t)
  const rates = join(folder, 'rates.csv')
  await writeFile(rates, 'date,pmms30,pmms30p,pmms15,pmms15p\r\n1/4/2024,6.62,,5.89\r\n')
  const engine = await openEngine(readConfig({ DATA_DIR: folder }), memoryLog())
  t.teardown(() => engine.close())
  await runLoad(engine, findSource('pmms')!, [rates], { progress: silent, log: memoryLog(), publishing })
  const main = startMain(t, { DATA_DIR: folder, BURST_NO_KEY: '0' })
  const [, address] = await main.until(/Ready in .*?: (http:\/\/\S+)/)

  t.match(await (await fetch(`${address}/health/ready`)).json(), {
    status: 'ready',
    as_of: null,
    synthetic: false,
  })
  const mortgages = await (await fetch(`${address}/api/v1/rates/mortgage/`)).json()
  t.match(
    mortgages,
    { data: [{ rate: 5.89 }, { rate: 6.62 }], meta: { synthetic: false } },
    'the rows are those loaded',
  )
  const banks = await fetch(`${address}/api/v1/screeners/banks/`)
  t.equal(banks.status, 503)
  t.match(await banks.json(), { code: 'no-data', detail: /needs filed Call Reports/ })
  const [, ops] = await main.until(/"address":"(http[^"]+)","msg":"operations port"/)
  const [, example] = await main.until(/curl '(\S+)'/)
  for (const url of [
    `${address}/docs`,
    `${address}/`,
    `${address}/api/v1/openapi.json`,
    `${ops}/metrics`,
    example!,
  ])
    t.equal((await fetch(url)).status, 200, url)
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
