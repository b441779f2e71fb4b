import { readFileSync } from 'node:fs'
import t from 'tap'
import { itemsOfMetric } from '../../sql/derive/reference.ts'
import { compile } from '../../sql/formula/index.ts'
import { concepts, isKnownItem, metricCategories, metrics } from '../../sql/formula/metrics/index.ts'
import { metricReference } from '../../sql/formula/metrics/reference.ts'

/** Names that clients rely on: see the metric names of the API's contract. */
const fixedNames = `
  total_assets total_loans total_deposits total_equity net_income net_interest_income noninterest_income
  noninterest_expense provision employees branches roa roe nim efficiency_ratio noninterest_expense_ratio
  yield_on_earning_assets cost_of_funds tier1_leverage_ratio cet1_ratio tier1_ratio total_capital_ratio equity_ratio
  noncurrent_loans_ratio net_chargeoffs_ratio allowance_ratio texas_ratio past_due_30_89_ratio loan_to_deposit_ratio
  uninsured_deposits_ratio brokered_deposits_ratio core_deposits_ratio cre_concentration construction_concentration
  securities_afs securities_htm unrealized_gains_afs unrealized_gains_htm asset_growth_1y loan_growth_1y
  deposit_growth_1y`
  .trim()
  .split(/\s+/)

t.test('the catalog has the names that never change, and each name once', async (t) => {
  const keys = [...metrics, ...concepts].map(({ key }) => key)
  t.equal(new Set(keys).size, keys.length)
  t.ok(metrics.length >= 150, `${metrics.length} metrics`)
  for (const name of fixedNames)
    t.ok(
      metrics.some(({ key }) => key === name),
      name,
    )
  for (const { key } of metrics) t.match(key, /^[a-z][a-z0-9_]*$/)
  for (const area of metricCategories)
    t.ok(
      metrics.some(({ category }) => category === area),
      area,
    )
})

t.test('every formula compiles, and names known items and metrics only', async (t) => {
  const formulas = [...metrics, ...concepts].map(({ key, formula }) => ({ key: `m:${key}`, source: formula }))
  t.doesNotThrow(() => compile({ formulas, outputs: formulas.map(({ key }) => key), items: isKnownItem }))
})

t.test(
  'what does not add up over banks names no items, so that no sum of reported ratios is taken',
  async (t) => {
    for (const { key, formula, aggregation } of [...metrics, ...concepts]) {
      if (aggregation === 'formula') t.notMatch(formula, /\bcc:/, key)
    }
  },
)

t.test('no formula takes a ratio that the form reports', async (t) => {
  // RC-R Part I: leverage, total, tier 1 and CET1 ratios, supplementary leverage ratio, buffer.
  const reportedRatios = ['7204', '7205', '7206', 'P793', 'H036', 'H311']
  for (const { key } of metrics) {
    const items = itemsOfMetric(key)
    t.notOk(
      items.some((item) => reportedRatios.includes(item.slice(4))),
      key,
    )
  }
})

t.test('items of a metric are those of the metrics that it is made of', async (t) => {
  t.strictSame(itemsOfMetric('total_deposits'), ['RCFN2200', 'RCON2200'])
  t.strictSame(itemsOfMetric('equity_ratio'), ['RCFD2170', 'RCFD3210', 'RCON2170', 'RCON3210'])
})

t.test('docs/metrics.md is what the catalog says', async (t) => {
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
  t.equal(page, metricReference(), 'run node --import tsx sql/formula/metrics/write-reference.ts')
})
