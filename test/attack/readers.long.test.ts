// Clients that ask for long answers and do not take them: what they may hold, for how long, and what others notice.
import { once } from 'node:events'
import { readdir, readlink, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { column } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { integer } from '../../server/catalog/parameters.ts'
import { openLog } from '../../server/ops/log.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { build } from '../helpers/app.ts'
import { samples } from '../ops/samples.ts'

const numbers = dataset({
  key: 'failures',
  summary: 'Numbers.',
  from: 'SELECT number, repeat(toString(cityHash64(number)), 4) AS text FROM numbers({rows:UInt64})',
  grain: ['number'],
  parameters: {
    rows: integer({ doc: 'Rows.', default: 10 }),
    fail_at: integer({ doc: 'The row that fails.', default: 4_000_000_000 }),
  },
  columns: [
    column('UInt64', 'number', 'Number'),
    column('String', 'text', 'Text'),
    column('UInt8', 'failed', 'Failed', { sql: 'throwIf(number = {fail_at:UInt64})' }),
  ],
  sources: [],
  examples: [{ title: 'Ten' }],
})

/** More than the buffers of both ends of a connection take: 27 MB. */
const LONG = 300_000
const path = (rows: number, more = ''): string => `/api/v1/failures/?format=csv&rows=${rows}${more}`

interface Reader {
  readonly socket: Socket
  readonly status: number
  readonly head: string
  /** Reads on to the end. @returns bytes, and whether the last chunk was among them */
  rest(options?: { pauseMs?: number; every?: number }): Promise<{ bytes: number; whole: boolean }>
}

/** The service, where each `X-Forwarded-For` is a client. */
async function service(t: Test, env: Record<string, string>) {
  const lines: Record<string, unknown>[] = []
  const logger = openLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const metrics = new Metrics()
  const { listen, app, config } = await build(t, {
    data: false,
    datasets: [numbers],
    env: { TRUSTED_PROXIES: 'loopback', ...env },
    deps: { logger, metrics },
  })
  const port = Number(new URL(await listen()).port)
  const sockets = new Set<Socket>()
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })

  /** Asks, reads the head and no more. */
  const ask = async (
    client: string,
    url: string,
    { headers = {}, times = 1 }: { headers?: Record<string, string>; times?: number } = {},
  ): Promise<Reader> => {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    const given = { host: 'x', 'x-forwarded-for': client, ...headers }
    const fields = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${url} HTTP/1.1\r\n${fields.join('')}\r\n`.repeat(times))
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    const head = first.toString('latin1').split('\r\n\r\n')[0]!
    const rest: Reader['rest'] = async ({ pauseMs = 0, every = 0 } = {}) => {
      let bytes = first.length
      let end = first.subarray(-5)
      let since = 0
      const closed = once(socket, 'close')
      let whole = false
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        since += chunk.length
        end = Buffer.concat([end, chunk]).subarray(-5)
        whole = end.toString('latin1') === '0\r\n\r\n'
        if (whole) socket.destroy()
        else if (pauseMs > 0 && since >= every) {
          since = 0
          socket.pause()
          setTimeout(() => socket.resume(), pauseMs)
        }
      })
      socket.resume()
      await closed
      return { bytes, whole }
    }
    return { socket, status: Number(head.slice(9, 12)), head, rest }
  }
  const state = async (name: string) => samples(await metrics.registry.metrics()).value(name)
  const until = async (name: string, value: number): Promise<void> => {
    for (let i = 0; i < 400 && (await state(name)) !== value; i++) await sleep(50)
    t.equal(await state(name), value, name)
  }
  /** How requests ended that did not end whole. */
  const ended = () =>
    lines.filter(({ endedBy }) => endedBy !== undefined).map(({ endedBy, status }) => `${endedBy} ${status}`)
  /** The same, once so many are in the log, which hears of an end after the counts do. */
  const endedOnce = async (count: number) => {
    for (let i = 0; i < 400 && ended().length < count; i++) await sleep(50)
    return ended()
  }
  return { app, config, ask, state, until, endedOnce, lines }
}

/** Nothing is kept: each answer is a query's, at its reader's pace. */
const STREAMS = { CACHE_MIB: '0' }

t.test('readers that stall', async (t) => {
  const { ask, until, endedOnce, state } = await service(t, {
    ...STREAMS,
    STALL_SECONDS: '3',
    MAX_WAIT_MS: '300',
  })
  const stalled = await Promise.all(Array.from({ length: 12 }, (_, i) => ask('192.0.2.1', path(LONG + i))))
  const given = stalled.filter(({ status }) => status === 200)
  t.equal(given.length, 3, 'of four slots one client has three')
  t.same(new Set(stalled.map(({ status }) => status)), new Set([200, 429]))
  const other = await ask('192.0.2.2', path(10))
  t.equal(other.status, 200, 'others are answered while they stall')

  const living = (await ask('192.0.2.3', path(LONG))).rest({ pauseMs: 600, every: 4 * 2 ** 20 })
  t.match(await living, { whole: true }, 'who is slow and reads gets all of it')
  await until('banking_gate_inside', 0)
  await until('banking_open_answers', 0)
  t.same(await endedOnce(3), ['no progress 408', 'no progress 408', 'no progress 408'])
  for (const one of given) t.match(await one.rest(), { whole: false })

  const { socket } = await ask('192.0.2.1', path(LONG), { times: 2 })
  while ((await state('banking_open_answers')) !== 2) await sleep(20)
  socket.destroy()
  await until('banking_open_answers', 0)
  await until('banking_gate_inside', 0)
  t.equal((await endedOnce(5)).length, 5, 'who leaves with two answers, one behind the other, has left both')
})

t.test('readers of many addresses', async (t) => {
  // a patience that the test would not live to see the end of
  const { ask, until, endedOnce, app } = await service(t, {
    ...STREAMS,
    STALL_SECONDS: '30',
    MAX_CONCURRENT_QUERIES: '1',
    MAX_WAIT_MS: '60000',
  })
  const stalled = await Promise.all(Array.from({ length: 3 }, (_, i) => ask(`192.0.2.${i}`, path(LONG + i))))
  t.same(
    stalled.map(({ status }) => status),
    [200, 200, 200],
    'one has the slot, two stand aside',
  )
  const other = await app.inject(path(10))
  t.equal(
    other.statusCode,
    200,
    `who waits for a place that one of them holds gets it before its patience ends: ${other.body}`,
  )
  const first = await endedOnce(1)
  t.ok(first.length > 0 && first.every((one) => one === 'no progress 408'))
  for (const { socket } of stalled) socket.destroy()
  await until('banking_gate_inside', 0)
})

t.test('the log says who ended an answer', async (t) => {
  const { ask, until, endedOnce, lines } = await service(t, { ...STREAMS, STREAM_SECONDS: '2' })
  const slow = await ask('192.0.2.1', path(LONG))
  t.match(await slow.rest({ pauseMs: 1000, every: 2 ** 20 }), { whole: false })
  await until('banking_open_answers', 0)
  const left = await ask('192.0.2.1', path(LONG))
  left.socket.destroy()
  await until('banking_open_answers', 0)
  const failing = await ask('192.0.2.1', path(LONG, `&fail_at=${LONG - 1}`))
  t.match(await failing.rest(), { whole: false })
  await until('banking_open_answers', 0)
  await until('banking_gate_inside', 0)
  t.same(await endedOnce(3), ['stream time 408', 'client 499', 'engine 502'])
  t.match(
    lines.filter(({ msg }) => msg === 'an answer was broken off'),
    [{ level: 40, err: { type: 'BadQuery' } }],
  )
})

t.test('readers of kept answers that pause', async (t) => {
  const { ask, until, app } = await service(t, { CACHE_MIB: '112', CLIENT_QUERIES: '3' })
  for (const rows of [LONG, LONG + 1, LONG + 2]) {
    for (let i = 0; i < 2; i++) t.equal((await app.inject(path(rows))).statusCode, 200)
  }
  const state = ({ head }: Reader): string => /cache;desc=(\w+)/.exec(head)?.[1] ?? ''

  await t.test('are so many of one client', async (t) => {
    const readers: Reader[] = []
    for (let i = 0; i < 3; i++) readers.push(await ask('192.0.2.1', path(LONG)))
    t.same(readers.map(state), ['hit', 'hit', 'hit'])
    const more = await ask('192.0.2.1', path(LONG))
    t.equal(more.status, 429)
    t.match(more.head, /retry-after: 1/i)
    t.equal((await ask('192.0.2.1', path(10))).status, 200, 'what is short is answered')
    const other = await ask('192.0.2.2', path(LONG))
    t.equal(other.status, 200, 'as are others')
    for (const { socket } of [...readers, other]) socket.destroy()
    await until('banking_open_answers', 0)
    t.equal((await ask('192.0.2.1', path(LONG))).status, 200)
  })

  await t.test('hold half of the memory for answers: beyond it they are streams', async (t) => {
    // the reader of the test before holds the first one
    t.equal(state(await ask('192.0.2.3', path(LONG + 1))), 'hit')
    const third = await ask('192.0.2.4', path(LONG + 2))
    t.equal(third.status, 200)
    t.equal(state(third), 'stream', 'kept, but not held for one more who may pause')
    t.equal(state(await ask('192.0.2.5', path(LONG + 1))), 'hit', 'what is held already costs nothing')
    const { bytes, whole } = await third.rest()
    t.ok(whole && bytes > 20 * 2 ** 20, `${bytes} bytes`)
  })
})

t.test('files of ranges that pause', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  const { ask, until, config } = await service(t, { CACHE_MIB: '4', CACHE_FILES_MIB: '40' })
  const range = { range: 'bytes=0-' }
  const onDisk = async (): Promise<number> => {
    let sum = 0
    for (const fd of await readdir('/proc/self/fd')) {
      const file = `/proc/self/fd/${fd}`
      const name = await readlink(file).catch(() => '')
      if (name.startsWith(`${config.dataDir}/answers/`)) sum += (await stat(file)).size
    }
    return sum / 2 ** 20
  }
  const one = await ask('192.0.2.1', path(LONG), { headers: range })
  t.equal(one.status, 206)
  for (let i = 1; i < 4; i++) {
    const other = await ask('192.0.2.2', path(LONG + i), { headers: range })
    t.equal(other.status, 200, 'there is no room for another file: the whole as a stream')
    t.ok((await onDisk()) < 40, `${await onDisk()} MiB`)
    other.socket.destroy()
  }
  const again = await ask('192.0.2.3', path(LONG), { headers: range })
  t.equal(again.status, 206, 'the file that is there serves others')
  for (const { socket } of [one, again]) socket.destroy()
  await until('banking_open_answers', 0)
  const other = await ask('192.0.2.2', path(LONG + 1), { headers: range })
  t.equal(other.status, 206, 'what nobody reads any more makes room')
  t.ok((await onDisk()) < 40, `${await onDisk()} MiB`)
})

t.test('the script of the reference is bytes that are made once', async (t) => {
  const { ask, until, app } = await service(t, {})
  const url = '/docs/js/scalar.js'
  const { headers, rawPayload } = await app.inject(url)
  t.match(headers, { 'content-type': /^text\/javascript/, etag: /^"/ })
  t.ok(rawPayload.length > 2 ** 20)
  const unchanged = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
  t.equal(unchanged.statusCode, 304)
  const before = process.memoryUsage()
  const readers: Reader[] = []
  for (let i = 0; i < 40; i++) readers.push(await ask('192.0.2.1', url))
  t.ok(readers.every(({ status }) => status === 200))
  const more = (process.memoryUsage().arrayBuffers - before.arrayBuffers) / rawPayload.length
  t.ok(more < 10, `40 readers hold ${more} of it`)
  for (const { socket } of readers) socket.destroy()
  await until('banking_open_answers', 0)
})
