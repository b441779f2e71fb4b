/** Workbooks: cells of every type, what XML cannot hold, absent values, the rows of a sheet, clients that leave. */
import { get as ask } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { column, date, figure, flag, instant, longDate, strings, text } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { integer } from '../../server/catalog/parameters.ts'
import { fromXlsx, sheets } from '../datasets/read-back.ts'
import { build } from '../helpers/app.ts'

/** Texts that a spreadsheet might run, that XML cannot hold, or that one of its readers might take for something else. */
const TEXTS = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://example.com","x")', '\t=1', "'=1"],
  ...['', ' a  b ', 'a\nb', 'a\r\nb', '12', '007', '1e5', 'TRUE', '#N/A', '2026-01-01'],
  ...[
    '<c>&amp;"\'</c>',
    ']]>',
    'Ünïcödé 銀行 🏦 e\u0301',
    '\u0000\u0001\u000b\u001f|',
    'a\ufffeb\uffff',
    '\u0085\u2028\ufeff',
  ],
  ...['_x0041_', '_x0041_x0042_', '_x005F_', '_x00', '__x000d_'],
]
const LONG = 40_000

const everything = dataset({
  key: 'failures',
  summary: 'A value of every type, and then none.',
  from: `SELECT number AS place, number = 0 AS is_first, toFloat64(number) / 3 AS third, if(number = 1, nan, inf) AS never,
    toDate('1970-01-01') + number AS day, toDate32('1900-02-27') + number AS long_ago,
    toDateTime64('1969-12-31 23:59:59.123', 3, 'UTC') AS moment, ['a"<', 'b'] AS words, toUInt64(9007199254740991) + number AS wide,
    toInt64(-9007199254740992) - number AS deep, repeat('é', ${LONG}) AS long_text, CAST(NULL AS Nullable(String)) AS nothing,
    CAST(NULL AS Nullable(Float64)) AS no_figure, CAST(NULL AS Nullable(Date)) AS no_day FROM numbers(5)`,
  grain: ['place'],
  columns: [
    column('UInt64', 'place', 'Place'),
    flag('is_first', 'First'),
    figure('third', 'A "third" & <more>', { unit: 'percent', nullable: false }),
    figure('never', 'Not finite', { nullable: false }),
    date('day', 'Day'),
    longDate('long_ago', 'Long ago'),
    instant('moment', 'Moment'),
    strings('words', 'Words'),
    column('UInt64', 'wide', 'Wide'),
    column('Int64', 'deep', 'Deep'),
    text('long_text', 'Long'),
    text('nothing', 'Nothing', { nullable: true }),
    figure('no_figure', 'No figure'),
    date('no_day', 'No day', { nullable: true }),
  ],
  sources: ['fdic-institutions'],
  examples: [{ title: 'All' }],
})

const texts = dataset({
  key: 'recent-failures',
  summary: 'Texts.',
  from: `SELECT * FROM values('place UInt64, given String', ${TEXTS.map((one, at) => `(${at}, unhex('${Buffer.from(one).toString('hex')}'))`).join(', ')})`,
  grain: ['place'],
  columns: [column('UInt64', 'place', 'Place'), text('given', 'Given')],
  sources: [],
  examples: [{ title: 'All' }],
})

const numbers = dataset({
  key: 'reference-states',
  summary: 'Numbers.',
  from: 'SELECT number FROM numbers({rows:UInt64})',
  grain: ['number'],
  parameters: { rows: integer({ doc: 'Rows.', default: 10 }) },
  columns: [column('UInt64', 'number', 'Number')],
  sources: [],
  examples: [{ title: 'Ten' }],
})

const large = dataset({
  key: 'reference-codes',
  summary: 'Many figures, and some texts.',
  from: 'SELECT number FROM numbers(100000)',
  grain: ['number'],
  columns: [
    column('UInt64', 'number', 'Number'),
    ...Array.from({ length: 57 }, (_, at) =>
      figure(`figure_${at}`, `Figure ${at}`, { sql: `sipHash64(number, ${at}) / 1e12`, nullable: false }),
    ),
    text('name', 'Name', { sql: "concat('Bank ', toString(number), ' & Trust')" }),
    date('day', 'Day', { sql: "toDate('2026-06-30') - number % 9000" }),
  ],
  sources: [],
  examples: [{ title: 'All' }],
})

/** The reader here makes one character of a line's end, and the standard has no place for these two. */
const asRead = (given: string): string => given.replace(/\r\n/g, '\n').replace(/[\ufffe\uffff]/g, '\ufffd')

t.test('workbooks', async (t) => {
  const { app, engine, listen } = await build(t, {
    data: false,
    datasets: [everything, texts, numbers, large],
    // every answer is made anew
    env: { CACHE_MIB: '0' },
  })
  const get = (url: string) => app.inject(url)
  const path = `/api/v1${numbers.path}`

  t.test('a cell has the type of its value', async (t) => {
    const { rawPayload, headers } = await get(`/api/v1${everything.path}?format=xlsx`)
    t.match(headers, {
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'x-total-count': '5',
    })
    const { Data, About } = sheets(rawPayload)
    t.equal(Data![0]![2], 'A "third" & <more>', 'labels')
    t.equal(Data![1]![2], 'percent', 'units')
    t.strictSame(
      Data![2],
      everything.columns.map((one) => 'name' in one && one.name),
      'names',
    )
    const [first, second, third] = fromXlsx(rawPayload)
    t.strictSame(
      { ...first, long_text: undefined },
      {
        ...{ place: 0, is_first: true, third: 0, never: null, day: '1970-01-01', long_ago: '1900-02-27' },
        ...{ moment: '1969-12-31T23:59:59.123Z', words: ['a"<', 'b'] },
        ...{
          wide: 2 ** 53 - 1,
          deep: -(2 ** 53),
          long_text: undefined,
          nothing: null,
          no_figure: null,
          no_day: null,
        },
      },
    )
    t.match(second, { is_first: false, third: 1 / 3, never: null, wide: 2 ** 53, deep: '-9007199254740993' })
    t.match(third, { long_ago: '1900-03-01', wide: '9007199254740993' })
    t.type(Data![3 + 1]![5], 'string', 'what a sheet has no day for')
    t.equal(Data![3 + 2]![5], 61, 'the first of March 1900, as Excel counts')
    t.equal(String(first!.long_text), `${'é'.repeat(32_766)}…`)
    t.same(
      About!.find(([name]) => name === 'dataset'),
      ['dataset', everything.key, null, null, null],
    )
    t.match(
      About!.find(([name]) => name === 'fdic-institutions'),
      [String, /FDIC/, String, String, /^https:/],
    )
    t.ok(About!.some(([name, , unit]) => name === 'third' && unit === 'percent'))
    t.match(
      About!.find(([name]) => name === 'self'),
      ['self', `/api/v1${everything.path}?format=xlsx`],
    )
  })

  t.test('text stays text, whatever it looks like', async (t) => {
    const found = fromXlsx((await get(`/api/v1${texts.path}?format=xlsx`)).rawPayload)
    for (const [at, given] of TEXTS.entries()) t.equal(found[at]!.given ?? '', asRead(given), `text ${at}`)
  })

  t.test('the same answer is the same bytes; HEAD, tag and ranges are as of any format', async (t) => {
    const url = `${path}?rows=70000&format=xlsx`
    const { rawPayload, headers } = await get(url)
    t.ok(rawPayload.equals((await get(url)).rawPayload))
    t.equal(fromXlsx(rawPayload).at(-1)!.number, 69_999)
    const head = await app.inject({ method: 'HEAD', url })
    t.equal(head.headers['content-length'], String(rawPayload.length))
    t.equal(head.headers['content-encoding'], undefined)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    t.equal(again.statusCode, 304)
    const part = await app.inject({ url, headers: { range: 'bytes=0-3' } })
    t.equal(part.rawPayload.toString('latin1'), 'PK\u0003\u0004')
    t.equal(fromXlsx((await get(`${path}?rows=0&format=xlsx`)).rawPayload).length, 0, 'a head without rows')
  })

  t.test('a sheet has so many rows, and not one more', async (t) => {
    const whole = await get(`${path}?rows=1048573&format=xlsx`)
    t.equal(whole.statusCode, 200)
    const refused = await get(`${path}?rows=1048574&format=xlsx`)
    t.equal(refused.statusCode, 400)
    const fault = { parameter: 'format', reason: /1,048,573 rows.* 1,048,574/, allowed: /parquet or csv/ }
    t.match(refused.json(), { code: 'invalid-parameter', errors: [fault] })
    t.equal((await get(`${path}?rows=1048574&limit=5&format=xlsx`)).statusCode, 200, 'a page of it')
  })

  t.test('100,000 rows of 60 columns pass, and are held nowhere', async (t) => {
    const address = await listen()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const before = process.memoryUsage().rss
    let most = 0
    let bytes = 0
    delay.enable()
    await new Promise<void>((resolve, reject) => {
      ask(`${address}/api/v1${large.path}?format=xlsx`, (response) => {
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          most = Math.max(most, process.memoryUsage.rss())
        })
        response.on('end', resolve).on('error', reject)
      }).on('error', reject)
    })
    delay.disable()
    const mib = (size: number): string => `${(size / 2 ** 20).toFixed(0)} MiB`
    t.comment(
      `${mib(bytes)}, ${mib(most - before)} more memory, longest delay ${(delay.max / 1e6).toFixed(0)} ms`,
    )
    t.ok(bytes > 2 ** 24, mib(bytes))
    t.ok(most - before < 200 * 2 ** 20, `server and client took ${mib(most - before)} more`)
  })

  t.test('a client that leaves ends the query', async (t) => {
    const address = await listen()
    const running = async (): Promise<number> => {
      const result = await engine.loader().query({
        query:
          "SELECT count() AS n FROM system.processes WHERE query LIKE '%<c>%' AND query NOT LIKE '%system.processes%'",
        format: 'JSONEachRow',
      })
      return Number((await result.json<{ n: string }>())[0]!.n)
    }
    await new Promise<void>((resolve, reject) => {
      const request = ask(`${address}${path}?rows=1000000&format=xlsx`, (response) => {
        response.once('data', () => {
          response.pause()
          response.on('error', () => {})
          request.destroy()
          resolve()
        })
      })
      request.on('error', reject)
    })
    let left = 1
    for (let i = 0; i < 50 && left > 0; i++) {
      await new Promise((done) => setTimeout(done, 100))
      left = await running()
    }
    t.equal(left, 0)
  })
})
