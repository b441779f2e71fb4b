import t from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { buildDemo } from '../../sql/demo/index.ts'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { derive } from '../../sql/universes/index.ts'
import { memoryLog, testEngine } from '../helpers/engine.ts'

/** What not every bank files: risk-based capital under the leverage ratio election, cards, uninsured deposits. */
const usual = 0.5

// Three years back is the farthest that a metric looks.
const quarters = 13

t.test('every metric of the catalog has figures in the demo', async (t) => {
  const { engine } = await testEngine(t)
  const build = await beginBuild(engine, { synthetic: true }, memoryLog())
  await buildDemo(build, { quarters, liveBanks: 240, closedBanks: 40 })
  await derive(build, 'all')
  const query = `SELECT ${metrics.map(({ key }) => `countIf(isNotNull(${key})) / count() AS ${key}`).join(', ')}
    FROM bank_quarters WHERE report_date = '2026-06-30'`
  const [share] = await (await build.client.query({ query, format: 'JSONEachRow' })).json<
    Record<string, number>
  >()
  await build.discard()

  const empty = metrics.filter(({ key }) => share![key] === 0).map(({ key }) => key)
  t.strictSame(empty, ['failure_probability'], 'only what waits for a model is null for every bank')
  const sparse = metrics.filter(({ key }) => share![key]! > 0 && share![key]! < usual)
  for (const { key } of sparse) t.comment(`${key}: ${(100 * share![key]!).toFixed(1)} % of banks`)
  t.ok(
    sparse.length < metrics.length / 20,
    `metrics that fewer than half of the banks have: ${sparse.length} of ${metrics.length}`,
  )
  for (const key of [
    'total_assets',
    'total_loans',
    'total_deposits',
    'total_equity',
    'net_income',
    'roa',
    'roe',
    'nim',
  ]) {
    t.ok(share![key]! > 0.99, `${key}: ${share![key]}`)
  }
})
