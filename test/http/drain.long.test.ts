// What a stop does to answers that are under way: they end whole within DRAIN_SECONDS, and are cut after it.
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import t from 'tap'
import { createKey } from '../../server/access/key-store.ts'
import { readConfig } from '../../server/config/config.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { openEngine } from '../../server/engine/open.ts'
import { publishing } from '../../server/publishing.ts'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { startMain } from '../helpers/main-process.ts'
import { copyUniverse, rebuild } from '../helpers/universe-folder.ts'

/** More bytes than the buffers of two sockets hold: an answer that nobody reads stays under way. */
const PANEL = `/api/v1/screeners/panel/?metrics=${metrics.map(({ key }) => key).join(',')}&format=ndjson`
const CUT = /answers are still under way: cutting them \(DRAIN_SECONDS\)/

t.test('a stop', async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const config = readConfig({ DATA_DIR: folder })
  const log = memoryLog()
  // holds the engine open over the two servers, and makes the key that both know from their start
  const engine = await openEngine(config, log)
  t.teardown(() => engine.close())
  await ensureCurrent(engine, { ...publishing, rebuild }, log)
  const { secret } = await createKey(engine, { plan: 'premium', name: 'a test' })
  const headers = { authorization: `Bearer ${secret}` }

  /** A server, with one answer begun that waits for its reader, and SIGTERM sent. */
  const stopping = async (seconds: number) => {
    const main = startMain(t, { DATA_DIR: folder, DRAIN_SECONDS: String(seconds) })
    const [, address] = await main.until(/Ready in .*?: (http:\/\/\S+)/)
    const agent = new Agent({ keepAlive: true })
    t.teardown(() => agent.destroy())
    const request = get(`${address}${PANEL}`, { agent, headers })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    t.equal(answer.statusCode, 200)
    answer.on('error', () => {})
    const closed = new Promise<void>((resolve) => answer.on('close', resolve))
    // a connection that is kept alive and asks for nothing is in nobody's way
    const idle = new Agent({ keepAlive: true })
    t.teardown(() => idle.destroy())
    const live = get(`${address}/health/live`, { agent: idle })
    ;((await once(live, 'response')) as [IncomingMessage])[0].resume()
    main.child.kill('SIGTERM')
    const signalled = performance.now()
    await main.until(/"msg":"stopping"/)
    return { main, address: address!, answer, closed, signalled }
  }

  await t.test('lets an answer that is under way end whole, and nobody new in', async (t) => {
    const { main, address, answer, closed } = await stopping(30)
    await t.rejects(fetch(`${address}/health/live`), 'no new connection')
    t.equal(main.child.exitCode, null, 'it waits for the answer')
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => void chunks.push(chunk))
    await closed
    t.ok(answer.complete)
    const rows = Buffer.concat(chunks).toString().trimEnd().split('\n')
    t.equal(rows.length, Number(answer.headers['x-total-count']))
    t.same(Object.keys(JSON.parse(rows.at(-1)!)).slice(-1), [metrics.at(-1)!.key], 'to its last figure')
    t.equal(await main.exited(), 0)
    t.notMatch(main.written(), CUT, 'it ends with the answer, not with the drain')
  })

  await t.test('cuts one that takes longer than the drain', async (t) => {
    const { main, answer, closed, signalled } = await stopping(1)
    t.equal(await main.exited(), 0)
    t.ok(performance.now() - signalled >= 1000, 'not before')
    t.match(main.written(), CUT)
    answer.resume()
    await closed
    t.notOk(answer.complete, 'its reader sees that it is not whole')
  })
})
