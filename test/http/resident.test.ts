// An answer from the server's memory is, byte for byte, the one that the engine would have written; Arrow has its own
// bytes for the same schema and values.
import t from 'tap'
import type { Resident } from '../../server/resident/resident.ts'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { creditUnions } from '../../sql/universes/credit-union/index.ts'
import { build } from '../helpers/app.ts'
import { BothWays } from '../helpers/both-ways.ts'

const { app, published, engine, serve } = await build(t)
const { database } = published.publication

const both = new BothWays({ app, serve }, published)
const { watched } = both
const same = both.same.bind(both)

const counted: Resident = {
  ...both.none,
  inMemory: published.resident.inMemory,
  quarter() {
    both.used++
    return published.resident.quarter()
  },
}

const api = '/api/v1'
const groups = ['size', 'size_state', 'state', 'all', 'similar']
const formats = ['json', 'ndjson', 'columns', 'csv', 'arrow']
const banks = (
  await engine.rows<{ id: number; last: string }>({
    database,
    sql: 'SELECT rssd_id AS id, max(report_date) AS last FROM bank_rows GROUP BY id ORDER BY id',
  })
).map((row) => ({ ...row, live: row.last === published.publication.asOf }))

const closed = banks.find(({ live }) => !live)!
const live = banks.find((bank) => bank.live)!

t.test('every bank of the latest quarter, every column', (t) =>
  same(
    t,
    banks.filter((bank) => bank.live).map(({ id }) => `${api}/banks/${id}/`),
  ),
)

t.test('every bank and every quarter of its series', (t) =>
  same(
    t,
    banks.map(({ id }) => `${api}/banks/${id}/trends/`),
  ),
)

t.test('is kept once somebody asks for it again, as most are never', async (t) => {
  serve(published)
  const url = `${api}/banks/${live.id}/?fields=rssd_id,roa`
  const answers = []
  for (let turn = 0; turn < 4; turn++) answers.push(await app.inject(url))
  const states = answers.map(({ headers }) => /^cache;desc=(\w+)/.exec(String(headers['server-timing']))?.[1])
  t.same(states, ['miss', 'miss', 'hit', 'hit'])
  for (const { rawPayload, headers } of answers) {
    t.same(rawPayload, answers[0]!.rawPayload)
    t.equal(headers.etag, answers[0]!.headers.etag)
  }
})

t.test('selections of one bank in each format', (t) => {
  const snapshots = ['', 'fields=roa,legal_name,rssd_id,holding_company_name,report_date', 'as_of=2026Q2']
  const series = [
    'metrics=roa,total_assets',
    'quarters=3',
    'from=2025Q1&to=2025-12-31&fields=report_date,nim',
    'sort=-roa,report_date&limit=3',
    'from=2030Q1',
  ]
  return same(
    t,
    formats.flatMap((format) => [
      ...snapshots.map((query) => `${api}/banks/${live.id}/?${query}&format=${format}`),
      ...series.map((query) => `${api}/banks/${live.id}/trends/?${query}&format=${format}`),
      ...series.map((query) => `${api}/banks/${closed.id}/trends/?${query}&format=${format}`),
    ]),
  )
})

t.test('screens of the latest quarter', (t) => {
  const screens = [
    '',
    'state=TX,CA',
    'state=GU',
    'charter=SM&regulator=FED,FDIC',
    'min_total_assets=100000&max_roa=1.5',
    'min_roe=-1e3&sort=-roe',
    'sort=roe,-total_assets',
    'sort=-asset_growth_3y',
    'sort=-holding_company_rssd_id&fields=rssd_id,holding_company_rssd_id',
    'limit=7',
    'sort=-total_assets&limit=1000000',
    'fields=report_date,legal_name,roa&limit=3',
    'fields=rssd_id,cert,report_date',
    'as_of=2026Q2&state=TX',
  ]
  return same(
    t,
    formats.flatMap((format) => [
      ...screens
        .filter((query) => !query.includes('holding_company'))
        .map((query) => `${api}/screeners/banks/?${query}&format=${format}`),
      ...screens
        .filter((query) => !/state|charter/.test(query) && !/m(in|ax)_/.test(query))
        .map((query) => `${api}/screeners/dataset/?${query}&format=${format}`),
    ]),
  )
})

t.test('the latest quarter of credit unions', async (t) => {
  const { id, tables } = creditUnions
  const found = await engine.rows<{ id: number }>({
    database,
    sql: `SELECT ${id} AS id FROM ${tables.quarters} WHERE report_date = (SELECT max(report_date) FROM ${tables.quarters}) ORDER BY id`,
  })
  t.ok(found.length > 3)
  const one = `${api}/cus/${found[1]!.id}/`
  const screen = `${api}/screeners/credit-unions/`
  const all = `fields=${creditUnions.metrics.map(({ key }) => key)}`
  const urls = [
    ...[one, `${one}?fields=cu_number,low_income,minority,roa`, `${one}?as_of=2026Q2`],
    ...[screen, `${screen}?state=TX,CA,NY`, `${screen}?${all}&limit=20`],
    `${screen}?charter_type=1&max_net_worth_ratio=12&sort=-net_worth_ratio`,
  ]
  await same(
    t,
    found.map((one) => `${api}/cus/${one.id}/`),
  )
  await same(
    t,
    ['json', 'ndjson', 'columns', 'csv'].flatMap((format) =>
      urls.map((url) => `${url}${url.includes('?') ? '&' : '?'}format=${format}`),
    ),
  )
  serve({ ...published, resident: watched })
  const before = both.used
  const flagged = await app.inject(`${screen}?sort=-low_income,cu_number&fields=cu_number,low_income`)
  t.equal(flagged.statusCode, 200)
  t.equal(both.used, before, 'an order of flags is left to the engine')
})

t.test('summaries of the latest quarter', (t) =>
  same(
    t,
    formats.flatMap((format) =>
      ['', 'tier=all', 'metrics=roa,nim&sort=-median&limit=5', 'as_of=2026Q2&metrics=roa'].map(
        (query) => `${api}/industry/benchmarks/?${query}&format=${format}`,
      ),
    ),
  ),
)

t.test('the rows of every institution of datasets that hold them all', async (t) => {
  const paths = ['branches/map', 'failure-prediction/factors']
  const choices = [
    [
      '',
      'sort=branch_number',
      'sort=-deposits&limit=2',
      'fields=name,main_office,latitude,rssd_id',
      'fields=name,state,latitude,rssd_id',
    ],
    ['', 'sort=-contribution&limit=3', 'fields=label,unit,median,model_version', 'as_of=2026Q2'],
  ]
  for (const [at, path] of paths.entries()) {
    const ofAll = banks.filter((bank) => at === 0 || bank.live).map(({ id }) => `${api}/banks/${id}/${path}/`)
    await same(t, ofAll)
    // memory has no flags in Arrow
    await same(
      t,
      formats.flatMap((format) =>
        choices[at]!.filter((query) => at === 1 || format !== 'arrow' || query.includes('state')).map(
          (query) => `${ofAll[0]}?${query}&format=${format}`,
        ),
      ),
    )
    const { data } = (await app.inject(ofAll[0]!)).json()
    t.ok(data.length > 0, path)
  }
})

t.test('walks by cursor through memory', async (t) => {
  const walks = [
    ['screeners/banks/?sort=-roa&limit=40', watched],
    // the last pages are of banks that have none
    ['screeners/banks/?sort=-asset_growth_3y,cert&fields=rssd_id,asset_growth_3y&limit=23', watched],
    [`banks/${live.id}/trends/?sort=-roa,report_date&limit=1`, watched],
    [`banks/${live.id}/trends/?sort=-report_date&fields=nim&limit=3`, watched],
    [`banks/${live.id}/failure-prediction/factors/?sort=-value&limit=4`, watched],
    ['industry/benchmarks/?metrics=roa,nim&sort=median&limit=3', watched],
    [`banks/${live.id}/peer-ranking/?sort=-percentile&limit=7`, counted],
  ] as const
  for (const [query, memory] of walks) {
    for (const format of ['json', 'csv', 'arrow']) {
      const pages: string[] = []
      let next: string | undefined = `${api}/${query}&format=${format}`
      while (next !== undefined && pages.length < 8) {
        pages.push(next)
        serve({ ...published, resident: memory })
        const answer: Awaited<ReturnType<typeof app.inject>> = await app.inject(next)
        const link: string | null | undefined =
          format === 'json' ? answer.json().links.next : /<(.*)>/.exec(String(answer.headers.link))?.[1]
        next = link ?? undefined
      }
      t.ok(pages.length > 2, `${query}: ${pages.length} pages`)
      await same(t, pages, memory)
    }
  }
})

t.test('the standing of every bank is counted as the engine counts it', async (t) => {
  // what only some plans see is not kept for all
  const everything = metrics
    .filter(({ tier }) => !tier)
    .map(({ key }) => key)
    .join(',')
  const urls = banks
    .filter((bank) => bank.live)
    .map(({ id }, n) => `${api}/banks/${id}/peer-ranking/?cohort=${groups[n % groups.length]}`)
  for (const group of groups)
    urls.push(`${api}/banks/${live.id}/peer-ranking/?cohort=${group}&metrics=${everything}`)
  const some = banks.slice(0, 30).map(({ id }) => id)
  for (const format of ['json', 'csv', 'ndjson', 'columns', 'arrow']) {
    urls.push(
      `${api}/banks/${live.id}/peer-ranking/?peer_ids=${some}&metrics=roa,cet1_ratio&format=${format}`,
      `${api}/banks/${live.id}/peer-ranking/?format=${format}`,
      `${api}/banks/${live.id}/peer-ranking/?fields=label,rank,metric,value&sort=-percentile,rank&limit=7&format=${format}`,
    )
  }
  await same(t, urls, counted)
})

t.test('a part of a composite', async (t) => {
  const before = both.used
  const { resident, engine } = await both.both(`${api}/banks/${live.id}/profile/`, watched)
  t.ok(both.used > before)
  t.equal(resident.statusCode, 200)
  t.strictSame(resident, engine)
})

t.test('what memory does not hold is left to the engine', async (t) => {
  serve({ ...published, resident: watched })
  for (const url of [
    `${api}/banks/${live.id}/?as_of=2026Q1`,
    `${api}/banks/${live.id}/trends/?metrics=roa,texas_ratio`,
    `${api}/screeners/banks/?as_of=2026Q1&limit=3`,
    `${api}/screeners/banks/?sort=legal_name&limit=3`,
    `${api}/screeners/panel/?metrics=roa&limit=3`,
    `${api}/screeners/banks/?format=parquet&limit=3`,
    `${api}/industry/benchmarks/?from=2026Q1&metrics=roa`,
    `${api}/industry/benchmarks/?as_of=2026Q1&metrics=roa`,
    `${api}/banks/${live.id}/peer-ranking/?as_of=2026Q1`,
    `${api}/banks/${live.id}/failure-prediction/factors/?as_of=2026Q1`,
    `${api}/banks/${live.id}/branches/map/?sort=name`,
    `${api}/banks/${live.id}/branches/map/?format=geojson`,
  ]) {
    const before = both.used
    t.equal((await app.inject(url)).statusCode, 200, url)
    t.equal(both.used, before, url)
  }
})
