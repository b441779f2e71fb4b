// Several servers with the same data: reads are spread, what a dead one lost is answered by another, and no version is mixed.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { openEngine } from '../../server/engine/open.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { buildOpsApp } from '../../server/ops/server.ts'
import { build, type TestApp } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'
import { replicas } from '../helpers/replicas.ts'
import { tcpProxy } from '../helpers/tcp-proxy.ts'
import {
  all,
  fresh,
  fromEngine,
  node,
  nodesOf,
  renaming,
  SCREEN,
  underLoad,
  until,
} from '../helpers/under-load.ts'
import { samples } from '../ops/samples.ts'

const unavailable = { status: 503, code: 'engine-unavailable', retryAfter: '2' }

async function see({ app }: TestApp, url = fresh()): Promise<object> {
  const { statusCode: status, headers, body } = await app.inject(url)
  if (status === 200) return { status }
  t.notMatch(body, /ECONN|127\.0\.0\.1|SELECT|clickhouse|node_modules/i, 'nothing of the inside is told')
  return { status, code: JSON.parse(body).code, retryAfter: headers['retry-after'] }
}

/** A moment for the load to reach the state in which something happens, and for what follows. */
const awhile = (): Promise<void> => sleep(700)

t.test('three servers', async (t) => {
  const { replicas: servers, env } = await replicas(t, 3)
  const networks = await Promise.all(servers.map(({ url }) => tcpProxy(t, url)))
  const metrics = new Metrics()
  const service = await build(t, {
    data: false,
    deps: { metrics },
    env: { ...fromEngine, ...env, CLICKHOUSE_URL: networks.map(({ url }) => url).join(',') },
  })
  const ops = buildOpsApp(metrics.registry, { engine: service.engine, published: () => service.published })
  t.teardown(() => ops.close())
  const scrape = async () => samples((await ops.inject('/metrics')).body)
  const rows = await all(service)
  const text = JSON.stringify(rows)
  const same = ({ data }: { data: unknown }): boolean => JSON.stringify(data) === text
  t.ok((rows as unknown[]).length > 0)
  await t.test('all three answer, alike', async (t) => {
    t.ok(await until(() => nodesOf(service).every(({ holds }) => holds)))
    await all(service)
    await sleep(300)
    const before = nodesOf(service).map(({ reads }) => reads)
    const seen = await underLoad(service, same, () =>
      until(() => nodesOf(service).every(({ reads }, n) => reads > before[n]! + 10)),
    )
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
    for (const [n, { reads, lost }] of nodesOf(service).entries()) {
      t.ok(reads > before[n]! + 10, `${reads - before[n]!} of ${seen.answers} reads`)
      t.equal(lost, 0)
    }
    const sent = nodesOf(service)
    const told = await scrape()
    for (const { name, reads } of sent) {
      t.equal(told.value('banking_node_up', { node: name }), 1)
      // a scrape may read too
      t.ok(told.value('banking_node_reads_total', { node: name })! >= reads)
    }
    t.strictSame((await service.app.inject('/health/ready')).json().nodes, { up: 3, of: 3 })
  })

  for (const n of [1, 0]) {
    await t.test(`kill -9 of server ${n + 1} under load loses nothing`, async (t) => {
      const seen = await underLoad(service, same, async () => {
        await awhile()
        await servers[n]!.kill()
        t.ok(await until(() => node(service, n).state === 'down'))
        await awhile()
      })
      t.comment(JSON.stringify(seen))
      t.match(seen, { lost: 0, wrong: 0 })
      t.equal((await scrape()).value('banking_node_up', { node: node(service, n).name }), 0)
      t.strictSame((await service.app.inject('/health/ready')).json().nodes, { up: 2, of: 3 })
      await servers[n]!.start()
      t.ok(await until(() => node(service, n).state === 'ready'))
      const before = node(service, n).reads
      const back = await underLoad(service, same, () => until(() => node(service, n).reads > before + 5))
      t.match(back, { lost: 0, wrong: 0 })
      t.ok(node(service, n).reads > before + 5, 'it is read again')
    })
  }

  await t.test('a network that swallows: what waits is asked elsewhere', async (t) => {
    const seen = await underLoad(service, same, async () => {
      await awhile()
      networks[2]!.become('swallow')
      t.ok(await until(() => node(service, 2).state === 'stalled'))
      await awhile()
      networks[2]!.become('fair')
      t.ok(await until(() => node(service, 2).state === 'ready'))
    })
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
    t.ok(node(service, 2).lost > 0, 'reads were inside')
  })

  await t.test('none answers: refused at once, what is kept is answered', async (t) => {
    const kept = `${SCREEN}&limit=5`
    t.strictSame(await see(service, kept), { status: 200 })
    for (const network of networks) network.become('cut')
    t.strictSame(await see(service), unavailable)
    t.ok(await until(() => nodesOf(service).every(({ state }) => state === 'down')))
    t.equal(service.engine.state(), 'down')
    t.strictSame(await see(service), unavailable)
    t.strictSame(await see(service, '/health/ready'), unavailable)
    t.strictSame(await see(service, kept), { status: 200 })
    for (const network of networks) network.become('fair')
    t.ok(await until(() => nodesOf(service).every(({ state }) => state === 'ready'), 60))
    t.ok(same({ data: await all(service) }))
  })
})

t.test('a version is read only where it is whole', async (t) => {
  const { replicas: servers, env } = await replicas(t, 2)
  const service = await build(t, {
    data: false,
    env: { ...fromEngine, ...env, VERSION_GRACE_SECONDS: '600' },
  })
  const { engine, config, published } = service
  const second = await openEngine(readConfig({ ...env, CLICKHOUSE_URL: servers[1]!.url }), memoryLog())
  t.teardown(() => second.close())
  const atSecond = async (query: string): Promise<void> =>
    void (await second
      .loader('default')
      .query({ query, format: 'JSONEachRow' })
      .then((result) => result.text()))
  await until(() => nodesOf(service).every(({ holds }) => holds))

  const { versions, ofItsVersion, publish, database } = renaming(t, service)

  await t.test('published on the first under load: nothing is lost or mixed', async (t) => {
    const seen = await underLoad(service, ofItsVersion, async () => {
      await publish()
      await awhile()
    })
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
    t.equal(versions.size, 2, 'both were read')
    t.match(nodesOf(service), [{ holds: true }, { holds: false, state: 'ready' }])
    t.strictSame((await service.app.inject('/health/ready')).json().nodes, { up: 1, of: 2 })
  })

  await t.test('a copy that is not whole is not read', async (t) => {
    await engine
      .loader('default')
      .query({ query: `BACKUP DATABASE ${database()} TO File('one')`, format: 'JSONEachRow' })
      .then((result) => result.text())
    await cp(join(servers[0]!.backups, 'one'), join(servers[1]!.backups, 'one'), { recursive: true })
    await atSecond(`RESTORE DATABASE ${database()} AS half FROM File('one')`)
    await second
      .loader('half')
      .command({ query: `ALTER TABLE bank_quarters DROP PARTITION '${published.publication.asOf}'` })
    await second.loader('default').command({ query: `RENAME DATABASE half TO ${database()}` })
    const reads = node(service, 1).reads
    // longer than a node that lacks something is left alone
    const seen = await underLoad(service, ofItsVersion, () => sleep(7_000))
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
    t.equal(node(service, 1).holds, false)
    t.equal(node(service, 1).reads, reads)
  })

  await t.test('a whole copy is, as soon as it is there', async (t) => {
    await second.loader('default').command({ query: `DROP DATABASE ${database()} SYNC` })
    const seen = await underLoad(service, ofItsVersion, async () => {
      await atSecond(`RESTORE DATABASE ${database()} FROM File('one')`)
      t.ok(await until(() => node(service, 1).holds))
      await awhile()
      const reads = node(service, 1).reads
      t.ok(await until(() => node(service, 1).reads > reads + 5))
    })
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
  })

  await t.test('without the first: reads go on, keys are known, nothing can be written', async (t) => {
    const seen = await underLoad(service, ofItsVersion, async () => {
      await servers[0]!.kill()
      await awhile()
    })
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
    t.equal(engine.state(), 'ready')
    await t.rejects(openEngine(config, memoryLog()), {
      code: 'UNREACHABLE',
      message: new RegExp(`${new URL(servers[0]!.url).host}\\) does not answer`),
    })
    const reader = await openEngine(config, memoryLog(), { starts: false })
    t.equal(reader.state(), 'ready', 'who only reads opens without it')
    await reader.close()
  })
})

t.test('a server that refuses the user is named', async (t) => {
  const { replicas: servers, env } = await replicas(t, 2)
  const { replicas: strangers } = await replicas(t, 1)
  const url = `${env.CLICKHOUSE_URL},${strangers[0]!.url}`
  await t.rejects(openEngine(readConfig({ ...env, CLICKHOUSE_URL: url }), memoryLog()), {
    code: 'UNREACHABLE',
    message: new RegExp(`${new URL(strangers[0]!.url).host}\\) refuses its user`),
  })
  await servers[1]!.kill()
  const log = memoryLog()
  const engine = await openEngine(readConfig(env), log)
  t.equal(engine.state(), 'ready', 'one that is away is waited for')
  t.ok(log.lines.some(({ message }) => message === 'a node of CLICKHOUSE_URL does not answer yet'))
  await engine.close()
})
