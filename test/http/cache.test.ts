import { get as httpGet } from 'node:http'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { column } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { integer } from '../../server/catalog/parameters.ts'
import { build } from '../helpers/app.ts'
import { decode } from '../helpers/decode.ts'

/** So many rows, a failure at one of them, and a pause before all. */
const numbers = dataset({
  key: 'failures',
  summary: 'Numbers.',
  from: 'SELECT number, repeat(toString(cityHash64(number)), 4) AS text FROM numbers({rows:UInt64}) WHERE sleep({pause:UInt8} / 10) = 0',
  grain: ['number'],
  parameters: {
    rows: integer({ doc: 'Rows.', default: 10 }),
    fail_at: integer({ doc: 'The row that fails.', default: 4_000_000_000 }),
    pause: integer({ doc: 'Tenths of a second.', default: 0 }),
  },
  columns: [
    column('UInt64', 'number', 'Number'),
    column('String', 'text', 'Text'),
    column('UInt8', 'failed', 'Failed', { sql: 'throwIf(number = {fail_at:UInt64})' }),
  ],
  sources: [],
  examples: [{ title: 'Ten' }],
})

const composite = dataset({
  key: 'industry-dashboard',
  summary: 'Few.',
  grain: [],
  parts: { few: { dataset: 'failures', query: 'rows=2' } },
  columns: [],
  sources: [],
  examples: [{ title: 'It' }],
})

/** Of a tier that needs a key. */
const free = dataset({
  key: 'screener-dataset',
  summary: 'One.',
  from: 'SELECT 1 AS number',
  grain: ['number'],
  columns: [column('UInt8', 'number', 'Number')],
  sources: [],
  examples: [{ title: 'It' }],
})

const path = '/api/v1/failures/'

/** The service over them, with the number of queries that the engine was asked and how each request was answered. */
async function service(t: Test, env: Record<string, string> = {}) {
  const made = await build(t, { data: false, datasets: [numbers, composite, free], env })
  const asked = { queries: 0 }
  const read = made.engine.read.bind(made.engine)
  made.engine.read = (query) => {
    asked.queries++
    return read(query)
  }
  const states: string[] = []
  made.app.addHook('onResponse', (request, _, done) => {
    states.push(request.cacheState)
    done()
  })
  const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    made.app.inject({ method, url, headers })
  /** How many queries that takes. */
  const queriesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = asked.queries
    await work()
    return asked.queries - before
  }
  return { ...made, states, ask, queriesOf }
}

const plain = (response: LightMyRequestResponse): Promise<Buffer> =>
  decode(response.rawPayload, response.headers['content-encoding'] as string | undefined)

t.test('an answer that was given before', async (t) => {
  const { ask, queriesOf, states } = await service(t)
  const url = `${path}?rows=500&format=json`
  const first = await ask(url)
  t.equal(first.statusCode, 200)

  await t.test('is given again without the engine, whatever its URL looks like', async (t) => {
    for (const same of [url, url, `/api/v1/failures?format=json&rows=500`, `${path}?format=JSON&rows=0500`]) {
      t.equal(await queriesOf(async () => t.same((await ask(same)).rawPayload, first.rawPayload)), 0, same)
    }
    t.same(states, ['miss', 'hit', 'hit', 'hit', 'hit'])
    const again = await ask(url)
    for (const name of Object.keys(first.headers)) {
      if (/^(date|x-request-id|server-timing)$/.test(name)) continue
      t.equal(again.headers[name], first.headers[name], name)
    }
    t.equal(Number(again.headers['content-length']), first.rawPayload.length)
  })

  await t.test('in every coding, each with a tag of its own, any of which stands for it', async (t) => {
    const tags = new Set([first.headers.etag])
    const lengths = [first.rawPayload.length]
    t.equal(
      await queriesOf(async () => {
        for (const coding of ['br', 'gzip', 'zstd']) {
          for (const _ of [1, 2]) {
            const response = await ask(url, { 'accept-encoding': coding })
            t.equal(response.headers['content-encoding'], coding)
            t.equal(response.headers.vary, 'Accept-Encoding')
            t.equal(Number(response.headers['content-length']), response.rawPayload.length)
            t.ok((await plain(response)).equals(first.rawPayload), coding)
            tags.add(response.headers.etag)
            lengths.push(response.rawPayload.length)
          }
        }
        for (const tag of tags) {
          const response = await ask(url, { 'if-none-match': String(tag), 'accept-encoding': 'br' })
          t.equal(response.statusCode, 304)
          t.equal(response.headers.etag, tag)
          t.equal(response.headers['cache-control'], first.headers['cache-control'])
          t.equal(response.headers.vary, 'Accept-Encoding')
        }
      }),
      0,
    )
    t.equal(tags.size, 4)
    t.ok(
      lengths.slice(1).every((length) => length < lengths[0]! / 2),
      `${lengths}`,
    )
    const none = await ask(url, { 'if-none-match': '*' })
    t.equal(none.statusCode, 304)
  })

  await t.test('what is compressed in itself is not compressed again, nor what is short', async (t) => {
    const parquet = await ask(`${path}?rows=500&format=parquet`, { 'accept-encoding': 'gzip, br, zstd' })
    t.equal(parquet.headers['content-encoding'], undefined)
    t.equal(parquet.headers.vary, undefined, 'nothing of the request but its URL matters')
    const short = await ask(`${path}?rows=1&format=csv`, { 'accept-encoding': 'gzip' })
    t.equal(short.headers['content-encoding'], undefined)
    t.equal(short.headers.vary, 'Accept-Encoding')
  })

  await t.test('the format by Accept is part of what is asked', async (t) => {
    const kinds = ['text/csv', 'application/x-ndjson', 'text/csv', 'application/x-ndjson']
    for (const accept of kinds) {
      const response = await ask(`${path}?rows=3`, { accept })
      t.match(response.headers['content-type'], accept)
      t.equal(response.headers.vary, 'Accept, Accept-Encoding')
    }
    t.same(states.slice(-4), ['miss', 'miss', 'hit', 'hit'])
  })

  await t.test('may be kept by proxies where its tier is public', async (t) => {
    t.equal(first.headers['cache-control'], 'public, no-cache')
    t.match((await ask(`${path}?rows=x`)).headers, { 'cache-control': 'no-store' })
    const known = '/api/v1/screeners/dataset/'
    for (const _ of [1, 2]) t.equal((await ask(known)).headers['cache-control'], 'private, no-cache')
    t.equal(states.at(-1), 'hit')
    const refused = await ask(known, { authorization: `Bearer bds_f_${'x'.repeat(43)}` })
    t.equal(refused.statusCode, 401, 'kept answers are for those who may have them')
    t.equal(refused.headers['cache-control'], 'no-store')
    const dashboard = await ask('/api/v1/industry/dashboard/')
    t.equal(dashboard.headers['cache-control'], 'public, no-cache')
    t.equal((await ask('/api/v1/industry/dashboard/')).body, dashboard.body, 'a composite is kept as well')
    t.same(states.slice(-2), ['miss', 'hit'])
  })

  await t.test('a HEAD has its length, a failed precondition says so', async (t) => {
    const head = await ask(url, {}, 'HEAD')
    t.equal(Number(head.headers['content-length']), first.rawPayload.length)
    t.equal(head.headers['accept-ranges'], 'bytes')
    t.equal(head.body, '')
    t.equal((await ask(url, { 'if-match': String(first.headers.etag) })).statusCode, 200)
    const other = await ask(url, { 'if-match': '"other"' })
    t.equal(other.statusCode, 412)
    t.equal(other.json().code, 'precondition-failed')
  })

  await t.test('ranges of it', async (t) => {
    const bytes = first.rawPayload
    const etag = String(first.headers.etag)
    const one = await ask(url, { range: 'bytes=10-19', 'accept-encoding': 'gzip' })
    t.equal(one.statusCode, 206)
    t.same(one.rawPayload, bytes.subarray(10, 20))
    t.match(one.headers, { 'content-range': `bytes 10-19/${bytes.length}`, 'content-length': '10', etag })
    t.equal(one.headers['content-encoding'], undefined, 'a part of compressed bytes could not be decoded')
    t.same((await ask(url, { range: 'bytes=-7' })).rawPayload, bytes.subarray(-7))
    t.equal((await ask(url, { range: 'bytes=0-9', 'if-range': etag })).statusCode, 206)
    for (const ifRange of ['"older"', `W/${etag}`, 'Sat, 21 Nov 2026 09:00:00 GMT']) {
      const whole = await ask(url, { range: 'bytes=0-9', 'if-range': ifRange })
      t.equal(whole.statusCode, 200, ifRange)
      t.same(whole.rawPayload, bytes)
    }
    const beyond = await ask(url, { range: `bytes=${bytes.length}-` })
    t.equal(beyond.statusCode, 416)
    t.equal(beyond.headers['content-range'], `bytes */${bytes.length}`)
    t.equal(beyond.json().code, 'range-not-satisfiable')

    const several = await ask(url, { range: 'bytes=0-4,1000-1009,-5' })
    t.equal(several.statusCode, 206)
    t.equal(Number(several.headers['content-length']), several.rawPayload.length)
    const [, boundary] = /^multipart\/byteranges; boundary=(.+)$/.exec(
      String(several.headers['content-type']),
    )!
    const parts = several.rawPayload.toString('latin1').split(`\r\n--${boundary}`).slice(1, -1)
    const at = (start: number, end: number) => ({
      range: `bytes ${start}-${end}/${bytes.length}`,
      text: bytes.toString('latin1', start, end + 1),
    })
    t.same(
      parts.map((part) => {
        const end = part.indexOf('\r\n\r\n')
        return { range: /Content-Range: (.*)/.exec(part.slice(0, end))![1], text: part.slice(end + 4) }
      }),
      [at(0, 4), at(1000, 1009), at(bytes.length - 5, bytes.length - 1)],
    )
  })

  await t.test('the OpenAPI document and the docs have tags too', async (t) => {
    for (const page of ['/api/v1/openapi.json', '/docs/failures', '/docs/catalog', '/docs/errors']) {
      const one = await ask(page, { 'accept-encoding': 'br' })
      t.equal(one.statusCode, 200)
      t.equal(one.headers['content-encoding'], 'br', page)
      t.equal(one.headers['cache-control'], 'public, no-cache')
      const again = await ask(page, { 'if-none-match': String(one.headers.etag) })
      t.equal(again.statusCode, 304, page)
    }
  })
})

t.test('equal requests at once share one query', async (t) => {
  const { ask, queriesOf, states } = await service(t)
  const url = `${path}?rows=300&pause=3&format=json`
  const answers: LightMyRequestResponse[] = []
  const codings = ['br', 'gzip', 'zstd', 'identity']
  const queries = await queriesOf(async () => {
    const requests = Array.from({ length: 20 }, (_, i) => ask(url, { 'accept-encoding': codings[i % 4]! }))
    answers.push(...(await Promise.all(requests)))
  })
  t.equal(queries, 1)
  const texts = new Set(await Promise.all(answers.map(async (answer) => (await plain(answer)).toString())))
  t.equal(texts.size, 1)
  t.equal(states.filter((state) => state === 'miss').length, 1)
  t.equal(states.filter((state) => state === 'shared').length, 19)

  await t.test('a failure is everybody’s, and is not kept', async (t) => {
    const failing = `${path}?rows=10&fail_at=5&pause=3`
    for (const _ of [1, 2]) {
      const all = await Promise.all(Array.from({ length: 5 }, () => ask(failing)))
      t.same(
        all.map(({ statusCode }) => statusCode),
        [500, 500, 500, 500, 500],
      )
    }
    t.equal(await queriesOf(() => ask(failing)), 1, 'the engine is asked again')
  })
})

t.test('who began a query may leave it to the others', async (t) => {
  const { listen, queriesOf, ask } = await service(t)
  const address = await listen()
  const url = `${path}?rows=400&pause=5&format=csv`
  const queries = await queriesOf(async () => {
    const first = httpGet(`${address}${url}`)
    first.on('error', () => {})
    await new Promise((done) => setTimeout(done, 150))
    const others = [fetch(`${address}${url}`), fetch(`${address}${url}`)]
    await new Promise((done) => setTimeout(done, 100))
    first.destroy()
    const texts = await Promise.all(others.map(async (other) => (await other).text()))
    t.equal(texts[0]!.split('\n').length, 402)
    t.equal(texts[1], texts[0])
  })
  t.equal(queries, 2, 'rows and their count, once')
  t.equal((await ask(url)).headers['x-total-count'], '400')
})

t.test('a long answer is kept from the second time on', async (t) => {
  const { ask, queriesOf, states } = await service(t)
  const url = `${path}?rows=100000&format=csv`
  const answers: LightMyRequestResponse[] = []
  const queries = async () => await queriesOf(async () => void answers.push(await ask(url)))
  t.equal(await queries(), 2, 'rows and their count')
  t.ok(answers[0]!.rawPayload.length > 6 * 2 ** 20, `${answers[0]!.rawPayload.length} bytes`)
  t.equal(await queries(), 2, 'it passed as a stream')
  t.equal(await queries(), 0)
  t.same(states, ['miss', 'miss', 'hit'])
  t.equal(answers[0]!.headers['content-length'], undefined)
  t.equal(Number(answers[2]!.headers['content-length']), answers[0]!.rawPayload.length)
  for (const answer of answers) t.ok(answer.rawPayload.equals(answers[0]!.rawPayload))

  const other = `${path}?rows=90000&format=csv&pause=0`
  const listed = await Promise.all(Array.from({ length: 4 }, () => ask(other)))
  t.ok(listed.every(({ rawPayload }) => rawPayload.equals(listed[0]!.rawPayload)))
  t.equal(await queriesOf(() => ask(other)), 0, 'several want it at once: it is kept at the first time')
  t.equal(await queriesOf(() => ask(`${path}?rows=95000&format=csv`, {}, 'HEAD')), 2)
  t.equal(await queriesOf(() => ask(`${path}?rows=95000&format=csv`)), 0, 'its length was wanted: it is kept')
})

t.test('an answer too long to be kept', async (t) => {
  const env = { CACHE_MIB: '4', CACHE_ANSWER_MIB: '2', CACHE_FILES_MIB: '64' }
  const { ask, queriesOf, states, listen } = await service(t, env)
  const url = `${path}?rows=100000&format=csv`
  const first = await ask(url)
  t.ok(first.rawPayload.length > 6 * 2 ** 20, `${first.rawPayload.length} bytes`)

  await t.test('streams, in every coding', async (t) => {
    t.equal(first.headers['content-length'], undefined)
    for (const coding of ['br', 'gzip', 'zstd']) {
      const response = await ask(url, { 'accept-encoding': coding })
      t.equal(response.headers['content-encoding'], coding)
      t.equal(response.headers['content-length'], undefined)
      t.ok((await plain(response)).equals(first.rawPayload), coding)
    }
    t.same(new Set(states), new Set(['stream']))
    const head = await ask(url, { 'accept-encoding': 'gzip' }, 'HEAD')
    t.equal(head.statusCode, 200)
    t.equal(head.headers['content-length'], undefined, 'a HEAD says what a GET would')
  })

  await t.test('lies in a file where its length or a range is asked for', async (t) => {
    const head = await ask(url, {}, 'HEAD')
    t.equal(Number(head.headers['content-length']), first.rawPayload.length)
    t.equal(head.headers.etag, first.headers.etag)
    const pieces: Buffer[] = []
    const queries = await queriesOf(async () => {
      for (let at = 0; at < first.rawPayload.length; at += 2 ** 20) {
        const piece = await ask(url, { range: `bytes=${at}-${at + 2 ** 20 - 1}` })
        t.equal(piece.statusCode, 206)
        pieces.push(piece.rawPayload)
      }
    })
    t.equal(queries, 0)
    t.ok(Buffer.concat(pieces).equals(first.rawPayload))
    const several = await ask(url, { range: 'bytes=0-9,5000000-5000009' })
    t.match(several.body, first.rawPayload.toString('latin1', 5_000_000, 5_000_010))
    t.equal((await ask(url, { range: 'bytes=99999999-' })).statusCode, 416)
    t.equal(states.at(-1), 'file')
  })

  await t.test('many who want a range at once wait for one query', async (t) => {
    const other = `${path}?rows=90000&format=parquet`
    const answers: LightMyRequestResponse[] = []
    const queries = await queriesOf(async () => {
      answers.push(
        ...(await Promise.all(Array.from({ length: 8 }, (_, i) => ask(other, { range: `bytes=${i}-${i}` })))),
      )
    })
    t.equal(queries, 2, 'rows and their count')
    t.equal(
      answers
        .map(({ body }) => body)
        .join('')
        .slice(0, 4),
      'PAR1',
    )
  })

  await t.test('its failure cuts a stream, and is a problem before', async (t) => {
    const failing = `${path}?rows=400000&fail_at=399999&format=csv`
    const head = await ask(failing, {}, 'HEAD')
    t.equal(head.statusCode, 500)
    t.equal((await ask(failing, { range: 'bytes=0-9' })).statusCode, 500)
    const address = await listen()
    await t.rejects(fetch(`${address}${failing}`).then((response) => response.text()))
  })

  await t.test('longer than the files may be, it has no length', async (t) => {
    const { ask } = await service(t, { ...env, CACHE_FILES_MIB: '5' })
    const head = await ask(url, {}, 'HEAD')
    t.equal(head.statusCode, 200)
    t.equal(head.headers['content-length'], undefined)
    const range = await ask(url, { range: 'bytes=0-9' })
    t.equal(range.statusCode, 200, 'a range that cannot be had is passed over')
    t.equal(range.rawPayload.length, first.rawPayload.length)
  })
})

t.test('memory is bounded, and what is asked for stays', async (t) => {
  const { ask, queriesOf } = await service(t, { CACHE_MIB: '1' })
  const url = (rows: number): string => `${path}?rows=${rows}&format=csv`
  const often = url(999)
  await ask(often)
  for (let rows = 1000; rows < 1030; rows++) {
    await ask(url(rows))
    await ask(often)
  }
  t.equal(await queriesOf(() => ask(often)), 0, 'what is asked for often is still there')
  t.equal(await queriesOf(() => ask(url(1029))), 0, 'and the newest')
  t.equal(await queriesOf(() => ask(url(1000))), 2, 'the oldest had to go')
})
