import t from 'tap'
import { creditUnions } from '../../sql/universes/credit-union/index.ts'
import { universe } from '../helpers/universe.ts'

const { rows, engine, published } = await universe()
const { database } = published.publication

t.test('credit unions of the demo file every account that a figure needs', async (t) => {
  const held = await engine.rows<{ metric: string }>({
    database,
    sql: "SELECT metric FROM credit_union_benchmarks WHERE cohort = 'all' AND report_date = (SELECT max(report_date) FROM credit_union_benchmarks)",
  })
  const without = creditUnions.metrics.filter(({ key }) => !held.some(({ metric }) => metric === key))
  t.strictSame(
    without.map(({ key }) => key),
    [],
  )
  const unknown = await engine.rows({
    database,
    sql: `SELECT DISTINCT account FROM credit_union_items WHERE account NOT IN ('${creditUnions.formulas.items.join("', '")}')`,
  })
  t.strictSame(unknown, [], 'and no other')
})

t.test('their accounts add up', async (t) => {
  const sums = {
    loans: `total_loans - credit_card_loans - unsecured_loans - payday_alternative_loans - student_loans - vehicle_loans
      - lease_receivables - other_secured_loans - real_estate_loans - commercial_other_loans`,
    shares: `total_shares - share_drafts - regular_shares - money_market_shares - share_certificates - ira_shares
      - other_shares - nonmember_deposits`,
    assets: 'total_assets - cash - total_investments - net_loans - fixed_assets - other_assets',
    delinquency: 'delinquent_loans - delinquent_60_179 - delinquent_180_359 - delinquent_360',
    income:
      'net_income - interest_income + interest_expense + provision - noninterest_income + noninterest_expense',
    insurance: 'total_shares - insured_shares - uninsured_shares',
    equity: 'total_equity - net_worth - unrealized_gains_afs',
  }
  const checks = Object.entries(sums).map(([name, sql]) => `toUInt32(countIf(abs(${sql}) > 1.01)) AS ${name}`)
  const [off] = await engine.rows<Record<string, number>>({
    database,
    sql: `SELECT ${checks.join(', ')}, toUInt32(count()) AS filings FROM credit_union_quarters`,
  })
  const { filings, ...rest } = off!
  t.ok(filings! > 1000)
  t.strictSame(rest, Object.fromEntries(Object.keys(sums).map((name) => [name, 0])))
})

t.test('those that closed stay, with their last quarter', async (t) => {
  const all = await rows('/api/v1/cus/?fields=cu_number,active,report_date,state')
  const gone = all.filter(({ active }) => !active)
  t.equal(all.length - gone.length, Math.floor((130 * 4300) / 4500))
  t.equal(gone.length, Math.floor((20 * 2000) / 2500))
  const [one] = await rows(`/api/v1/cus/${gone[0]!.cu_number}/`)
  t.equal(one!.report_date, gone[0]!.report_date)
  const states = await rows('/api/v1/reference/states/?fields=state,credit_unions')
  t.equal(
    states.reduce((sum, { credit_unions }) => sum + Number(credit_unions), 0),
    all.length - gone.length,
    'the states count those that file',
  )
})

t.test('branches are of the newest list that is held at the quarter', async (t) => {
  const id = published.examples.credit_union!
  const quarters = await rows(`/api/v1/cus/${id}/trends/?metrics=total_assets`)
  const years = quarters.map(({ report_date }) => String(report_date)).filter((day) => day.endsWith('12-31'))
  const at = async (as_of: string) =>
    (await rows(`/api/v1/cus/${id}/branches/?as_of=${as_of}`))[0]?.report_date
  t.equal(await at(years.at(-1)!), years.at(-1))
  const spring = `${Number(years.at(-1)!.slice(0, 4)) + 1}-03-31`
  t.equal(await at(spring), years.at(-1), 'no list came with that quarter')
  const [main] = await rows(`/api/v1/cus/${id}/branches/?limit=1`)
  t.match(main, { cu_number: Number(id), main_office: true, country: 'United States' })
})
