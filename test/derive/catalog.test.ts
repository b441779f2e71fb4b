import { readFileSync } from 'node:fs'
import t from 'tap'
import { compile, lineageOf } from '../../sql/formula/index.ts'
import {
  concepts,
  fdicVariable,
  isKnownItem,
  metricCategories,
  metrics,
} from '../../sql/formula/metrics/index.ts'
import { metricReference } from '../../sql/formula/metrics/reference.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { universes } from '../../sql/universes/index.ts'

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

const lineage = lineageOf(banks.formulas.set.formulas, banks.computed?.items)
const itemsOf = (key: string) => lineage(`m:${key}`).items

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
      universes.some(({ metrics }) => metrics.some(({ category }) => category === area)),
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
    const items = itemsOf(key)
    t.notOk(
      items.some((item) => reportedRatios.includes(item.slice(4))),
      key,
    )
  }
})

t.test('items of a metric are those of the metrics that it is made of', async (t) => {
  t.strictSame(itemsOf('total_deposits'), ['RCFN2200', 'RCON2200'])
  t.strictSame(itemsOf('equity_ratio'), ['RCFD2170', 'RCFD3210', 'RCON2170', 'RCON3210'])
})

t.test('an FDIC variable is that of one metric, and of none whose source says more', async (t) => {
  const variables = metrics.map(fdicVariable).filter((variable) => variable !== null)
  t.ok(variables.length > 80, `${variables.length} metrics`)
  t.same(
    variables.filter((variable, i) => variables.indexOf(variable) !== i),
    [],
  )
  t.equal(fdicVariable({ source: 'RC-C I 1.a; FDIC LNRECONS' }), 'LNRECONS')
  t.equal(fdicVariable({ source: 'FDIC ASTEMPM, in thousands' }), null)
  t.equal(fdicVariable({ source: 'UBPR7400 over FDIC ASSET5' }), null)
})

t.test('the pages of metrics are what the catalogs say', async (t) => {
  for (const [name, page] of Object.entries(metricReference()))
    t.equal(
      readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'),
      page,
      `${name}: run node --import tsx sql/formula/metrics/write-reference.ts`,
    )
})
