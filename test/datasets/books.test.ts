// The books of a bank against what it filed, and against each other.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { interpreter } from '../../sql/formula/index.ts'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { components, scorecard } from '../../sql/formula/metrics/scorecard.ts'
import { universe } from '../helpers/universe.ts'

const { get, rows, engine, published } = await universe()
const { database } = published.publication
const asOf = published.publication.asOf!
const query = <T = Record<string, number | null>>(sql: string) => engine.rows<T>({ sql, database })

type Row = Record<string, number | null>
const sum = (list: readonly Row[], name: string) =>
  list.reduce((total, row) => total + Number(row[name] ?? 0), 0)
const near = (t: Test, found: number, wanted: number, what: string) =>
  t.ok(
    Math.abs(found - wanted) <= 1e-6 * Math.max(1, Math.abs(wanted)),
    `${what}: ${found}, expected ${wanted}`,
  )
const one = async (url: string) => (await get(url)).json().data

/** A bank of each form, the largest and one that had to estimate what is uninsured among them. */
const banks = await query<{ rssd_id: number }>(
  `SELECT rssd_id FROM bank_quarters WHERE report_date = '${asOf}' ORDER BY total_assets DESC LIMIT 2
   UNION ALL (SELECT rssd_id FROM bank_quarters WHERE report_date = '${asOf}' AND form = '051' ORDER BY total_assets LIMIT 2)
   UNION ALL (SELECT rssd_id FROM bank_quarters WHERE report_date = '${asOf}' AND form = '041' ORDER BY total_assets LIMIT 2)`,
)
const filed = async (bank: number) =>
  new Map(
    (
      await query<{ code: string; value: number }>(
        `SELECT substring(mdrm, 5) AS code, max(i.value) AS value FROM call_report_items AS i
         WHERE rssd_id = ${bank} AND report_date = '${asOf}' AND mdrm LIKE 'RCON%' AND isNotNull(i.value) GROUP BY code`,
      )
    ).map(({ code, value }) => [code, value]),
  )

t.test('loans add up to what was filed', async (t) => {
  for (const { rssd_id: bank } of banks) {
    const { total_loans, composition, concentration, asset_quality } = await one(
      `/api/v1/banks/${bank}/loan-portfolio/`,
    )
    near(t, sum(composition, 'amount'), total_loans, 'composition')
    near(t, sum(composition, 'share'), 100, 'shares')
    const items = await filed(bank)
    const construction = composition.find(({ type }: { type: string }) => type === 'construction')
    near(t, construction.amount, items.get('F158')! + items.get('F159')!, 'construction')
    const [snapshot] = [await one(`/api/v1/banks/${bank}/`)]
    const latest = asset_quality.filter(({ report_date }: { report_date: string }) => report_date === asOf)
    for (const [name, metric] of [
      ['balance', 'total_loans'],
      ['past_due_30_89', 'past_due_30_89'],
      ['past_due_90', 'past_due_90'],
      ['nonaccrual', 'nonaccrual_loans'],
      ['net_chargeoffs', 'net_chargeoffs_quarter'],
    ] as const)
      near(t, sum(latest, name), snapshot[metric], `${name} of all kinds`)
    const cre = concentration.find(({ type }: { type: string }) => type === 'commercial_real_estate')
    t.equal(cre.at_or_above, cre.percent_of_capital >= 300)
    t.equal(cre.percent_of_capital, snapshot.cre_concentration)
  }
})

t.test('a part of the loan portfolio is flat rows in any format', async (t) => {
  const bank = banks[0]!.rssd_id
  const whole = await one(`/api/v1/banks/${bank}/loan-portfolio/?quarters=3`)
  for (const part of ['composition', 'concentration', 'asset_quality']) {
    const at = `/api/v1/banks/${bank}/loan-portfolio/?quarters=3&part=${part}`
    const flat = await rows(at)
    t.ok(flat.length >= 7, `${part}: ${flat.length} rows`)
    t.strictSame(
      flat.map(({ rssd_id, report_date, ...rest }) =>
        part === 'asset_quality' ? { report_date, ...rest } : rest,
      ),
      whole[part],
    )
    const csv = (await get(`${at}&format=csv`)).body.toString().trim().split('\n')
    t.equal(csv.length, flat.length + 1, `${part} as CSV`)
    t.equal((await get(`${at}&format=parquet`)).body.subarray(0, 4).toString(), 'PAR1')
    t.equal((await get(`${at}&format=xlsx`)).body.subarray(0, 2).toString(), 'PK')
  }
  t.equal((await get(`/api/v1/banks/${bank}/loan-portfolio/?format=csv`)).status, 400, 'the object is no CSV')
  t.equal((await get(`/api/v1/banks/${bank}/loan-portfolio/?part=all`)).status, 400)
  const limited = await get(`/api/v1/banks/${bank}/loan-portfolio/?limit=1`)
  t.match(limited.json().errors, [{ parameter: 'limit', reason: /is of flat rows: .* `part`/ }])
})

t.test('deposits add up, and what is uninsured is as reported or as the accounts say', async (t) => {
  const methods = new Set<string>()
  for (const { rssd_id: bank } of banks) {
    const deposits = await one(`/api/v1/banks/${bank}/deposits/`)
    near(t, sum(deposits.kinds, 'amount'), deposits.total_deposits, 'kinds')
    const items = await filed(bank)
    const accounts = Math.max(0, items.get('F051')! - 250 * items.get('F052')!)
    near(t, deposits.estimated_uninsured_deposits, items.get('5597') ?? accounts, deposits.uninsured_method)
    t.equal(deposits.uninsured_method, items.has('5597') ? 'reported' : 'accounts')
    methods.add(deposits.uninsured_method)
    near(
      t,
      deposits.insured_deposits + deposits.estimated_uninsured_deposits,
      deposits.domestic_deposits,
      'insured',
    )
    const changes = deposits.top_changes.map(({ change_1y }: { change_1y: number }) => Math.abs(change_1y))
    t.strictSame(
      changes,
      [...changes].sort((a, b) => b - a),
      'the largest change is first',
    )
  }
  t.equal(methods.size, 2, 'both ways occur')
})

t.test('securities add up by sector and by time left, beside the industry', async (t) => {
  for (const { rssd_id: bank } of banks) {
    const held = await one(`/api/v1/banks/${bank}/securities/`)
    for (const [name, total] of [
      ['htm_cost', 'securities_htm_cost'],
      ['htm_fair', 'securities_htm_fair'],
      ['afs_cost', 'securities_afs_cost'],
      ['afs_fair', 'securities_afs'],
      ['htm_gain', 'unrealized_gains_htm'],
      ['afs_gain', 'unrealized_gains_afs'],
    ] as const)
      near(t, sum(held.sectors, name), held[total], name)
    near(t, sum(held.maturities, 'amount'), held.securities_htm_cost + held.securities_afs, 'maturities')
    const loss = Math.min(0, held.unrealized_gains_htm + held.unrealized_gains_afs)
    near(t, held.tier1_capital_after_securities_losses, held.tier1_capital + loss, 'capital after losses')
  }
  const [own] = await rows(`/api/v1/banks/${banks[0]!.rssd_id}/securities/trends/?quarters=1`)
  const [industry] = await rows(
    '/api/v1/industry/securities/trends/?quarters=1&fields=unrealized_gains_ratio',
  )
  t.equal(own!.industry_unrealized_gains_ratio, industry!.unrealized_gains_ratio)
})

t.test('the drivers of the scorecard add up to its scores, which are metrics', async (t) => {
  for (const { rssd_id: bank } of banks) {
    const card = await one(`/api/v1/banks/${bank}/scorecard/`)
    const snapshot = await one(`/api/v1/banks/${bank}/`)
    for (const { letter, key, cap } of components) {
      const ofComponent = (list: { component: string }[]) =>
        list.filter(({ component }) => component === letter) as unknown as Row[]
      near(t, sum(ofComponent(card.drivers), 'contribution'), snapshot[cap?.uncapped ?? key], key)
      near(t, sum(ofComponent(card.drivers), 'weight'), 100, `weights of ${key}`)
      const shown = ofComponent(card.components)[0]!
      t.equal(shown.score, snapshot[key])
      t.equal(shown.cap, cap && snapshot[key] < snapshot[cap.uncapped] ? cap.why : null)
    }
    near(t, sum(card.components, 'contribution'), snapshot.uncapped_score, 'overall')
    t.equal(card.overall_score, snapshot.overall_score)
  }
})

t.test('the page of the method has every driver as it is', async (t) => {
  const page = readFileSync(new URL('../../docs/scorecard.md', import.meta.url), 'utf8')
  for (const { label, weight, drivers } of components) {
    t.ok(page.includes(`| ${label.replace(' to market risk', '')} (${weight}) |`), label)
    for (const { metric, worst, best, weight: own } of drivers)
      t.ok(page.includes(`| ${metric} | ${worst} | ${best} | ${own} |`), metric)
  }
})

t.test('a cap lowers the overall score to the grade that it allows', async (t) => {
  const overall = scorecard.find(({ key }) => key === 'overall_score')!.formula
  const scoreOf = (category: number, uncapped: number) =>
    interpreter([
      { key: 'm:overall_score', source: overall },
      { key: 'm:pca_category', source: String(category) },
      { key: 'm:uncapped_score', source: String(uncapped) },
    ])('m:overall_score', { reportDate: '2018-12-31', item: () => null })
  t.equal(scoreOf(1, 80), 80)
  t.equal(scoreOf(2, 80), 80)
  t.equal(scoreOf(3, 80), 49, 'undercapitalised: D')
  t.equal(scoreOf(3, 20), 20, 'a cap raises nothing')
  t.equal(scoreOf(4, 80), 34, 'significantly undercapitalised: F')
  t.equal(scoreOf(5, 80), 34)
})

t.test('growth without mergers counts what was merged in since', async (t) => {
  const grown = (await rows('/api/v1/screeners/growth/?horizon=1y')).filter(
    ({ merged_banks }) => merged_banks > 0,
  )
  t.ok(grown.length > 0, `${grown.length} banks took over others in the year`)
  for (const bank of grown) {
    const [then] = await query(`SELECT total_assets AS own,
      (SELECT sum(total_assets) FROM bank_quarters WHERE report_date = '${bank.from_date}' AND rssd_id IN (
        SELECT assumeNotNull(predecessor_rssd_id) FROM transformations
        WHERE successor_rssd_id = ${bank.rssd_id} AND date > '${bank.from_date}' AND date <= '${asOf}'
        UNION DISTINCT SELECT predecessor FROM poolings WHERE survivor = ${bank.rssd_id} AND report_date > '${bank.from_date}')
        AND rssd_id NOT IN (SELECT rssd_id FROM bank_quarters WHERE report_date = '${asOf}')) AS merged
      FROM bank_quarters WHERE rssd_id = ${bank.rssd_id} AND report_date = '${bank.from_date}'`)
    near(t, bank.merged_total_assets, then!.merged!, `merged into ${bank.rssd_id}`)
    const before = then!.own! + then!.merged!
    near(t, bank.organic_asset_growth, (100 * (bank.total_assets - before)) / before, 'growth')
    t.ok(bank.organic_asset_growth < bank.asset_growth)
  }
})

t.test('distances to the thresholds of capital are in percent and in dollars', async (t) => {
  const all = await rows('/api/v1/screeners/capital/')
  t.ok(all.some(({ cblr_elected }) => cblr_elected === 1))
  for (const bank of all) {
    near(t, bank.leverage_to_well, bank.tier1_leverage_ratio - 5, 'leverage')
    near(
      t,
      bank.leverage_to_well_amount,
      bank.tier1_capital - 0.05 * bank.leverage_assets,
      'leverage in dollars',
    )
    if (bank.risk_weighted_assets === null) {
      t.equal(bank.total_capital_to_well, null)
      t.equal(bank.nearest_measure, 'leverage')
    } else
      near(
        t,
        bank.total_capital_to_adequate_amount,
        bank.total_capital - 0.08 * bank.risk_weighted_assets,
        'total',
      )
  }
})

t.test('the guidance parts the banks in two', async (t) => {
  const path = '/api/v1/screeners/loan-concentration/'
  const [over, others, all] = await Promise.all([
    rows(`${path}?over_guidance=1`),
    rows(`${path}?over_guidance=0`),
    rows(path),
  ])
  t.equal(over.length + others.length, all.length)
  t.ok(others.every((bank) => !bank.construction_over_guidance && !bank.cre_over_guidance))
  for (const bank of over)
    t.ok(
      bank.construction_concentration >= 100 || (bank.cre_concentration >= 300 && bank.cre_growth_3y >= 50),
    )
})

t.test('every score is between 0 and 100', async (t) => {
  const scores = metrics.filter(({ unit }) => unit === 'points').map(({ key }) => key)
  t.equal(scores.length, 9)
  const [found] = await query(
    `SELECT ${scores.map((key) => `countIf(NOT ${key} BETWEEN 0 AND 100) + countIf(isNull(${key})) AS ${key}`).join(', ')} FROM bank_quarters`,
  )
  for (const key of scores) t.equal(Number(found![key]), 0, key)
})
