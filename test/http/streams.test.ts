import { get } from 'node:http'
import t from 'tap'
import { column, date } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { integer } from '../../server/catalog/parameters.ts'
import { build } from '../helpers/app.ts'

/** So many rows, and a failure at one of them: what a query that fails after its first bytes is to a reader. */
const numbers = dataset({
  key: 'failures',
  summary: 'Numbers.',
  from: 'SELECT number FROM numbers({rows:UInt64})',
  grain: ['number'],
  parameters: {
    rows: integer({ doc: 'Rows.', default: 10 }),
    fail_at: integer({ doc: 'The row that fails.', default: 4_000_000_000 }),
  },
  columns: [
    column('UInt64', 'number', 'Number'),
    column('UInt8', 'failed', 'Failed', { sql: 'throwIf(number = {fail_at:UInt64})' }),
  ],
  sources: [],
  examples: [{ title: 'Ten' }],
})

/** A query that would run for hours. */
const endless = dataset({
  key: 'recent-failures',
  summary: 'A hash.',
  from: 'SELECT max(sipHash64(number)) AS hash FROM numbers(1900000000)',
  grain: ['hash'],
  columns: [column('UInt64', 'hash', 'Hash')],
  sources: [],
  examples: [{ title: 'It' }],
})

const quarter = dataset({
  key: 'risk-model',
  summary: 'One quarter.',
  from: "SELECT toDate('2026-06-30') AS report_date WHERE {rows:UInt64} > 0",
  grain: ['report_date'],
  parameters: { rows: integer({ doc: 'Rows.', default: 1 }) },
  columns: [date('report_date', 'Report date')],
  sources: [],
  examples: [{ title: 'It' }],
})

const composite = dataset({
  key: 'industry-dashboard',
  summary: 'Both.',
  grain: [],
  parts: { quarter: { dataset: 'risk-model' }, few: { dataset: 'failures', query: 'rows=2' } },
  parameters: { rows: integer({ doc: 'Rows.', default: 1 }) },
  columns: [],
  sources: [],
  examples: [{ title: 'It' }],
})

interface Received {
  status: number
  bytes: number
  whole: boolean
}

/** Reads an answer to its end, or to where it was cut. */
const receive = (url: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    get(url, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('error', () => {})
      response.on('close', () => resolve({ status: response.statusCode!, bytes, whole: response.complete }))
    }).on('error', reject)
  })

t.test('streams', async (t) => {
  const { app, engine, listen } = await build(t, {
    data: false,
    datasets: [numbers, endless, quarter, composite],
  })
  const address = await listen()
  const path = '/api/v1/failures/'

  t.test('a failure after the first bytes cuts the connection in every format', async (t) => {
    for (const format of ['json', 'ndjson', 'csv', 'arrow', 'xlsx']) {
      const good = await receive(`${address}${path}?rows=1000000&format=${format}`)
      t.match(good, { status: 200, whole: true }, format)
      const cut = await receive(`${address}${path}?rows=1000000&fail_at=999999&format=${format}`)
      t.match(cut, { status: 200, whole: false }, `${format} is cut`)
      t.ok(cut.bytes > 0 && cut.bytes < good.bytes, `${format}: ${cut.bytes} bytes of ${good.bytes}`)
    }
  })

  t.test('a failure before them is a problem', async (t) => {
    const response = await app.inject(`${path}?rows=10&fail_at=5`)
    t.equal(response.statusCode, 500)
    t.equal(response.json().code, 'internal')
    t.notMatch(response.body, /throwIf|SELECT|FUNCTION_THROW/, 'nothing of the inside is told')
  })

  t.test('a client that goes away ends its query', async (t) => {
    const running = async (): Promise<number> => {
      const client = engine.loader()
      const result = await client.query({
        query:
          "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'",
        format: 'JSONEachRow',
      })
      return Number((await result.json<{ n: string }>())[0]!.n)
    }
    const request = get(`${address}/api/v1/failures/recent/`)
    request.on('error', () => {})
    for (let i = 0; i < 50 && (await running()) === 0; i++) await new Promise((done) => setTimeout(done, 100))
    t.ok((await running()) > 0, 'it runs')
    request.destroy()
    let left = 1
    for (let i = 0; i < 50 && left > 0; i++) {
      await new Promise((done) => setTimeout(done, 100))
      left = await running()
    }
    t.equal(left, 0, 'it was cancelled')
  })

  t.test('more requests than places are all answered', async (t) => {
    const queries = Array.from({ length: 40 }, (_, i) =>
      app.inject(`${path}?rows=1000&limit=${i + 1}&format=csv`),
    )
    const answers = await Promise.all(queries)
    t.same(
      answers.map((answer) => [answer.statusCode, answer.body.trim().split('\n').length]),
      answers.map((_, i) => [200, i + 2]),
    )
  })

  t.test('a composite holds the data of its parts', async (t) => {
    const { data, meta } = (await app.inject('/api/v1/industry/dashboard/')).json()
    t.same(data.quarter, { report_date: '2026-06-30' })
    t.same(
      data.few.map((row: { number: number }) => row.number),
      [0],
      'a parameter of the request goes before the fixed one',
    )
    t.equal(meta.dataset, 'industry-dashboard')
    const empty = (await app.inject('/api/v1/industry/dashboard/?rows=0')).json()
    t.same(empty.data, { quarter: null, few: [] })
    t.equal((await app.inject('/api/v1/industry/dashboard/?format=csv')).statusCode, 400)
  })
})
