// What Prometheus is told, over real requests to a real engine; the port that it asks; the answers' Server-Timing.
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { column } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { buildOpsApp } from '../../server/ops/server.ts'
import { build } from '../helpers/app.ts'
import { samples } from './samples.ts'

/** A query that would run for hours. */
const endless = dataset({
  key: 'recent-failures',
  summary: 'A hash.',
  from: 'SELECT max(sipHash64(number + sleepEachRow(0.02))) AS hash FROM numbers(1000000) SETTINGS max_block_size = 1',
  grain: ['hash'],
  columns: [column('UInt64', 'hash', 'Hash')],
  sources: [],
  examples: [{ title: 'It' }],
})

t.test('metrics', async (t) => {
  const metrics = new Metrics()
  const { app, engine, published, serve, listen } = await build(t, { deps: { metrics } })
  let current: typeof published | null = published
  const ops = buildOpsApp(metrics.registry, { engine, published: () => current })
  t.teardown(() => ops.close())
  const scrape = async () => {
    const answer = await ops.inject('/metrics')
    t.equal(answer.statusCode, 200)
    t.match(answer.headers['content-type'], /^text\/plain; version=0\.0\.4/)
    return samples(answer.body)
  }
  const address = await listen()

  await t.test('a request is counted once, by dataset and status, with its rows and bytes', async (t) => {
    const answer = await fetch(`${address}/api/v1/banks/?limit=7&format=csv`, {
      headers: { 'accept-encoding': 'identity' },
    })
    const body = await answer.text()
    t.equal(answer.status, 200)
    t.equal(body.trim().split('\n').length, 8)
    const seen = await scrape()
    t.equal(seen.value('banking_requests_total', { dataset: 'bank-directory', status: '200' }), 1)
    t.equal(seen.sum('banking_request_duration_seconds_count', { dataset: 'bank-directory' }), 1)
    t.equal(seen.value('banking_rows_total', { dataset: 'bank-directory' }), 7)
    t.equal(seen.sum('banking_plan_requests_total'), 1)
    t.equal(seen.sum('banking_allowance_used_total'), 1)
    t.ok((seen.value('banking_engine_rows_read_total', { dataset: 'bank-directory' }) ?? 0) >= 7)
    const bytes = seen.value('banking_sent_bytes_total', { dataset: 'bank-directory' }) ?? 0
    t.ok(bytes >= Buffer.byteLength(body) && bytes < Buffer.byteLength(body) + 4000, `${bytes}`)
    t.equal(seen.value('banking_engine_duration_seconds_count', { dataset: 'bank-directory' }), 1)
    const engine = seen.value('banking_engine_duration_seconds_sum', { dataset: 'bank-directory' }) ?? 0
    const whole = seen.sum('banking_request_duration_seconds_sum', { dataset: 'bank-directory' })
    t.ok(engine > 0, `the engine took ${engine} s`)
    t.ok(whole > 0, `the request took ${whole} s`)
    t.equal(
      (await scrape()).value('banking_rows_total', { dataset: 'bank-directory' }),
      7,
      'read once, not twice',
    )
  })

  await t.test('what is refused is counted by its code', async (t) => {
    for (const path of ['/api/v1/banks/?stat=GA', '/api/v1/banks/?limit=-1', '/nothing'])
      await app.inject(path)
    const seen = await scrape()
    t.equal(seen.value('banking_problems_total', { code: 'invalid-parameter' }), 2)
    t.equal(seen.value('banking_problems_total', { code: 'not-found' }), 1)
    t.equal(seen.value('banking_requests_total', { dataset: 'bank-directory', status: '400' }), 2)
    t.equal(seen.value('banking_requests_total', { dataset: 'other', status: '404' }), 1)
  })

  await t.test('labels come from declarations: no path or value of a client makes a series', async (t) => {
    const before = (await scrape()).names
    for (let n = 0; n < 5; n++) await app.inject(`/api/v1/no/${n}?x=${n}`)
    t.strictSame((await scrape()).names, before)
  })

  await t.test('the state of gate, engine and data version', async (t) => {
    const seen = await scrape()
    t.equal(seen.value('banking_engine_up'), 1)
    t.equal(seen.value('banking_gate_slots'), 4)
    t.equal(seen.value('banking_gate_inside'), 0)
    t.equal(seen.value('banking_gate_waiting'), 0)
    const { dataVersion, asOf, publishedAt } = published.publication
    t.equal(
      seen.value('banking_publication_info', { data_version: dataVersion, as_of: asOf!, synthetic: 'true' }),
      1,
    )
    t.equal(seen.value('banking_publication_timestamp_seconds'), Date.parse(publishedAt) / 1000)
    t.equal(seen.value('banking_latest_quarter_timestamp_seconds'), Date.parse(asOf!) / 1000)
    for (const name of ['memory', 'disk_free', 'data'])
      t.ok(seen.value(`banking_engine_${name}_bytes`)! > 1e6, name)
    metrics.versionAdopted()
    t.equal((await scrape()).value('banking_publications_total'), 1)
    current = null
    serve(null)
    t.equal((await scrape()).value('banking_publication_info'), undefined)
    t.equal((await scrape()).value('banking_publication_timestamp_seconds'), undefined)
    t.equal((await ops.inject('/health/ready')).json().code, 'no-data')
    current = published
    serve(published)
  })

  await t.test('the operations port says how it is, and serves nothing else', async (t) => {
    t.equal((await ops.inject('/health/live')).statusCode, 200)
    t.equal((await ops.inject('/health/ready')).json().data_version, published.publication.dataVersion)
    t.equal((await ops.inject('/api/v1/banks/')).statusCode, 404)
    t.equal((await app.inject('/metrics')).statusCode, 404)
  })

  await t.test('Server-Timing', async (t) => {
    const made = (await app.inject('/api/v1/banks/?limit=2')).headers['server-timing']
    const [, gate, engine, total] =
      /gate;dur=([\d.]+), engine;dur=([\d.]+), total;dur=([\d.]+)$/.exec(String(made)) ?? []
    t.ok(Number(engine) > 0 && Number(gate) >= 0, String(made))
    t.ok(Number(total) >= Number(gate), String(made))
    t.match(made, /^cache;desc=(miss|stream), /)
    const again = (await app.inject('/api/v1/banks/?limit=2')).headers['server-timing']
    t.match(again, /^cache;desc=hit, total;dur=[\d.]+$/, 'from memory neither gate nor engine has a part')
    t.match((await app.inject('/nothing')).headers['server-timing'], /^total;dur=[\d.]+$/)
  })

  await t.test('an engine that is closed is down, and the scrape answers all the same', async (t) => {
    await engine.close()
    const seen = await scrape()
    t.equal(seen.value('banking_engine_up'), 0)
    t.equal(seen.value('banking_engine_memory_bytes'), undefined)
    t.equal(seen.value('banking_gate_slots'), 4)
  })
})

t.test('a client that leaves first is 499, and the wait for it is seen', async (t) => {
  const metrics = new Metrics()
  const { engine, listen } = await build(t, { deps: { metrics }, datasets: [endless] })
  const address = await listen()
  const read = async () => samples(await metrics.registry.metrics())
  const leaving = new AbortController()
  const left = fetch(`${address}/api/v1/failures/recent/`, { signal: leaving.signal })
    .then((answer) => answer.text())
    .catch(() => 'left')
  let ended: string | undefined
  void left.then((text) => {
    ended = text
  })
  while ((await read()).value('banking_gate_inside') !== 1 && ended === undefined) await wait(20)
  t.equal(ended, undefined, 'the query runs on')
  leaving.abort()
  t.equal(await left, 'left')
  const counted = async () =>
    (await read()).value('banking_requests_total', { dataset: 'recent-failures', status: '499' })
  while ((await counted()) === undefined) await wait(20)
  t.equal(await counted(), 1)
  while ((await read()).value('banking_gate_inside') !== 0) await wait(20)
  t.equal(engine.state(), 'ready')
})
