// The demo universe's invented rates, and the datasets that set rates beside banks' results.
import t from 'tap'
import { universe } from '../helpers/universe.ts'

const { rows, get } = await universe()

const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length
function correlation(x: number[], y: number[]): number {
  const [mx, my] = [mean(x), mean(y)]
  const sum = (of: (index: number) => number) => x.reduce((total, _, index) => total + of(index), 0)
  const both = sum((i) => (x[i]! - mx) * (y[i]! - my))
  return both / Math.sqrt(sum((i) => (x[i]! - mx) ** 2) * sum((i) => (y[i]! - my) ** 2))
}

t.test('invented rates are labelled as such', async (t) => {
  const answer = await get('/api/v1/rates/yield-curve/?latest=1')
  t.equal(answer.json().meta.synthetic, true)
  t.equal(answer.json().data.length, 14)
})

t.test('banks’ costs and yields follow the policy rate', async (t) => {
  const quarters = await rows('/api/v1/industry/rate-environment/trends/')
  t.ok(quarters.length >= 8)
  const of = (name: string) => quarters.map((quarter) => Number(quarter[name]))
  for (const name of ['cost_of_funds', 'yield_on_earning_assets', 'cost_of_deposits']) {
    const r = correlation(of('federal_funds_rate'), of(name))
    t.ok(r > 0.8, `${name}: correlation ${r.toFixed(3)} with the federal funds rate`)
  }
  t.ok(correlation(of('yield_3m'), of('federal_funds_rate')) > 0.95)
})

t.test('the rate environment is the curve of the quarter’s last business day', async (t) => {
  for (const quarter of (await rows('/api/v1/industry/rate-environment/trends/?quarters=8')).values()) {
    const { report_date, curve_date } = quarter
    const curve = await rows(`/api/v1/rates/yield-curve/?from=${curve_date}&to=${report_date}`)
    t.strictSame(
      [...new Set(curve.map(({ date }) => date))],
      [curve_date],
      `no day after ${curve_date} in the quarter`,
    )
    const at = (tenor: string) => curve.find((point) => point.tenor === tenor)!.yield
    const near = (name: string, wanted: number) =>
      t.ok(Math.abs(quarter[name] - wanted) < 1e-6, `${report_date} ${name}`)
    near('curve_level', at('10Y'))
    near('curve_slope', at('10Y') - at('3M'))
    near('curve_curvature', 2 * at('2Y') - at('3M') - at('10Y'))
    near('spread_10y_2y', at('10Y') - at('2Y'))
    const [industry] = await rows(`/api/v1/industry/?as_of=${report_date}&fields=nim,cost_of_funds`)
    near('nim', industry!.nim)
    near('cost_of_funds', industry!.cost_of_funds)
  }
  const [one] = await rows('/api/v1/industry/rate-environment/?as_of=2025Q4')
  t.equal(one!.report_date, '2025-12-31')
})

t.test('business days only', async (t) => {
  const days = await rows('/api/v1/rates/yield-curve/?tenor=10Y')
  const weekdays = new Set(days.map(({ date }) => new Date(`${date}T00:00:00Z`).getUTCDay()))
  t.strictSame([...weekdays].sort(), [1, 2, 3, 4, 5])
  t.notOk(days.some(({ date }) => /-(01-01|07-04|12-25)$/.test(date)))
})

t.test('the dashboard is made of its parts', async (t) => {
  const [dashboard] = await rows('/api/v1/industry/dashboard/?as_of=2026-03-31')
  t.strictSame(Object.keys(dashboard!), [
    ...['snapshot', 'trends', 'rates', 'curve', 'failures', 'distribution'],
  ])
  t.equal(dashboard!.snapshot.report_date, '2026-03-31')
  t.strictSame(dashboard!.rates, (await rows('/api/v1/industry/rate-environment/?as_of=2026-03-31'))[0])
  t.ok(
    dashboard!.curve.every((point: { date: string }) => point.date <= '2026-03-31'),
    'the curve as it was known then',
  )
  t.ok(dashboard!.trends.length >= 1 && dashboard!.trends.length <= 8)
  t.equal(dashboard!.distribution.length, 5)
})
