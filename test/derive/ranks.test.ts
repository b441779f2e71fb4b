import t from 'tap'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { cohorts } from '../../sql/universes/bank/cohorts.ts'
import { type World, world } from './world.ts'

const quarter = '2018-12-31'
const before = '2018-09-30'

/** Forty banks in two tiers, with ties and with holes. */
async function forty(w: World): Promise<void> {
  for (let i = 1; i <= 40; i++) {
    for (const [date, factor] of [
      [before, 0.9],
      [quarter, 1],
    ] as const) {
      const assets = (i <= 25 ? 20_000 + 1000 * i : 400_000 + 7000 * i) * factor
      await w.file(i, date, {
        RCON2170: assets,
        RCON3210: Math.round(assets * (0.08 + 0.01 * (i % 4))),
        ...(i % 5 === 0 ? {} : { RIAD4340: 10 * (i % 7) * factor }),
        RCON2200: assets * 0.8,
      })
    }
  }
}

t.test('ranks, benchmarks and industry figures are what plain arithmetic gives', async (t) => {
  const w = await world(t)
  await forty(w)
  await w.derive('all')
  type Bank = {
    rssd_id: number
    cohort: string
    metrics: (number | null)[]
    ranks: (number | null)[]
    n: number
  }
  const banks = await w.rows<Bank>(
    `SELECT rssd_id, cohort, cohort_count AS n, metrics, ranks FROM bank_rows WHERE report_date = '${quarter}'`,
  )
  t.equal(banks.length, 40)
  const keys = ['total_assets', 'equity_ratio', 'net_income', 'roa', 'asset_growth_1q', 'branches']
  const at = (key: string) => metrics.findIndex((metric) => metric.key === key)

  await t.test(
    'percentile ranks: below, and half of the equals, among those that have a value',
    async (t) => {
      for (const key of keys) {
        const k = at(key)
        for (const bank of banks) {
          const group = banks.filter(({ cohort }) => cohort === bank.cohort)
          t.equal(bank.n, group.length)
          const values = group.map((one) => one.metrics[k]).filter((v) => v != null)
          const own = bank.metrics[k]
          const below = values.filter((v) => v < own!).length
          const equal = values.filter((v) => v === own).length
          const expected = own == null ? null : (100 * (below + equal / 2)) / values.length
          t.equal(bank.ranks[k], expected, `${key} of ${bank.rssd_id}`)
        }
      }
      t.ok(
        banks.some((bank) => bank.ranks[at('roa')] === null),
        'a bank without a value has no rank',
      )
    },
  )

  await t.test('benchmarks: mean and 5-number summary with interpolated quartiles', async (t) => {
    const quantile = (sorted: number[], p: number) => {
      const place = (sorted.length - 1) * p
      const low = Math.floor(place)
      return sorted[low]! + (place - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!)
    }
    const rows = await w.rows<Record<string, string & number>>(
      `SELECT * FROM cohort_benchmarks WHERE report_date = '${quarter}'`,
    )
    for (const key of keys) {
      for (const cohort of ['under_100m', '300m_1b', 'all']) {
        const sorted = banks
          .filter((bank) => cohort === 'all' || bank.cohort === cohort)
          .map((bank) => bank.metrics[at(key)])
          .filter((v) => v != null)
          .sort((a, b) => a - b)
        const row = rows.find((one) => one.metric === key && one.cohort === cohort)
        if (sorted.length === 0) {
          t.notOk(row, `${key} has no benchmark where no bank has it`)
          continue
        }
        const close = (a: number, b: number, what: string) =>
          t.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${key} ${cohort} ${what}: ${a} is ${b}`)
        t.equal(row!.count, sorted.length)
        close(row!.mean!, sorted.reduce((a, b) => a + b) / sorted.length, 'mean')
        close(row!.min!, sorted[0]!, 'min')
        close(row!.p25!, quantile(sorted, 0.25), 'p25')
        close(row!.median!, quantile(sorted, 0.5), 'median')
        close(row!.p75!, quantile(sorted, 0.75), 'p75')
        close(row!.max!, sorted.at(-1)!, 'max')
      }
    }
  })

  await t.test('industry: sums, and ratios of sums', async (t) => {
    const rows = await w.rows<Record<string, string & number>>(
      `SELECT * FROM industry_quarters WHERE report_date = '${quarter}'`,
    )
    const all = rows.find(({ cohort }) => cohort === 'all')!
    const total = (key: string) => banks.reduce((sum, bank) => sum + (bank.metrics[at(key)] ?? 0), 0)
    t.equal(all.banks, 40)
    t.equal(
      rows.filter(({ cohort }) => cohort !== 'all').reduce((n, { banks }) => n + banks!, 0),
      40,
    )
    for (const key of ['total_assets', 'net_income', 'total_equity', 'average_assets']) {
      t.ok(Math.abs(all[key]! - total(key)) < 1e-6, key)
    }
    t.ok(Math.abs(all.equity_ratio! - (100 * total('total_equity')) / total('total_assets')) < 1e-9)
    t.ok(Math.abs(all.roa! - (100 * total('net_income')) / total('average_assets')) < 1e-9)
    t.ok(Math.abs(all.asset_growth_1q! - (1 / 0.9 - 1) * 100) < 1e-9, 'against the totals a quarter before')
    t.equal(all.branches, null)
  })

  await t.test('columns and arrays hold the same', async (t) => {
    const columns = await w.rows<Record<string, number>>(
      `SELECT * FROM bank_quarters WHERE report_date = '${quarter}'`,
    )
    for (const row of columns) {
      const bank = banks.find(({ rssd_id }) => rssd_id === row.rssd_id)!
      const figures = metrics.map(({ key }) => row[key])
      t.strictSame([row.cohort, ...figures], [bank.cohort, ...bank.metrics])
    }
  })
})

t.test('a bank is in the tier of its total assets, from the least of it', async (t) => {
  const w = await world(t)
  const sizes = cohorts.flatMap(({ min }) => (min === 0 ? [0] : [min - 1, min]))
  for (const [i, size] of sizes.entries()) await w.file(i + 1, quarter, { RCON2170: size })
  await w.file(99, quarter, { RCON3210: 1 })
  await w.derive('all')
  const rows = await w.rows<{ total_assets: number; cohort: string }>(
    'SELECT total_assets, cohort FROM bank_quarters WHERE total_assets IS NOT NULL',
  )
  for (const { total_assets, cohort } of rows) {
    const tier = cohorts.find(({ key }) => key === cohort)!
    t.ok(
      total_assets >= tier.min && (tier.max === null || total_assets < tier.max),
      `${total_assets} in ${cohort}`,
    )
  }
  t.equal(rows.length, sizes.length)
  const [unknown] = await w.rows<{ cohort: string }>('SELECT cohort FROM bank_quarters WHERE rssd_id = 99')
  t.equal(unknown!.cohort, '', 'without total assets there is no tier')
})
