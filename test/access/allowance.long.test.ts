/** The allowance of the day and the burst limit, as a client meets them. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openAccess } from '../../server/access/access.ts'
import { buildApp } from '../../server/app.ts'
import { EngineUnavailable, QueryTimeout } from '../../server/engine/errors.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'

const URL_ = '/api/v1/banks/?limit=1&fields=rssd_id'

t.test('the allowance of the day', async (t) => {
  const { app, newKey, serve, published } = await build(t, {
    key: false,
    env: { ALLOWANCE_FREE: '4', ALLOWANCE_NO_KEY: '3' },
  })
  const { headers, id } = await newKey('free')
  const left = (answer: { headers: Record<string, unknown> }) =>
    Number(answer.headers['x-ratelimit-remaining'])

  await t.test('an answer takes one; a 304, a 4xx and a 5xx that cost no query take nothing', async (t) => {
    const first = await app.inject({ url: URL_, headers })
    t.equal(first.statusCode, 200)
    t.equal(left(first), 3)
    const etag = first.headers.etag as string
    const same = await app.inject({ url: URL_, headers: { ...headers, 'if-none-match': etag } })
    t.equal(same.statusCode, 304)
    t.equal(left(same), 3)
    for (const url of [
      '/api/v1/banks/?limit=no',
      '/api/v1/nothing/',
      '/api/v1/screeners/panel/',
      '/api/v1/banks/1/profile/',
    ]) {
      const answer = await app.inject({ url, headers })
      t.ok(answer.statusCode >= 400, `${answer.statusCode} ${url}`)
      t.equal(left(answer), 3, url)
    }
    serve(null)
    t.equal((await app.inject({ url: URL_, headers })).statusCode, 503)
    serve(published)
    t.equal(left(await app.inject({ url: '/api/v1/openapi.json', headers })), 3, 'documents neither')
    t.equal(left(await app.inject({ url: '/docs/catalog', headers })), 3)
    t.equal(left(await app.inject({ method: 'HEAD', url: URL_, headers })), 2, 'a HEAD is an answer')
  })

  await t.test('the headers are those of the draft: structured fields, seconds to midnight', async (t) => {
    const answer = await app.inject({ url: URL_, headers })
    t.equal(answer.headers['ratelimit-policy'], '"day";q=4;w=86400')
    const now = new Date()
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
    const seconds = Math.ceil((midnight - Date.now()) / 1000)
    const [, r, s] = /^"day";r=(\d+);t=(\d+)$/.exec(String(answer.headers.ratelimit)) ?? []
    t.equal(r, '1')
    t.ok(Math.abs(Number(s) - seconds) <= 2, `${s} of ${seconds}`)
    t.equal(answer.headers['x-ratelimit-limit'], '4')
    t.equal(answer.headers['x-ratelimit-reset'], s)
    t.match(answer.headers['access-control-expose-headers'], /RateLimit-Policy.*X-RateLimit-Remaining/)
  })

  await t.test('past it 429 with Retry-After; what takes nothing still answers', async (t) => {
    t.equal((await app.inject({ url: URL_, headers })).statusCode, 200)
    const answer = await app.inject({ url: URL_, headers })
    t.equal(answer.statusCode, 429)
    t.equal(answer.json().code, 'allowance-used-up')
    t.equal(answer.headers['retry-after'], answer.headers['x-ratelimit-reset'])
    t.match(answer.headers.ratelimit, /^"day";r=0;t=\d+$/)
    t.equal((await app.inject({ url: '/api/v1/account/', headers })).statusCode, 200)
    t.equal((await app.inject({ url: '/health/live', headers })).headers.ratelimit, undefined)
  })

  await t.test('another key has its own, and so has an address, IPv6 by its /56', async (t) => {
    const other = await newKey('free')
    t.equal(left(await app.inject({ url: URL_, headers: other.headers })), 3)
    const from = async (remoteAddress: string) => left(await app.inject({ url: URL_, remoteAddress }))
    t.equal(await from('203.0.113.7'), 2)
    t.equal(await from('203.0.113.8'), 2)
    t.equal(await from('::ffff:203.0.113.8'), 1)
    t.equal(await from('2001:db8::1'), 2)
    t.equal(await from('2001:db8::ffff:1'), 1)
    t.equal(await from('2001:db8:0:ff::1'), 0)
    t.equal(await from('2001:db8:0:100::1'), 2)
  })

  await t.test('the account says plan, allowance, what is left, and use by day and dataset', async (t) => {
    const answer = await app.inject({ url: '/api/v1/account/', headers })
    t.equal(answer.headers['cache-control'], 'no-store')
    const { data } = answer.json()
    t.match(data, { plan: 'free', key: { id, name: 'a test' } })
    t.match(data.allowance, {
      limit: 4,
      used: 4,
      left: 0,
      resets_at: /T00:00:00.000Z$/,
      requests_a_second: null,
    })
    const today = new Date().toISOString().slice(0, 10)
    t.strictSame(data.use, [
      { date: today, requests: 4, datasets: [{ dataset: 'bank-directory', requests: 4 }] },
    ])
    const nobody = (await app.inject({ url: '/api/v1/account', remoteAddress: '203.0.113.9' })).json()
    t.match(nobody.data, { plan: 'none', key: null, allowance: { limit: 3, used: 0, left: 3 }, use: [] })
    t.equal((await app.inject('/api/v1/account/?id=1')).json().errors[0].parameter, 'id')
    const bad = { authorization: 'Bearer nonsense' }
    t.equal((await app.inject({ url: '/api/v1/account/', headers: bad })).statusCode, 401)
  })
})

t.test('requests at once do not get past it', async (t) => {
  const { app, newKey } = await build(t, { key: false, env: { ALLOWANCE_FREE: '5' } })
  const { headers } = await newKey('free')
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject({ url: URL_, headers })))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 5)
  t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 15)
})

t.test('the burst limit counts everything', async (t) => {
  const { app, newKey } = await build(t, { key: false, env: { BURST_FREE: '5', BURST_NO_KEY: '3' } })
  const { headers } = await newKey('free')
  const ask = (url: string, more = {}) => app.inject({ url, headers: { ...headers, ...more } })
  const paths = [
    '/api/v1/nothing/',
    '/api/v1/screeners/panel/',
    '/api/v1/banks/?limit=no',
    '/docs/errors',
    '/api/v1/banks/',
  ]
  const before = await Promise.all(paths.map((url) => ask(url)))
  t.strictSame(
    before.map(({ statusCode }) => statusCode),
    [404, 403, 400, 200, 200],
  )
  t.match(before[4]!.headers, { 'ratelimit-policy': '"burst";q=5;w=1', ratelimit: '"burst";r=0;t=1' })
  const over = await ask('/api/v1/banks/')
  t.equal(over.statusCode, 429)
  t.equal(over.json().code, 'too-many-requests')
  t.equal(over.headers['retry-after'], '1')
  t.equal((await ask('/api/v1/nothing/')).statusCode, 429)
  t.equal((await ask('/health/live')).statusCode, 200, 'but probes')
  // guesses of keys count for the address
  const guesses = await Promise.all(
    Array.from({ length: 5 }, () => ask(URL_, { authorization: `Bearer bds_f_${'A'.repeat(43)}` })),
  )
  t.strictSame(
    guesses.map(({ statusCode }) => statusCode),
    [401, 401, 401, 429, 429],
  )
})

t.test('an address behind a trusted proxy is the one that the proxy names', async (t) => {
  const env = { ALLOWANCE_NO_KEY: '10', TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' }
  const { app } = await build(t, { key: false, env })
  const left = async (remoteAddress: string, forwarded: string) =>
    Number(
      (await app.inject({ url: URL_, remoteAddress, headers: { 'x-forwarded-for': forwarded } })).headers[
        'x-ratelimit-remaining'
      ],
    )
  t.equal(await left('10.1.2.3', '203.0.113.7'), 9)
  t.equal(await left('10.1.2.3', '203.0.113.8'), 9)
  t.equal(
    await left('10.1.2.3', '198.51.100.1, 203.0.113.7, 10.9.9.9'),
    8,
    'what lies beyond is not believed',
  )
  t.equal(await left('203.0.113.9', '203.0.113.7'), 9, 'nor anybody else')
  t.equal(await left('203.0.113.9', '203.0.113.10'), 8)
})

t.test('an address counts without its port, and what is no address counts for the proxy', async (t) => {
  const env = { ALLOWANCE_NO_KEY: '50', TRUSTED_PROXIES: 'loopback,10.0.0.0/8' }
  const { app } = await build(t, { key: false, env })
  const used = async (forwarded: string, remoteAddress = '10.1.2.3') => {
    const headers = { 'x-forwarded-for': forwarded }
    const answer = await app.inject({ url: URL_, remoteAddress, headers })
    return 50 - Number(answer.headers['x-ratelimit-remaining'])
  }
  const own = async (remoteAddress: string) => {
    const answer = await app.inject({ url: '/api/v1/account/', remoteAddress })
    return answer.json().data.allowance.used
  }
  let count = 0
  for (const same of [
    '203.0.113.7',
    '203.0.113.7:1234',
    ' 203.0.113.7:5 ',
    '1.1.1.1, 203.0.113.7:80,10.0.0.9:443',
  ])
    t.equal(await used(same), ++count, same)
  t.equal(await used('203.0.113.7, 127.0.0.1', '::ffff:10.4.5.6'), ++count, 'a proxy over IPv6')
  count = 0
  for (const same of ['[2001:db8::1]:443', '2001:db8::2', '[2001:DB8::3]', '2001:db8::4%eth0'])
    t.equal(await used(same), ++count, same)
  count = 0
  for (const garbage of [
    'unknown',
    'a'.repeat(1000),
    '',
    '203.0.113.7, _hidden',
    '1.2.3.4:x',
    '[::1',
    '1.2.3',
  ])
    t.equal(await used(garbage, '10.7.7.7'), ++count, garbage.slice(0, 20))
  t.equal(await own('10.7.7.7'), count)
  t.equal(await used(`203.0.113.99${',10.0.0.1'.repeat(3000)}`), 1, 'a way as long is not followed')
  t.equal(await own('203.0.113.99'), 0)
})

t.test('what the engine worked for counts, and nothing else', async (t) => {
  const env = { ALLOWANCE_FREE: '1000', RESIDENT_MIB: '0', MAX_CONCURRENT_QUERIES: '1' }
  const { app, newKey, engine, access, listen } = await build(t, { key: false, env })
  const { headers, id } = await newKey('free')
  const used = () => access.use.used(`key:${id}`)
  const page = (limit: number) => `/api/v1/banks/?limit=${limit}&fields=rssd_id`

  await t.test(
    'a range beyond the end, and 304 for whatever there is, as far as it was asked for',
    async (t) => {
      for (const [limit, more, status] of [
        [2, { range: 'bytes=999999999-' }, 416],
        [3, { 'if-none-match': '*' }, 304],
      ] as const) {
        const before = used()
        const ask = () => app.inject({ url: page(limit), headers: { ...headers, ...more } })
        t.equal((await ask()).statusCode, status)
        t.equal(used(), before + 1, `${status} of a query`)
        t.equal((await ask()).statusCode, status)
        t.equal(used(), before + 1, `${status} of what is kept`)
      }
      const before = used()
      t.equal((await app.inject({ url: '/api/v1/reference/mdrm/ZZZZ9999/', headers })).statusCode, 404)
      t.equal(used(), before + 1, '404 of a query')
      t.equal((await app.inject({ url: '/api/v1/banks/4000000000/', headers })).statusCode, 404)
      t.equal(used(), before + 1, '404 without one')
    },
  )

  await t.test('who leaves pays when the engine had begun, and not while it was waited for', async (t) => {
    const origin = await listen()
    const read = engine.read.bind(engine)
    let begun = 0
    let goOn = (): void => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    ;(engine as { read: typeof read }).read = async (query) => {
      begun++
      await held
      return read(query)
    }
    const until = async (there: () => boolean): Promise<void> => {
      for (let i = 0; i < 500 && !there(); i++) await sleep(10)
    }
    const leaving = (limit: number) => {
      const gone = new AbortController()
      const asked = fetch(origin + page(limit), { headers, signal: gone.signal })
      asked.catch(() => {})
      return gone
    }
    const before = used()
    const first = leaving(4)
    await until(() => begun > 0)
    await sleep(100)
    const ofTheFirst = begun
    const second = leaving(5)
    await until(() => used() === before + 2)
    t.equal(used(), before + 2)
    // it comes as far as the gate
    await sleep(200)
    t.equal(begun, ofTheFirst, 'it has no place yet')
    second.abort()
    await until(() => used() === before + 1)
    t.equal(used(), before + 1, 'the one that waited is given back')
    first.abort()
    await sleep(200)
    t.equal(used(), before + 1)
    goOn()
    ;(engine as { read: typeof read }).read = read
  })

  await t.test('what the server fails at takes nothing', async (t) => {
    const read = engine.read.bind(engine)
    ;(engine as { read: typeof read }).read = () => Promise.reject(new EngineUnavailable('gone'))
    const before = used()
    t.equal((await app.inject({ url: page(6), headers })).statusCode, 503)
    t.equal(used(), before)
    ;(engine as { read: typeof read }).read = () => Promise.reject(new QueryTimeout('too long'))
    t.equal((await app.inject({ url: page(6), headers })).statusCode, 504)
    t.equal(used(), before + 1, 'but a query that took too long was worked for')
    ;(engine as { read: typeof read }).read = read
  })
})

t.test('the day ends at 00:00 UTC', async (t) => {
  const { config, engine, workers, published, newKey } = await build(t, { env: { ALLOWANCE_FREE: '2' } })
  const { headers } = await newKey('free')
  let now = Date.UTC(2031, 0, 31, 23, 59, 58)
  const access = await openAccess(config, engine, memoryLog(), { now: () => now })
  t.teardown(() => access.close())
  const app = await buildApp(config, { engine, workers, access, published: () => published })
  t.teardown(() => app.close())
  const ask = async () => {
    const answer = await app.inject({ url: URL_, headers })
    return [answer.statusCode, answer.headers['x-ratelimit-remaining'], answer.headers['x-ratelimit-reset']]
  }
  t.strictSame(await ask(), [200, '1', '2'])
  t.strictSame(await ask(), [200, '0', '2'])
  now += 1999
  t.strictSame(await ask(), [429, '0', '1'])
  now += 1
  t.strictSame(await ask(), [200, '1', '86400'])
  await access.use.sync()
  const written = await engine.loader().query({
    query:
      "SELECT toString(day) AS day, requests FROM client_use FINAL WHERE startsWith(client, 'key:') ORDER BY day",
    format: 'JSONEachRow',
  })
  t.strictSame(await written.json(), [
    { day: '2031-01-31', requests: 2 },
    { day: '2031-02-01', requests: 1 },
  ])
})
