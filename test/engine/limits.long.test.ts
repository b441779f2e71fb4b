import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import type { Engine, ReadQuery } from '../../server/engine/engine.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { testEngine } from '../helpers/engine.ts'

const database = 'banking_v_test'

async function open(t: Test, env: Record<string, string>) {
  const test = await testEngine(t, env)
  for (const name of [database, 'banking']) {
    await test.engine.loader('default').command({ query: `CREATE DATABASE ${name}` })
  }
  return test
}

const all = async (engine: Engine, sql: string, more: Partial<ReadQuery> = {}) =>
  buffer((await engine.read({ sql, database, format: 'CSV', ...more })).stream)

/** Whether ClickHouse has no such query, at once or soon. */
async function isGone(engine: Engine, queryId: string): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++, await sleep(10)) {
    const result = await engine.loader('default').query({
      query: 'SELECT count() AS n FROM system.processes WHERE query_id = {queryId:String}',
      query_params: { queryId },
      format: 'JSONEachRow',
    })
    if (Number((await result.json<{ n: number }>())[0]!.n) === 0) return true
  }
  return false
}

const HOURS = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1'

t.test('rows of an answer, rows that are read, and memory of one query are limited', async (t) => {
  const { engine } = await open(t, { QUERY_ROWS: '1000', QUERY_READ_ROWS: '100000', QUERY_MEMORY_MIB: '64' })
  t.equal((await all(engine, 'SELECT number FROM numbers(1000)')).toString().split('\n').length, 1001)
  for (const sql of [
    'SELECT number FROM numbers(1001)',
    'SELECT max(number) FROM numbers(100001)',
    'SELECT length(groupArray(x)) FROM (SELECT arrayJoin(range(100000)) AS x FROM numbers(1000))',
  ]) {
    await t.rejects(all(engine, sql), { code: 'QUERY_TOO_LARGE' }, sql)
  }
})

t.test('a streamed query has its time to the first byte, and its reader more', async (t) => {
  const { engine } = await open(t, {
    QUERY_SECONDS: '1',
    STREAM_SECONDS: '60',
    QUERY_READ_ROWS: '1000000000000000',
  })
  await t.rejects(all(engine, HOURS, { streamed: true, queryId: 'late' }), { code: 'QUERY_TIMEOUT' })
  t.ok(await isGone(engine, 'late'), 'and the engine works on it no more')
  await t.rejects(all(engine, HOURS, { queryId: 'not-streamed' }), { code: 'QUERY_TIMEOUT' })
  t.ok(await isGone(engine, 'not-streamed'))

  const { stream } = await engine.read({
    sql: 'SELECT number FROM numbers(5000000)',
    database,
    format: 'CSV',
    streamed: true,
  })
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes === 0) await sleep(4_000)
    bytes += (chunk as Buffer).length
  }
  t.equal(bytes, 38_888_890, 'a pause of its reader is not the time of the query')
})

t.test(
  'an engine that stands still: an end to waiting, refusals at once, and then everything again',
  async (t) => {
    const { engine, config, log } = await open(t, { QUERY_SECONDS: '1' })
    await engine
      .loader(database)
      .command({ query: 'CREATE TABLE kept ENGINE = MergeTree ORDER BY a AS SELECT 7 AS a' })
    const { pid } = (await readEngineFile(enginePaths(config).address))!
    process.kill(pid, 'SIGSTOP')
    t.teardown(() => process.kill(pid, 'SIGCONT'))
    await t.rejects(all(engine, 'SELECT 1'), { code: 'QUERY_TIMEOUT' })
    for (let tries = 0; tries < 1000 && engine.state() === 'ready'; tries++) await sleep(10)
    t.equal(engine.state(), 'stalled')
    await t.rejects(all(engine, 'SELECT 1'), { code: 'ENGINE_UNAVAILABLE' })
    process.kill(pid, 'SIGCONT')
    for (let tries = 0; tries < 1000 && engine.state() !== 'ready'; tries++) await sleep(10)
    t.equal((await all(engine, 'SELECT a FROM kept')).toString(), '7\n')
    t.equal((await readEngineFile(enginePaths(config).address))!.pid, pid, 'it was not started anew')
    t.ok(log.lines.some(({ message }) => /answers again/.test(message ?? '')))
  },
)

t.test('readers that fill their memory starve neither the poll nor the server', async (t) => {
  const { engine } = await open(t, {
    ENGINE_MEMORY_MIB: '1024',
    ENGINE_CACHE_MIB: '64',
    QUERY_MEMORY_MIB: '1024',
    READERS_MEMORY_MIB: '4096',
    QUERY_SECONDS: '20',
  })
  // many small arrays fill the memory of the whole engine, not only that of one query
  const hungry =
    'SELECT length(g) FROM (SELECT groupArray(number) AS g FROM numbers(30000000) GROUP BY number % 20000000)'
  const refused: string[] = []
  let stop = false
  const readers = Array.from({ length: 6 }, async () => {
    while (!stop) await all(engine, hungry).catch((error: { code: string }) => refused.push(error.code))
  })
  let looks = 0
  try {
    for (const end = Date.now() + 10_000; Date.now() < end; looks++) {
      await currentPublication(engine)
      await engine.rows({ sql: 'SELECT number FROM numbers(1000)', database })
      await sleep(20)
    }
  } finally {
    stop = true
    await Promise.all(readers)
  }
  t.ok(refused.length > 0, `${refused.length} reads were refused, and none of ${looks} looks`)
})
