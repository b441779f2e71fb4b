// Alerts for what a key watches, over the real engine: what is told, since when, to whom, and that nobody is told twice.
import { XMLParser } from 'fast-xml-parser'
import t from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import type { Publication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { moves } from '../../sql/alerts/thresholds.ts'
import { banks as bankUniverse } from '../../sql/universes/bank/index.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'

const { app, engine, published, serve, newKey } = await build(t, { key: false })
const mine = await newKey('free')
const others = await newKey('premium')
let version = published.publication

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
type Row = Record<string, any>
const rows = <T = Row>(sql: string) => engine.rows<T>({ database: version.database, sql })
const ask = (url = '', headers: Record<string, string> = mine.headers, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/api/v1/watchlist/${url}`, headers })
const alerts = async (query = '', headers?: Record<string, string>): Promise<Row[]> =>
  (await ask(`alerts/?limit=10000&${query}`, headers)).json().data
const ids = (list: readonly Row[]) => list.map(({ alert }) => alert).sort()

/** Publishes the served version with these changes. */
async function publish(...changes: string[]): Promise<Publication> {
  const next = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  for (const query of changes) await next.client.command({ query })
  version = await next.publish()
  serve(await readPublished(engine, version))
  return version
}

const banks = (await rows('SELECT rssd_id, cert FROM banks WHERE active ORDER BY rssd_id')).map(
  ({ rssd_id, cert }) => ({ rssd_id, cert }),
)
const [creditUnion] = await rows(
  'SELECT cu_number FROM credit_unions WHERE active ORDER BY cu_number LIMIT 1',
)
const all = banks.map(({ rssd_id }) => rssd_id).join()

t.test('what is told is what the figures say', async (t) => {
  t.strictSame(await alerts(), [])
  await ask(`add/?rssd_id=${all}&cu_number=${creditUnion!.cu_number}`)
  const filed = await rows(
    `SELECT rssd_id, report_date, total_assets, roa FROM bank_quarters ORDER BY rssd_id, report_date`,
  )
  const quarters = [...new Set(filed.map(({ report_date }) => report_date))].sort()
  const expected = (metric: 'total_assets' | 'roa', least: number) =>
    filed
      .flatMap((now, at) => {
        const before = filed[at - 1]
        const place = quarters.indexOf(now.report_date)
        if (!before || before.rssd_id !== now.rssd_id || before.report_date !== quarters[place - 1]) return []
        if (place < quarters.length - 4 || !banks.some(({ rssd_id }) => rssd_id === now.rssd_id)) return []
        if (now[metric] === null || before[metric] === null) return []
        const change = now[metric]! - before[metric]!
        const size = metric === 'roa' ? change : (100 * change) / before[metric]!
        return Math.abs(size) >= least ? [`${now.rssd_id} ${now.report_date} ${size.toFixed(6)}`] : []
      })
      .sort()
  const told = (list: readonly Row[], metric: string) =>
    list
      .filter(({ subject, entity }) => subject === metric && entity === 'bank')
      .map(({ rssd_id, date, change }) => `${rssd_id} ${date} ${change!.toFixed(6)}`)
      .sort()
  const usual = await alerts('type=metric_move')
  for (const metric of ['total_assets', 'roa'] as const) {
    const list = expected(metric, moves[metric]!.usual)
    t.ok(list.length > 0, metric)
    t.strictSame(told(usual, metric), list, metric)
  }
  const own = await alerts('type=metric_move&thresholds=roa:0.1,total_assets:50')
  t.strictSame(told(own, 'roa'), expected('roa', 0.1))
  t.strictSame(told(own, 'total_assets'), expected('total_assets', 50))
  t.ok(told(own, 'roa').length > told(usual, 'roa').length)
  t.strictSame(told(own, 'nim'), told(usual, 'nim'), 'what is not named stays as usual')
  const [one] = usual.filter(({ subject }) => subject === 'roa')
  t.match(
    one!.sentence,
    /^Return on (average )?assets.* (rose|fell) [\d.]+ points to -?[\d.]+ % in 20\d\dQ\d/,
  )
})

t.test('each type leads to a dataset that answers', async (t) => {
  const list = await alerts()
  const kinds = new Map(list.map((row) => [`${row.type} ${row.entity}`, row]))
  t.ok(kinds.size >= 8, [...kinds.keys()].join())
  for (const type of ['sec_event', 'insider_trade']) t.ok(kinds.has(`${type} bank`), type)
  for (const [kind, { link, sentence, legal_name }] of kinds) {
    t.equal((await app.inject({ url: link!, headers: mine.headers })).statusCode, 200, `${kind}: ${link}`)
    t.notMatch(sentence, /\{|NULL|another institution/, kind)
    t.ok(legal_name, kind)
  }
  const grades = list.filter(({ type }) => type === 'grade_change')
  const scores = new Map(
    (await rows('SELECT rssd_id, report_date, overall_score FROM bank_quarters')).map((row) => [
      `${row.rssd_id} ${row.report_date}`,
      row.overall_score,
    ]),
  )
  for (const { rssd_id, date, value } of grades) t.equal(scores.get(`${rssd_id} ${date}`), value)
  const crossed = list.filter(({ type }) => type === 'level_crossed')
  for (const { value, before, threshold } of crossed) t.not(value! >= threshold!, before! >= threshold!)
  const ordered = list.map(({ known_at }) => known_at)
  t.strictSame(ordered, [...ordered].sort().reverse(), 'what became known last stands first')
})

t.test('of the watched institutions alone, and of the key alone', async (t) => {
  t.strictSame(await alerts('', others.headers), [])
  await ask(`add/?rssd_id=${banks[0]!.rssd_id}`, others.headers)
  const own = await alerts('', others.headers)
  t.ok(own.length > 0)
  t.ok(own.every(({ rssd_id }) => rssd_id === banks[0]!.rssd_id))
  t.ok((await alerts()).some(({ cu_number }) => cu_number === creditUnion!.cu_number))
  for (const headers of [mine.headers, others.headers]) {
    const answer = await ask('alerts/', headers)
    t.match(answer.headers, { 'cache-control': 'private, no-store', etag: undefined })
    const part = await ask('alerts/', { ...headers, range: 'bytes=0-9', 'if-none-match': '*' })
    t.equal(part.statusCode, 200)
    t.strictSame(part.json().data, answer.json().data)
    t.equal((await ask('alerts/', headers, 'HEAD')).body, '')
  }
  t.equal((await ask('alerts/', {})).statusCode, 401)
})

t.test('nobody is told twice', async (t) => {
  const before = await alerts()
  const first = version
  t.ok(before.every(({ known_at }) => known_at === first.publishedAt))
  const again = await publish()
  t.strictSame(await alerts(), before, 'the same load published again')
  t.strictSame(await alerts(`since=${first.dataVersion}`), [])

  const bank = banks[1]!
  const failed = `INSERT INTO failed_banks (cert, name, city, state, closed_date, acquirer)
    SELECT cert, legal_name, city, hq_state, (SELECT max(closed_date) FROM failed_banks), 'A & B <Trust> “Ü” \\x01' FROM banks WHERE rssd_id = ${bank.rssd_id}`
  const complained = `INSERT INTO complaints (complaint_id, received_date, company, product)
    SELECT number + 1, addDays((SELECT max(toStartOfQuarter(addDays(received_date, 1))) FROM complaints), -1 - number % 60), upper(legal_name), 'Mortgage'
    FROM banks AS b, numbers(12) AS n WHERE rssd_id = ${bank.rssd_id}`
  const changed = await publish(failed, complained)
  const fresh = await alerts(`since=${again.dataVersion}`)
  t.strictSame(fresh.map(({ type }) => type).sort(), ['complaint_surge', 'failure'])
  t.match(
    fresh.find(({ type }) => type === 'complaint_surge'),
    {
      rssd_id: bank.rssd_id,
      value: 12,
      before: 0,
      sentence: /^12 complaints to CFPB in 20\d\dQ\d, after 0 /,
    },
  )
  t.ok(fresh.every(({ known_at }) => known_at === changed.publishedAt))
  t.strictSame(ids(await alerts(`since=${again.publishedAt}`)), ids(fresh), 'since a moment')
  t.strictSame(await alerts(`since=${changed.publishedAt}`), [], 'since its own moment')
  t.strictSame(ids(await alerts('since=2020-01-01')), ids(await alerts()))

  await publish(`ALTER TABLE failed_banks DELETE WHERE cert = ${bank.cert} SETTINGS mutations_sync = 2`)
  t.strictSame(
    (await alerts(`since=${again.dataVersion}`)).map(({ type }) => type),
    ['complaint_surge'],
    'withdrawn',
  )
  const last = await publish(failed)
  t.strictSame(await alerts(`since=${changed.dataVersion}`), [], 'told again it is not new')
  const back = (await alerts('type=failure')).find(({ rssd_id }) => rssd_id === bank.rssd_id)
  t.equal(back?.known_at, changed.publishedAt)
  t.strictSame(ids(await alerts()), ids([...before, ...fresh]))

  t.equal((await alerts(`since=${first.dataVersion}`)).length, 2)
  t.ok(last.publishedAt > changed.publishedAt)
})

t.test('a change of the risk tier does not tell the probability', async (t) => {
  const { rssd_id } = banks[2]!
  const before = version
  const last = '(SELECT max(report_date) FROM banks)'
  const place = bankUniverse.position('failure_probability')
  await publish(
    `ALTER TABLE bank_figures UPDATE figures = arrayMap((one, at) -> if(at = ${place}, toNullable(if(report_date = ${last}, 6.2831853, 0.1273239)), one), figures, arrayEnumerate(figures))
     WHERE rssd_id = ${rssd_id} SETTINGS mutations_sync = 2, allow_nondeterministic_mutations = 1`,
  )
  const fresh = await alerts(`since=${before.dataVersion}`)
  t.match(fresh, [{ type: 'risk_tier', rssd_id, value: null, before: null, change: null, percentile: null }])
  t.match(fresh[0]!.sentence, /^Risk tier rose from low to high in 20\d\dQ\d, by the failure model$/)
  // a moment may hold these digits too
  const told = fresh.map(({ known_at, ...rest }) => rest)
  t.notMatch(JSON.stringify(told), /6\.28|0\.127/)
})

t.test('as a feed', async (t) => {
  const answer = await ask('alerts/?format=rss&limit=10000', { ...mine.headers, host: 'banks.example:81' })
  t.equal(answer.headers['content-type'], 'application/rss+xml; charset=utf-8')
  t.match(answer.headers, { 'cache-control': 'private, no-store', etag: undefined })
  const { rss } = new XMLParser({ ignoreAttributes: false, processEntities: true }).parse(answer.body, true)
  const list = await alerts()
  t.equal(rss.channel.item.length, list.length)
  t.equal(answer.headers['x-total-count'], String(list.length))
  t.equal(rss.channel.link, 'http://banks.example:81/docs/watchlist-alerts')
  for (const [at, item] of rss.channel.item.entries()) {
    const row = list[at]!
    t.strictSame(
      [item.guid['#text'].toString(), item.category, item.link, Date.parse(item.pubDate)],
      [
        row.alert,
        row.type,
        `http://banks.example:81${row.link}`,
        Math.floor(Date.parse(row.known_at!) / 1000) * 1000,
      ],
    )
    if (row.type !== 'failure') t.equal(item.title, `${row.legal_name}: ${row.sentence}`)
  }
  t.match(answer.body, /; A &amp; B &lt;Trust&gt; “Ü” {3}took it over/, 'what XML cannot hold is a blank')
  const accepted = await ask('alerts/', { ...mine.headers, accept: 'application/rss+xml' })
  t.equal(accepted.headers['content-type'], 'application/rss+xml; charset=utf-8')
  t.match((await ask('alerts/?format=rss&fields=alert')).json(), {
    code: 'invalid-parameter',
    errors: [{ parameter: 'fields', reason: /format rss/ }],
  })
  const empty = await ask('alerts/?format=rss', (await newKey('free')).headers)
  t.match(empty.body, /<channel>[\s\S]*<\/channel>\n<\/rss>\n$/)
  t.notMatch(empty.body, /<item>/)
  t.equal(
    (await app.inject({ url: '/api/v1/failures/?format=rss' })).statusCode,
    400,
    'not of what is no feed',
  )
})

t.test('bad values are named', async (t) => {
  for (const [query, parameter, reason] of [
    ['since=yesterday', 'since', /neither a moment nor a data version/],
    ['since=2026-13-01', 'since', /neither a moment/],
    ['since=2026Q2-00000000', 'since', /no data version 2026Q2-00000000 was published here/],
    ['type=moves', 'type', /is not one of the values/],
    ['thresholds=roa', 'thresholds', /is not a threshold/],
    ['thresholds=roa:', 'thresholds', /is not a threshold/],
    ['thresholds=roa:1:2', 'thresholds', /is not a threshold/],
    ['thresholds=roa:1,roa:2', 'thresholds', /more than once/],
    ['thresholds=roa:0.01', 'thresholds', /less than the least of roa/],
    ['thresholds=ros:1', 'thresholds', /no threshold of “ros”/],
    ['thresholds=constructor:1', 'thresholds', /no threshold of/],
  ] as const) {
    const answer = await ask(`alerts/?${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.json(), { code: 'invalid-parameter', errors: [{ parameter, reason }] }, query)
  }
  for (const since of [
    '2026-08-14',
    '2026-08-14T09:30Z',
    '2026-08-14T09:30:00.5%2B02:00',
    '2026-08-14T09:30',
  ])
    t.equal((await ask(`alerts/?since=${since}`)).statusCode, 200, since)
})
