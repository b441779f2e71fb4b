// A universe of the tests' own: what makes derived tables knows nothing of banks.
import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { universe } from '../../sql/derive/universe.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { changedIn, derive } from '../../sql/universes/index.ts'
import { declared, fileSavingsClubs, quarters, savingsClubs } from './savings-clubs.ts'
import { world } from './world.ts'

async function filed(t: Test) {
  const w = await world(t)
  await fileSavingsClubs(w.client)
  return {
    ...w,
    derive: (changed: Parameters<typeof derive>[1], of = [savingsClubs]) =>
      derive({ client: w.client }, changed, () => {}, of && { of }),
  }
}

const near = (t: Test, found: unknown, wanted: number, what: string) =>
  t.ok(Math.abs(Number(found) - wanted) < 1e-9, `${what}: ${found} is ${wanted}`)

t.test('figures, ranks, benchmarks and industry of five savings clubs, worked by hand', async (t) => {
  const w = await filed(t)
  const report = await w.derive('all')
  t.strictSame(report.derived, quarters)

  const rows = await w.rows(
    "SELECT * FROM savings_club_quarters WHERE report_date = '2025-03-31' ORDER BY cu_number",
  )
  t.match(rows, [
    { cu_number: 1, name: 'CU 1', state: 'GA', cohort: 'small', total_assets: 50, total_loans: 20 },
    { cu_number: 2, name: 'CU 2', state: 'GA', cohort: 'small', net_worth_ratio: 12, loans_to_assets: 80 },
    { cu_number: 3, name: 'CU 3', state: 'AL', cohort: 'large', net_worth_ratio: 10, loans_to_assets: null },
  ])
  t.equal(rows.length, 3, 'who is not insured is none, and two filed no more or not yet')
  for (const [at, wanted] of [25, 25, (110 / 90 - 1) * 100].entries())
    near(t, rows[at]!.asset_growth_1y, wanted, 'growth on a year before')

  const keys = declared.metrics.map(({ key }) => key)
  const ranks = await w.rows<{ id: number; n: number; ranks: (number | null)[] }>(
    "SELECT cu_number AS id, cohort_count AS n, ranks FROM savings_club_rows WHERE report_date = '2025-03-31' ORDER BY id",
  )
  const rank = (id: number, key: string) => ranks[id - 1]!.ranks[keys.indexOf(key)]
  t.strictSame(
    ranks.map(({ n }) => n),
    [2, 2, 1],
  )
  // of two: the lower is above none and half of itself, a quarter; equals share the middle
  t.strictSame([rank(1, 'net_worth_ratio'), rank(2, 'net_worth_ratio')], [25, 75])
  t.strictSame([rank(1, 'asset_growth_1y'), rank(2, 'asset_growth_1y')], [50, 50])
  t.strictSame([rank(3, 'net_worth_ratio'), rank(3, 'loans_to_assets')], [50, null])

  const benchmark = async (key: string) =>
    (
      await w.rows(
        `SELECT * EXCEPT (report_date, metric) FROM savings_club_benchmarks
         WHERE report_date = '2025-03-31' AND metric = '${key}' AND cohort = 'all'`,
      )
    )[0]
  t.match(await benchmark('total_assets'), { count: 3, min: 50, p25: 62.5, median: 75, p75: 92.5, max: 110 })
  const summary = { cohort: 'all', count: 2, mean: 60, min: 40, p25: 50, median: 60, p75: 70, max: 80 }
  t.strictSame(await benchmark('loans_to_assets'), summary)

  const [all, large, small] = await w.rows(
    "SELECT * FROM savings_club_industry WHERE report_date = '2025-03-31' ORDER BY cohort",
  )
  t.match(
    [all, large, small],
    [
      { cohort: 'all', savings_clubs: 3, total_assets: 235, total_loans: 80, net_worth: 25 },
      { cohort: 'large', savings_clubs: 1, total_assets: 110, total_loans: null },
      { cohort: 'small', savings_clubs: 2, total_assets: 125 },
    ],
  )
  near(t, all!.net_worth_ratio, (25 / 235) * 100, 'the ratio of sums')
  near(t, all!.asset_growth_1y, (235 / (40 + 60 + 90 + 300) - 1) * 100, 'growth of all')
  near(t, small!.asset_growth_1y, (125 / (40 + 60 + 90) - 1) * 100, 'growth of a tier, then and now')

  t.strictSame(
    await w.rows(
      'SELECT cu_number, charter, toString(first_quarter) AS since, toString(last_quarter) AS till, active, total_assets FROM savings_clubs ORDER BY 1',
    ),
    [
      [1, 'federal', quarters[0], quarters[4], true, 50],
      [2, 'state', quarters[0], quarters[4], true, 75],
      [3, 'federal', quarters[0], quarters[4], true, 110],
      [4, 'state', quarters[1], quarters[3], true, 240],
      [5, 'federal', quarters[0], quarters[2], false, 320],
    ].map(([cu_number, charter, since, till, active, total_assets]) => ({
      ...{ cu_number, charter, since, till, active, total_assets },
    })),
    'who files each half-year is active though it did not file the newest quarter',
  )
  t.match(
    await w.rows(
      'SELECT filers, savings_clubs, toUInt32(items) AS items FROM savings_club_filed_quarters LIMIT 1',
    ),
    [{ filers: 5, savings_clubs: 4, items: 9 }],
  )
  t.strictSame(
    await w.rows('SELECT * FROM savings_club_states ORDER BY report_date, cu_number'),
    await w.rows('SELECT * FROM savings_club_quarters ORDER BY report_date, cu_number'),
  )
  t.match(
    await w.rows("SELECT universe, position, items FROM metric_catalog WHERE key = 'net_worth_ratio'"),
    [{ universe: 'savings_club', position: 4, items: ['ACCT_010', 'ACCT_997'] }],
  )
  t.match(await w.rows('SELECT universe, key, metric, max FROM cohorts'), [
    { universe: 'savings_club', key: 'small', metric: 'total_assets', max: 100 },
    { key: 'large', max: null },
  ])
})

t.test('universes stand side by side: what one files derives nothing of another', async (t) => {
  const w = await filed(t)
  const both = [banks, savingsClubs]
  await w.insert('filers', [
    { report_date: quarters[3], rssd_id: 9, cert: 9, form: '041', legal_name: 'Bank' },
  ])
  await w.insert('call_report_items', [
    { report_date: quarters[3], rssd_id: 9, mdrm: 'RCON2170', schedule: 'RC', value: 500 },
  ])
  t.strictSame((await w.derive('all', both)).derived, quarters)
  const parts = (table: string) =>
    w.rows<{ name: string }>(
      `SELECT name FROM system.parts WHERE database = currentDatabase() AND table = '${table}' AND active ORDER BY name`,
    )
  const before = { bank: await parts('bank_figures'), other: await parts('savings_club_figures') }
  await w.client.command({
    query:
      "ALTER TABLE savings_club_items UPDATE value = 80 WHERE cu_number = 1 AND report_date = '2024-12-31'",
    clickhouse_settings: { mutations_sync: '1' },
  })
  t.strictSame((await w.derive({ savings_club: ['2024-12-31'] }, both)).derived, ['2024-12-31'])
  t.strictSame(await parts('bank_figures'), before.bank)
  t.notSame(await parts('savings_club_figures'), before.other)
  t.match(
    await w.rows("SELECT key, universe FROM metric_catalog WHERE key = 'total_assets' ORDER BY universe"),
    [{ universe: 'bank' }, { universe: 'savings_club' }],
  )
})

t.test('what a source changed is of the universes that its filings make', async (t) => {
  const of = [banks, savingsClubs]
  t.strictSame(changedIn(of, { 'ffiec-call-report': ['2024-12-31'], mdrm: [] }), {
    bank: ['2024-12-31'],
    savings_club: [],
  })
  t.strictSame(changedIn(of, { 'ffiec-call-report': ['2024-12-31'], 'invented-5300': ['2025-03-31'] }), {
    bank: ['2024-12-31'],
    savings_club: ['2025-03-31'],
  })
})

t.test('a declaration that cannot be is refused by the name of what it lacks', async (t) => {
  t.throws(() => universe({ ...declared, headline: ['roa'] }), /savings_club: no metric or concept roa/)
  t.throws(
    () => universe({ ...declared, metrics: [...declared.metrics, declared.metrics[0]!] }),
    /savings_club: total_assets is declared twice/,
  )
  const wrong = universe({ ...declared, known: /^ACCT_0/ })
  t.throws(() => wrong.formulas.plan, /unknown MDRM item ACCT_997/)
})

t.test('nothing in the machine speaks of one universe', async (t) => {
  const folder = new URL('../../sql/derive/', import.meta.url)
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), 'utf8')
    t.notMatch(
      text,
      /rssd|\bcert\b|\bRC(FD|ON|FX)|\bRIAD|mdrm|call_report|fdic_institutions|hq_state|ubpr|universes\//i,
      file,
    )
  }
})

t.test('sql/ takes nothing from what stands on it', async (t) => {
  const folder = new URL('../../sql/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  t.ok(files.length > 50)
  for (const file of files)
    t.notMatch(
      readFileSync(new URL(file, folder), 'utf8'),
      /from '[./]+\/(server|loaders|workers|bench)\//,
      file,
    )
})
