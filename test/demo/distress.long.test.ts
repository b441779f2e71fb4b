// Of the live banks of a demo some are in trouble, so that what is asked about risk has an answer in the newest quarter.
import t from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { trainAndScore } from '../../server/training.ts'
import { buildDemo } from '../../sql/demo/index.ts'
import { derive } from '../../sql/universes/index.ts'
import { memoryLog, testEngine } from '../helpers/engine.ts'
import { universe } from '../helpers/universe.ts'

/** Whoever is short of capital and loses money: a bank of small capital alone earns enough. */
const inTrouble = `
  SELECT pca_category, tier1_leverage_ratio, roa, overall_score, failure_probability FROM bank_quarters
  WHERE report_date = (SELECT max(report_date) FROM bank_quarters) AND roa < -1 AND tier1_leverage_ratio < 7`

t.test('every hundredth live bank is, in a demo of any length', async (t) => {
  const { engine } = await testEngine(t)
  const made = async (size: { quarters: number; liveBanks: number; closedBanks: number }) => {
    const build = await beginBuild(engine, { synthetic: true, empty: true }, memoryLog())
    await buildDemo(build, size)
    await derive(build, 'all')
    const training = await trainAndScore(build)
    const answer = await build.client.query({ query: inTrouble, format: 'JSONEachRow' })
    const banks = await answer.json<Record<string, number>>()
    await build.discard()
    return { training, banks }
  }
  const one = await made({ quarters: 1, liveBanks: 300, closedBanks: 20 })
  t.equal(one.training, null, 'one quarter teaches nothing')
  t.equal(one.banks.length, 3, 'of 300')
  t.ok(one.banks.every((bank) => bank.pca_category! >= 4 && bank.overall_score! < 35))

  const eight = await made({ quarters: 8, liveBanks: 500, closedBanks: 250 })
  const categories = eight.banks.map((bank) => bank.pca_category)
  t.ok(eight.banks.length >= 4 && eight.banks.length <= 8, `${eight.banks.length} of 500`)
  for (const category of [3, 4]) t.ok(categories.includes(category), `category ${category}`)
  const worst = eight.banks.filter((bank) => bank.pca_category! >= 4)
  for (const { failure_probability } of worst)
    t.ok(failure_probability! > 20, `critical: ${failure_probability}`)
})

t.test('what is asked about risk has an answer in the newest quarter', async (t) => {
  const { rows, engine, published } = await universe()
  const high = await rows('/api/v1/risk/high-risk-banks/')
  t.ok(high.length > 0)
  const [worst] = high
  t.ok(['critical', 'high'].includes(worst!.risk_tier))
  const tiers = new Set((await rows('/api/v1/risk/distribution/')).map(({ risk_tier }) => risk_tier))
  t.ok(tiers.has(worst!.risk_tier) && tiers.size > 1, [...tiers].join(', '))
  const short = await rows('/api/v1/screeners/capital/?min_pca_category=3')
  t.ok(short.length > 0)
  t.ok(short.every(({ leverage_to_well, nearest_measure }) => leverage_to_well < 0 && nearest_measure))
  const [card] = await rows(`/api/v1/banks/${short[0]!.rssd_id}/scorecard/`)
  t.ok(['D', 'F'].includes(card!.grade), card!.grade)
  t.ok((await rows('/api/v1/screeners/capital/?max_pca_category=2')).length > 0, 'most are sound')

  const alerts = await engine.rows<{ sentence: string }>({
    sql: "SELECT sentence FROM alerts WHERE entity = 'bank' AND type IN ('capital_category', 'grade', 'risk_tier')",
    database: published.publication.database,
  })
  t.ok(alerts.length > 0, String(alerts[0]?.sentence))
})
