import t from 'tap'
import { riskFeatures } from '../../sql/formula/metrics/failure-risk.ts'
import { riskTiers } from '../../sql/risk/model.ts'
import { universe } from '../helpers/universe.ts'

const { rows, get } = await universe()
const [first] = await rows('/api/v1/risk/high-risk-banks/?tier=critical,high,elevated,moderate,low&limit=1')
const bank = first!.rssd_id

t.test('the factors of a bank are its score, in every quarter', async (t) => {
  const trends = await rows(`/api/v1/banks/${bank}/failure-prediction/trends/`)
  t.ok(trends.length > 2)
  for (const { report_date, log_odds, failure_probability } of trends) {
    const factors = await rows(`/api/v1/banks/${bank}/failure-prediction/factors/?as_of=${report_date}`)
    t.equal(factors.length, riskFeatures.length + 1)
    const sum = factors.reduce((total, { contribution }) => total + contribution, 0)
    t.ok(
      Math.abs(sum - log_odds) < 1e-9 * Math.max(1, Math.abs(log_odds)),
      `${report_date}: ${sum} is ${log_odds}`,
    )
    t.ok(Math.abs(100 / (1 + Math.exp(-sum)) - failure_probability) < 1e-9)
    const moved = factors.slice(1).map(({ contribution }) => Math.abs(contribution))
    t.same(
      moved,
      moved.toSorted((a, b) => b - a),
      'the largest first',
    )
  }
})

t.test('coefficients, weighed values and their medians make the contributions', async (t) => {
  const [card] = await rows('/api/v1/risk/model-card/')
  const factors = await rows(`/api/v1/banks/${bank}/failure-prediction/factors/`)
  const median = card!.intercept
  t.same(
    card!.features.map(({ feature }: { feature: string }) => feature),
    riskFeatures.map(({ key }) => key),
  )
  const weigh = (key: string, value: number) => {
    const { transformation } = riskFeatures.find((one) => one.key === key)!
    return transformation === 'level' ? value : transformation === 'root' ? Math.sqrt(value) : Math.log(value)
  }
  let baseline = median
  for (const { feature, coefficient, value, median: middle, contribution } of factors.slice(1)) {
    t.equal(
      coefficient,
      card!.features.find((one: { feature: string }) => one.feature === feature).coefficient,
    )
    t.ok(
      Math.abs(coefficient * (weigh(feature, value) - weigh(feature, middle)) - contribution) < 1e-8,
      feature,
    )
    baseline += coefficient * weigh(feature, middle)
  }
  t.ok(Math.abs(baseline - factors[0]!.contribution) < 1e-8, 'the median bank')
})

t.test('tiers follow the probability, everywhere alike', async (t) => {
  const listed = await rows('/api/v1/risk/high-risk-banks/?tier=critical,high,elevated,moderate,low')
  t.same(
    listed.map(({ risk_rank }) => risk_rank),
    listed.map((_, k) => k + 1),
  )
  for (const { rssd_id, risk_tier } of [listed[0]!, listed.at(-1)!]) {
    const [prediction] = await rows(`/api/v1/banks/${rssd_id}/failure-prediction/`)
    const due = riskTiers.find(({ least }) => prediction!.failure_probability >= least)!.key
    t.equal(prediction!.risk_tier, due)
    t.equal(risk_tier, due)
    const [scorecard] = await rows(`/api/v1/banks/${rssd_id}/scorecard/composite/`)
    t.equal(scorecard!.risk_tier, due)
    t.equal(scorecard!.risk_tier_reason, null)
  }
  for (const by of ['state', 'size', 'regulator']) {
    const groups = await rows(`/api/v1/risk/distribution/?by=${by}`)
    t.equal(
      groups.reduce((total, { banks }) => total + banks, 0),
      listed.length,
      by,
    )
    for (const { key } of riskTiers)
      t.equal(
        groups.filter(({ risk_tier }) => risk_tier === key).reduce((total, { banks }) => total + banks, 0),
        listed.filter(({ risk_tier }) => risk_tier === key).length,
      )
  }
  const top = await rows('/api/v1/risk/high-risk-banks/')
  t.ok(top.every(({ risk_tier }) => ['critical', 'high'].includes(risk_tier)))
})

t.test('the card says what it learnt from, and that it is of made-up banks', async (t) => {
  const answer = (await get('/api/v1/risk/model-card/')).json()
  t.equal(answer.meta.synthetic, true)
  const { data } = answer
  t.ok(data.failures > 0)
  t.equal(data.version, first!.model_version)
  t.equal(
    data.quarters.reduce(
      (n: number, q: { part: string; banks: number }) => n + (q.part === 'window' ? q.banks : 0),
      0,
    ),
    data.observations,
  )
  t.equal(data.feature_definitions.length, riskFeatures.length)
  t.equal(data.tiers.length, riskTiers.length)
})

t.test('the probability of one bank is not to be had below its tier; that of many is', async (t) => {
  for (const url of [
    `/api/v1/banks/${bank}/?fields=failure_probability`,
    `/api/v1/banks/${bank}/trends/?metrics=failure_probability`,
    `/api/v1/banks/${bank}/ranks/?metrics=failure_probability`,
    '/api/v1/screeners/banks/?min_failure_probability=1',
    '/api/v1/screeners/banks/?sort=-failure_probability',
    '/api/v1/risk/high-risk-banks/?sort=-failure_probability',
  ])
    t.equal((await get(url)).status, 400, url)
  const detail = await rows(`/api/v1/reference/metrics/failure_probability/?rssd_id=${bank}`)
  t.equal(detail[0]!.value, null)
  const [panel] = await rows('/api/v1/screeners/panel/?metrics=failure_probability&limit=1')
  t.ok(panel!.failure_probability > 0)
  const [industry] = await rows('/api/v1/industry/?fields=failure_probability')
  const all = await rows('/api/v1/industry/benchmarks/?metrics=failure_probability&tier=all')
  t.ok(Math.abs(industry!.failure_probability - all[0]!.mean) < 1e-9, 'of the industry it is the mean')
})
