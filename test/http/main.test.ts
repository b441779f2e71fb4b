import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { publishing } from '../../loaders/lib/publishing.ts'
import { readConfig } from '../../server/config.ts'
import { openEngine } from '../../server/engine/engine.ts'
import { beginBuild } from '../../server/engine/versions.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** What a process has written, until it matches. */
async function untilMatch(child: ChildProcess, pattern: RegExp, seconds = 60): Promise<RegExpExecArray> {
  let text = ''
  const add = (chunk: Buffer): void => {
    text += chunk
  }
  child.stderr!.on('data', add)
  child.stdout!.on('data', add)
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(50)) {
    const match = pattern.exec(text)
    if (match) return match
    if (child.exitCode !== null) break
  }
  throw new Error(`${pattern} was not written:\n${text}`)
}

t.test('npm start', async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    VERSION_POLL_MS: '200',
    OPS_PORT: '0',
  }
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const opsLine = untilMatch(child, /"address":"(http[^"]+)","msg":"operations port"/)
  const [, address] = await untilMatch(child, /Ready in .*?: (http:\/\/\S+)/)

  await t.test('answers the query that it prints', async (t) => {
    const response = await fetch(`${address}/api/v1/screeners/banks/?state=GA&min_total_assets=500000`)
    t.equal(response.status, 200)
    t.equal(((await response.json()) as { meta: { synthetic: boolean } }).meta.synthetic, true)
  })

  await t.test('answers Prometheus on the operations port, about its process too', async (t) => {
    const [, ops] = await opsLine
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
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    t.equal(code, 0)
    await t.rejects(fetch(`${address}/health/live`))
  })
})

t.test('a wrong setting is named, and nothing starts', async (t) => {
  const env = { ...process.env, PORT: 'eighty', DATA_DIR: await temporaryFolder(t) }
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [match] = await untilMatch(child, /PORT is "eighty": expected .*/)
  t.match(match, /integer/)
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number])[0]
  t.equal(code, 1)
})

t.test('a port that is taken is named by its setting', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const folder = await temporaryFolder(t)
  const env = { ...process.env, PORT: '0', OPS_PORT: String(port), DATA_DIR: folder }
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  await untilMatch(child, new RegExp(`OPS_PORT is ${port}: another process listens there on 127.0.0.1`))
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number])[0]
  t.equal(code, 1)
})
