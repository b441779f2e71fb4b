// Figures of the datasets, worked out once more in plain JavaScript from rows of other datasets.
import t from 'tap'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { universe } from '../helpers/universe.ts'
import { known, mean, near, quantile, rank } from './plain.ts'

const { rows, get } = await universe()
const api = '/api/v1'

// biome-ignore lint/suspicious/noExplicitAny: rows of many datasets
type Row = Record<string, any>
const chosen = [
  'total_assets',
  'roa',
  'nim',
  'efficiency_ratio',
  'cet1_ratio',
  'texas_ratio',
  'noncurrent_loans_ratio',
  'asset_growth_1y',
]
const all: Row[] = await rows(`${api}/screeners/dataset/`)
const byAssets = all.toSorted((a, b) => b.total_assets - a.total_assets)
const bank = byAssets[Math.floor(all.length / 3)]!
const values = (group: readonly Row[], metric: string): (number | null)[] => group.map((row) => row[metric])

const groups: Record<string, (row: Row) => boolean> = {
  size: (row) => row.cohort === bank.cohort,
  size_state: (row) => row.cohort === bank.cohort && row.hq_state === bank.hq_state,
  state: (row) => row.hq_state === bank.hq_state,
  all: () => true,
}

t.test('live ranking: rank, percentile and cohort size over each cohort', async (t) => {
  for (const [cohort, member] of Object.entries(groups)) {
    const group = all.filter(member)
    const ranking = await rows(
      `${api}/banks/${bank.rssd_id}/peer-ranking/?cohort=${cohort}&metrics=${chosen}`,
    )
    t.strictSame(
      ranking.map(({ metric }) => metric),
      chosen,
      'in the order asked for',
    )
    for (const row of ranking) {
      const own = bank[row.metric]
      const column = values(group, row.metric)
      t.equal(row.value, own)
      t.equal(row.cohort_size, group.length)
      t.equal(row.ranked, known(column))
      t.equal(row.rank, rank(column, own, row.direction), `${cohort}: rank in ${row.metric}`)
      if (own === null) t.equal(row.percentile, null)
      else {
        const present = column.filter((value) => value !== null)
        const share = present.reduce((sum, value) => sum + (value < own ? 1 : value === own ? 0.5 : 0), 0)
        t.ok(near(row.percentile, (100 * share) / present.length), `${cohort}: percentile in ${row.metric}`)
      }
    }
  }
})

t.test('a bank without a value has neither rank nor percentile', async (t) => {
  const gap = metrics.find(
    ({ key }) => all.some((row) => row[key] === null) && all.some((row) => row[key] !== null),
  )!
  const without = all.find((row) => row[gap.key] === null)!
  const [row] = await rows(`${api}/banks/${without.rssd_id}/peer-ranking/?cohort=all&metrics=${gap.key}`)
  t.match(row, { value: null, rank: null, percentile: null, cohort_size: all.length })
  t.equal(row!.ranked, known(values(all, gap.key)))
})

t.test('ranks computed at publish are those recomputed at the request', async (t) => {
  const stored = await rows(`${api}/banks/${bank.rssd_id}/ranks/`)
  const keys = metrics.filter(({ tier }) => !tier).map(({ key }) => key)
  t.strictSame(
    stored.map(({ metric }) => metric),
    keys,
    'every metric in catalog order',
  )
  const live = await rows(`${api}/banks/${bank.rssd_id}/peer-ranking/?cohort=size&metrics=${keys}`)
  const differ = stored.filter(
    (row, at) => !near(row.percentile, live[at]!.percentile) || row.value !== live[at]!.value,
  )
  t.strictSame(
    differ.map(({ metric }) => metric),
    [],
  )
  t.equal(stored[0]!.cohort_count, live[0]!.cohort_size)
})

t.test('comparison: quartiles, mean and count of each cohort, and of peers named', async (t) => {
  const peers = byAssets.slice(0, 7)
  const named = new Set([bank.rssd_id, ...peers.map(({ rssd_id }) => rssd_id)])
  const queries: [string, Row[]][] = Object.entries(groups).map(([name, member]) => [
    `cohort=${name}`,
    all.filter(member),
  ])
  queries.push([
    `peer_ids=${peers.map(({ rssd_id }) => rssd_id)}`,
    all.filter(({ rssd_id }) => named.has(rssd_id)),
  ])
  for (const [query, group] of queries) {
    const answer = await rows(`${api}/banks/${bank.rssd_id}/peers/comparison/?${query}&metrics=${chosen}`)
    for (const row of answer) {
      const column = values(group, row.metric)
      t.equal(row.count, known(column), `${query}: count of ${row.metric}`)
      for (const [name, share] of [
        ['min', 0],
        ['p25', 0.25],
        ['median', 0.5],
        ['p75', 0.75],
        ['max', 1],
      ] as const) {
        t.ok(near(row[name], quantile(column, share)), `${query}: ${name} of ${row.metric}`)
      }
      t.ok(near(row.mean, mean(column)), `${query}: mean of ${row.metric}`)
    }
  }
})

t.test('benchmarks of a tier are the quartiles of its banks', async (t) => {
  for (const tier of ['all', bank.cohort]) {
    const group = tier === 'all' ? all : all.filter(groups.size!)
    for (const row of await rows(`${api}/industry/benchmarks/?tier=${tier}&metrics=${chosen}`)) {
      const column = values(group, row.metric)
      t.equal(row.count, known(column))
      t.ok(near(row.median, quantile(column, 0.5)), `${tier}: median of ${row.metric}`)
      t.ok(near(row.p25, quantile(column, 0.25)), `${tier}: first quartile of ${row.metric}`)
      t.ok(near(row.mean, mean(column)), `${tier}: mean of ${row.metric}`)
    }
  }
})

t.test('the screener keeps what a plain filter keeps, in the order asked for', async (t) => {
  const median = quantile(values(all, 'roa'), 0.5)!
  const screens: [string, (row: Row) => boolean][] = [
    [
      `state=${bank.hq_state}&min_total_assets=100000`,
      (row) => row.hq_state === bank.hq_state && row.total_assets >= 100_000,
    ],
    [`min_roa=${median}&max_roa=${median}`, (row) => row.roa === median],
    [`max_roa=${median}`, (row) => row.roa !== null && row.roa <= median],
    [
      `regulator=OCC&charter=N&min_cet1_ratio=10`,
      (row) =>
        row.regulator === 'OCC' && row.charter === 'N' && row.cet1_ratio !== null && row.cet1_ratio >= 10,
    ],
  ]
  for (const [query, keep] of screens) {
    const found = await rows(`${api}/screeners/banks/?${query}&sort=-total_assets`)
    t.strictSame(
      found.map(({ rssd_id }) => rssd_id),
      byAssets.filter(keep).map(({ rssd_id }) => rssd_id),
      query,
    )
  }
})

t.test('one bank: snapshot, series and panel agree', async (t) => {
  const [snapshot] = await rows(`${api}/banks/${bank.rssd_id}/`)
  for (const { key } of metrics)
    if (snapshot![key] !== bank[key]) t.fail(`${key}: ${snapshot![key]}, not ${bank[key]}`)
  t.match(snapshot, { rssd_id: bank.rssd_id, legal_name: bank.legal_name, report_date: bank.report_date })
  const series = await rows(`${api}/banks/${bank.rssd_id}/trends/?metrics=${chosen}`)
  const panel = await rows(`${api}/screeners/panel/?metrics=${chosen}&state=${bank.hq_state}`)
  const own = panel
    .filter(({ rssd_id }) => rssd_id === bank.rssd_id)
    .map(({ legal_name, hq_state, ...rest }) => rest)
  t.strictSame(series, own)
  t.equal(series.at(-1)!.report_date, bank.report_date)
})

t.test('the industry is the sum of its banks, and the tiers add up to it', async (t) => {
  const [industry] = await rows(`${api}/industry/`)
  const groups = await rows(`${api}/industry/peer-groups/`)
  t.equal(industry!.banks, all.length)
  for (const metric of ['total_assets', 'total_loans', 'total_deposits', 'net_income']) {
    const sum = all.reduce((total, row) => total + (row[metric] ?? 0), 0)
    t.ok(near(industry![metric], sum), `${metric}: ${industry![metric]}, not ${sum}`)
    t.ok(
      near(
        groups.reduce((total, group) => total + (group[metric] ?? 0), 0),
        sum,
      ),
      `${metric} of the tiers`,
    )
  }
})

t.test('peers by size are the nearest by factor', async (t) => {
  const factor = (row: Row) => Math.abs(Math.log(row.total_assets) - Math.log(bank.total_assets))
  for (const cohort of ['size', 'size_state'] as const) {
    const expected = all
      .filter((row) => groups[cohort]!(row) && row.rssd_id !== bank.rssd_id)
      .sort((a, b) => factor(a) - factor(b) || a.rssd_id - b.rssd_id)
      .slice(0, 20)
    const peers = await rows(`${api}/banks/${bank.rssd_id}/peers/?cohort=${cohort}&n=20`)
    t.strictSame(
      peers.map(({ rssd_id }) => rssd_id),
      expected.map(({ rssd_id }) => rssd_id),
      cohort,
    )
    for (const [at, peer] of peers.entries()) {
      t.ok(near(peer.distance, factor(expected[at]!)))
      t.equal(peer.position, at + 1)
    }
  }
})

t.test(
  'the most similar banks: nearest first, without the bank, the same each time and in every dataset',
  async (t) => {
    const at = `${api}/banks/${bank.rssd_id}/peers/?cohort=similar&n=50`
    const peers = await rows(at)
    const ids = peers.map(({ rssd_id }) => rssd_id)
    t.equal(new Set(ids).size, 50)
    t.notOk(ids.includes(bank.rssd_id))
    for (const [place, peer] of peers.entries()) {
      const {
        size_distance: size,
        loan_mix_distance: loans,
        funding_mix_distance: funding,
        place: where,
      } = peer
      const away = { 'same state': 0, 'same division': 1, elsewhere: 2 }[where as string]!
      const squared = (size ** 2 + loans ** 2 + funding ** 2 + 0.5 * away ** 2) / 3.5
      t.ok(near(peer.distance, Math.sqrt(squared)), 'the distance is made of its parts')
      if (place > 0) t.ok(peer.distance >= peers[place - 1]!.distance, 'nearest first')
      t.equal(where === 'same state', peer.hq_state === bank.hq_state)
    }
    t.same((await get(at)).json(), (await get(at)).json())
    const group = all.filter(({ rssd_id }) => rssd_id === bank.rssd_id || ids.includes(rssd_id))
    const [row] = await rows(`${api}/banks/${bank.rssd_id}/peers/comparison/?cohort=similar&metrics=roa`)
    t.equal(row!.cohort_size, 51)
    t.ok(near(row!.median, quantile(values(group, 'roa'), 0.5)))
  },
)

t.test('deep dive: every item as filed, with the quarter and the year before', async (t) => {
  const now = await rows(`${api}/banks/${bank.rssd_id}/deep-dive/`)
  const series = await rows(`${api}/banks/${bank.rssd_id}/trends/?metrics=total_assets`)
  const assets = now.find(({ mdrm, schedule }) => /^RC(ON|FD)2170$/.test(mdrm) && schedule === 'RC')!
  t.equal(assets.value, bank.total_assets)
  t.equal(assets.prior_quarter, series.at(-2)!.total_assets)
  t.equal(assets.year_ago, series.at(-5)!.total_assets)
  t.ok(assets.description)
  const schedule = await rows(`${api}/banks/${bank.rssd_id}/deep-dive/?schedule=rc`)
  t.strictSame(
    schedule,
    now.filter((row) => row.schedule === 'RC'),
  )
  const one = await rows(`${api}/banks/${bank.rssd_id}/deep-dive/?codes=${assets.mdrm}`)
  t.strictSame(
    one,
    now.filter(({ mdrm }) => mdrm === assets.mdrm),
  )
})

t.test('an item knows the metrics that look at it', async (t) => {
  const [item] = await rows(`${api}/reference/mdrm/RCON2170/`)
  const uses = metrics.map(({ key }) => key)
  t.ok(item!.metrics.includes('total_assets'))
  t.strictSame(
    item!.metrics.filter((key: string) => !uses.includes(key)),
    [],
  )
  const [metric] = await rows(`${api}/reference/metrics/total_assets/`)
  t.ok(metric!.items.includes('RCON2170'))
  t.ok(near(metric!.median, quantile(values(all, 'total_assets'), 0.5)))
  t.equal(metric!.count, known(values(all, 'total_assets')))
})
