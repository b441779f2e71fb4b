// Servers of a cluster that die, and networks between them that swallow: nothing is lost, wrong or of some shards alone.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { build, type TestApp } from '../helpers/app.ts'
import type { Cluster } from '../helpers/cluster.ts'
import { all, fresh, fromEngine, node, nodesOf, underLoad, until } from '../helpers/under-load.ts'

/** A moment for the load to reach the state in which something happens, and for what follows. */
const awhile = (): Promise<void> => sleep(1_500)

const see = async ({ app }: TestApp, url: string): Promise<object> => {
  const { statusCode: status, headers, body } = await app.inject(url)
  return status === 200 ? { status } : { status, code: JSON.parse(body).code, again: headers['retry-after'] }
}

export async function reads(t: Test, { nodes, env, networks }: Cluster): Promise<void> {
  const service = await build(t, { data: false, env: { ...env, ...fromEngine } })
  t.ok(
    await until(() => nodesOf(service).every(({ holds, state }) => holds && state === 'ready')),
    'all hold it',
  )
  const rows = (await all(service)) as unknown[]
  const text = JSON.stringify(rows)
  const same = ({ data }: { data: unknown }): boolean => JSON.stringify(data) === text
  t.ok(rows.length > 50)

  for (const [n, { shard }] of nodes.entries())
    await t.test(`kill -9 of server ${n + 1}, of shard ${shard}, under load`, async (t) => {
      const seen = await underLoad(service, same, async () => {
        await awhile()
        await nodes[n]!.kill()
        t.ok(await until(() => node(service, n).state === 'down'))
        await awhile()
        await nodes[n]!.start()
        t.ok(await until(() => node(service, n).state === 'ready' && node(service, n).holds))
        await awhile()
      })
      t.comment(JSON.stringify(seen))
      t.match(seen, { lost: 0, wrong: 0 })
    })

  await t.test('a network between the servers that swallows', async (t) => {
    const seen = await underLoad(service, same, async () => {
      await awhile()
      networks[3]!.become('swallow')
      await sleep(6_000)
      networks[3]!.become('fair')
      await awhile()
    })
    t.comment(JSON.stringify(seen))
    t.match(seen, { lost: 0, wrong: 0 })
  })

  await t.test('a shard that is away: what needs it is refused, what lies in memory goes on', async (t) => {
    const remembering = await build(t, { data: false, env })
    await remembering.published.resident.warm()
    const snapshot = `/api/v1/banks/${remembering.published.examples.bank}/`
    const away = nodes.flatMap(({ shard }, n) => (shard === 2 ? [n] : []))
    for (const n of away) await nodes[n]!.kill()
    t.ok(await until(() => away.every((n) => node(service, n).state === 'down')))
    const seen = new Set<string>()
    for (let n = 0; n < 20; n++) seen.add(JSON.stringify(await see(service, fresh())))
    t.strictSame([...seen], [JSON.stringify({ status: 503, code: 'engine-unavailable', again: '2' })])
    t.strictSame(await see(remembering, snapshot), { status: 200 })
    t.strictSame(await see(remembering, fresh()), { status: 200 })
    for (const n of away) await nodes[n]!.start()
    t.ok(await until(() => away.every((n) => node(service, n).state === 'ready' && node(service, n).holds)))
    t.ok(same({ data: await all(service) }), 'it is back')
  })
}
