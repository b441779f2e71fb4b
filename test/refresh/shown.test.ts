// What became of asking the sources is seen at once: in reference-sources, without a publish, and in the metrics.
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { type FetchState, writeState } from '../../loaders/fetch/state.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { build } from '../helpers/app.ts'
import { samples } from '../ops/samples.ts'

const URL_OF = '/api/v1/reference/sources/?fields=key,last_asked,last_new,last_failed,last_failure'
const state = (of: Partial<FetchState>): FetchState => ({
  ...{ name: '', lastAsked: '2026-05-01T00:00:00Z', lastNew: null, lastFailed: null },
  ...{ lastFailure: '', failingSince: null, sha256: '' },
  ...of,
})

t.test('the state of the refreshes', async (t) => {
  const metrics = new Metrics()
  const { app, engine, published } = await build(t, { deps: { metrics } })
  // the state may be a second old
  const later = () => wait(1100)
  const ask = (headers = {}) => app.inject({ url: URL_OF, headers })
  const of = (answer: Awaited<ReturnType<typeof ask>>, key: string) =>
    (answer.json() as { data: { key: string }[] }).data.find((row) => row.key === key)

  const never = await ask()
  t.equal(never.statusCode, 200)
  t.match(of(never, 'fred'), { last_asked: null, last_new: null, last_failed: null, last_failure: null })
  const tag = never.headers.etag as string
  t.equal((await ask({ 'if-none-match': tag })).statusCode, 304)

  await writeState(engine, 'fred', [
    state({ lastNew: '2026-04-30T00:00:00Z' }),
    state({ name: 'DGS10.csv', lastAsked: '2026-05-01T00:00:00Z' }),
  ])
  const failure = `DGS7.csv: it's "gone"\t\\ for {good:String}`
  await writeState(engine, 'pmms', [
    state({ lastFailed: '2026-05-01T00:00:00Z', lastFailure: failure, failingSince: '2026-04-20T00:00:00Z' }),
  ])
  await later()
  const now = await ask({ 'if-none-match': tag })
  t.equal(now.statusCode, 200, 'the tag of before is of other bytes')
  t.not(now.headers.etag, tag)
  t.equal(now.headers['x-data-version'], published.publication.dataVersion, 'nothing was published')
  t.match(of(now, 'fred'), {
    last_asked: '2026-05-01T00:00:00.000Z',
    last_new: '2026-04-30T00:00:00.000Z',
    last_failed: null,
  })
  t.match(of(now, 'pmms'), { last_failed: '2026-05-01T00:00:00.000Z', last_failure: failure })
  t.match(of(now, 'mdrm'), { last_asked: null })
  const kept = await ask()
  t.equal(kept.body, now.body)
  t.equal(kept.headers.etag, now.headers.etag)

  const seen = samples(await metrics.registry.metrics())
  const at = (name: string, source: string) =>
    seen.value(`banking_source_${name}_timestamp_seconds`, { source })
  t.equal(at('asked', 'fred'), Date.parse('2026-05-01T00:00:00Z') / 1000)
  t.equal(at('new', 'fred'), Date.parse('2026-04-30T00:00:00Z') / 1000)
  t.equal(at('failing_since', 'fred'), undefined)
  t.equal(at('failed', 'pmms'), Date.parse('2026-05-01T00:00:00Z') / 1000)
  t.equal(at('failing_since', 'pmms'), Date.parse('2026-04-20T00:00:00Z') / 1000)
  t.equal(at('asked', 'mdrm'), undefined)

  await writeState(engine, 'pmms', [state({ lastFailed: '2026-05-01T00:00:00Z', lastFailure: failure })])
  await later()
  const healed = samples(await metrics.registry.metrics())
  t.equal(healed.value('banking_source_failing_since_timestamp_seconds', { source: 'pmms' }), undefined)
  for (const format of ['csv', 'arrow', 'parquet', 'columns'])
    t.equal((await app.inject(`/api/v1/reference/sources/?format=${format}`)).statusCode, 200, format)
})
