// Watchlists with two servers on one engine, each with its own connection and its own reading of the keys.
import t from 'tap'
import { openAccess } from '../../server/access/access.ts'
import { createKey, revokeKey, rotateKey } from '../../server/access/key-store.ts'
import { keyPlans } from '../../server/access/plans.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { openWorkers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder, unhurried } from '../helpers/engine.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

const folder = await temporaryFolder(t)
await copyUniverse(folder)
const settings = readConfig({
  ...{ DATA_DIR: folder, ...unhurried, MAX_CONCURRENT_QUERIES: '4' },
  ...{ ALLOWANCE_FREE: '0', ALLOWANCE_PREMIUM: '0', BURST_FREE: '0', BURST_PREMIUM: '0' },
})
// a server learns of keys when the test says so
const config = { ...settings, keysPollMs: 3_600_000 }
const workers = openWorkers({ maxThreads: 1 })
t.teardown(() => workers.close())

async function start() {
  const engine = await openEngine(config, memoryLog())
  const access = await openAccess(config, engine, memoryLog())
  const published = await readPublished(engine, (await currentPublication(engine))!)
  const app = await buildApp(config, { engine, workers, access, published: () => published })
  let ended: Promise<void> | undefined
  const close = () => {
    ended ??= app
      .close()
      .then(() => access.close())
      .then(() => engine.close())
    return ended
  }
  t.teardown(close)
  return { engine, access, app, published, close }
}
type Server = Awaited<ReturnType<typeof start>>

const servers = [await start(), await start()]
const [first, second] = servers as [Server, Server]
const known = () => Promise.all(servers.map(({ access }) => access.keys.refresh()))
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
type Headers = Readonly<Record<string, string>>
const ask = ({ app }: Server, url: string, headers: Headers, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/api/v1/watchlist/${url}`, headers: { ...headers } })
const list = async (server: Server, headers: Headers): Promise<number[]> =>
  (await ask(server, '?fields=rssd_id', headers))
    .json()
    .data.map(({ rssd_id }: { rssd_id: number }) => rssd_id)
    .sort((a: number, b: number) => a - b)
const ids = (
  await first.engine.rows<{ rssd_id: number }>({
    database: first.published.publication.database,
    sql: 'SELECT rssd_id FROM banks WHERE active ORDER BY rssd_id LIMIT 60',
  })
).map(({ rssd_id }) => rssd_id)
const rowsOf = async (id: string): Promise<number> => {
  const answer = await first.engine.loader().query({
    query: 'SELECT toUInt32(count()) AS n FROM watch_changes WHERE key_id = {id:String}',
    query_params: { id },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ n: number }>())[0]!.n
}

t.test('50 adds and removes at the same time at either server: none is lost, none doubled', async (t) => {
  for (const plan of keyPlans) {
    const { secret } = await createKey(first.engine, { plan, name: 'a test' })
    await known()
    const headers = bearer(secret)
    const at = (place: number) => servers[place % 2]!
    const all = async (asked: readonly ReturnType<typeof ask>[]) =>
      t.ok(
        (await Promise.all(asked)).every(({ statusCode }) => statusCode === 200),
        plan,
      )
    // each twice: at both servers
    await all(
      servers.flatMap((server) => ids.slice(0, 25).map((id) => ask(server, `add/?rssd_id=${id}`, headers))),
    )
    for (const server of servers) t.strictSame(await list(server, headers), ids.slice(0, 25), plan)
    await all([
      ...ids.slice(0, 20).map((id, place) => ask(at(place), `remove/?rssd_id=${id}`, headers)),
      ...ids.slice(25, 55).map((id, place) => ask(at(place), `add/?rssd_id=${id}`, headers)),
    ])
    for (const server of servers) t.strictSame(await list(server, headers), ids.slice(20, 55), plan)
    // the same institution is put on and taken off at once: either holds, for both servers
    await all([
      ...ids.slice(20, 45).map((id, place) => ask(at(place), `remove/?rssd_id=${id}`, headers)),
      ...ids.slice(20, 45).map((id, place) => ask(at(place + 1), `add/?rssd_id=${id}`, headers)),
    ])
    const after = await list(first, headers)
    t.strictSame(await list(second, headers), after, plan)
    t.strictSame(
      after.filter((id) => id >= ids[45]!),
      ids.slice(45, 55),
      'what nobody named stays',
    )
    t.equal(new Set(after).size, after.length)
  }
})

t.test('no key sees the list of another, whatever was asked before and however', async (t) => {
  const keys = await Promise.all(
    [
      ['free', 3],
      ['free', 4],
      ['premium', 5],
    ].map(async ([plan, count], nth) => {
      const { secret } = await createKey(first.engine, { plan: plan as 'free', name: 'a test' })
      return { headers: bearer(secret), own: ids.slice(nth * 10, nth * 10 + Number(count)) }
    }),
  )
  await known()
  for (const { headers, own } of keys) await ask(first, `add/?rssd_id=${own.join()}`, headers)
  // all at once and the same URL, so that what is shared between requests would be
  for (const format of ['json', 'csv', 'ndjson']) {
    const asked = Array.from({ length: 4 }, () =>
      servers.flatMap((server) => keys.map((key) => ({ server, key }))),
    ).flat()
    const answers = await Promise.all(
      asked.map(({ server, key }) => ask(server, `?fields=rssd_id&format=${format}`, key.headers)),
    )
    for (const [place, { body, statusCode }] of answers.entries()) {
      t.equal(statusCode, 200, body.slice(0, 300))
      t.strictSame(
        (body.replace(/"meta"[\s\S]*/, '').match(/\b\d{6,}\b/g) ?? []).map(Number).sort((a, b) => a - b),
        asked[place]!.key.own,
        format,
      )
    }
  }
  for (const url of ['?fields=rssd_id', '?fields=rssd_id&format=parquet', 'alerts/?fields=rssd_id'])
    for (const server of servers)
      for (const { headers } of keys) {
        const plain = await ask(server, url, headers)
        const kept = { 'cache-control': 'private, no-store', etag: undefined, 'accept-ranges': undefined }
        t.match(plain.headers, kept, url)
        // tags as a cache could have made them up
        for (const [name, value] of [
          ['if-none-match', '*'],
          ['if-none-match', '"0", W/"1"'],
          ['range', 'bytes=0-19'],
          ['range', 'bytes=-20'],
        ] as const) {
          const answer = await ask(server, url, { ...headers, [name]: value })
          t.equal(answer.statusCode, 200, `${name}: ${value}`)
          t.match(answer.headers, { 'cache-control': 'private, no-store', etag: undefined })
          t.strictSame(answer.rawPayload, plain.rawPayload, `${url} ${name}: ${value}`)
        }
        const head = await ask(server, url, headers, 'HEAD')
        t.equal(head.body, '')
        t.match(head.headers, { 'cache-control': 'private, no-store', etag: undefined })
      }
  for (const server of servers) t.equal((await ask(server, '', {})).statusCode, 401)
})

t.test('rotated at one server and revoked at the other', async (t) => {
  const { key, secret } = await createKey(first.engine, { plan: 'free', name: 'a test' })
  await known()
  await ask(second, `add/?rssd_id=${ids[0]},${ids[1]}`, bearer(secret))
  const rotated = await rotateKey(first.engine, key.id)
  await known()
  for (const server of servers) {
    t.equal((await ask(server, '', bearer(secret))).statusCode, 401)
    t.strictSame(await list(server, bearer(rotated.secret)), ids.slice(0, 2))
  }
  await revokeKey(second.engine, key.id)
  t.equal(await rowsOf(key.id), 0)
  // the servers have not heard of it yet: what they still let in leaves nothing behind
  for (const server of servers)
    t.match((await ask(server, `add/?rssd_id=${ids[2]}`, bearer(rotated.secret))).json(), {
      data: { watched: 0, named: 1, named_watched: 0 },
    })
  t.equal(await rowsOf(key.id), 0)
  await known()
  for (const server of servers) t.equal((await ask(server, '', bearer(rotated.secret))).statusCode, 401)
})

t.test('after a restart of servers and engine', async (t) => {
  const { secret } = await createKey(first.engine, { plan: 'free', name: 'a test' })
  await known()
  await ask(first, `add/?rssd_id=${ids.slice(0, 3).join()}`, bearer(secret))
  await ask(second, `remove/?rssd_id=${ids[0]}`, bearer(secret))
  await second.close()
  await first.close()
  t.strictSame(await list(await start(), bearer(secret)), ids.slice(1, 3))
})
