import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import type { Engine, ReadQuery } from '../../server/engine/engine.ts'
import { testEngine } from '../helpers/engine.ts'

const database = 'banking_v_test'
let engine: Engine

t.before(async () => {
  const test = await testEngine(t as unknown as Test, {
    QUERY_SECONDS: '2',
    STREAM_SECONDS: '60',
    QUERY_MEMORY_MIB: '256',
    QUERY_READ_ROWS: '1000000000000000',
    QUERY_ROWS: '1000000000000000',
  })
  engine = test.engine
  await engine.loader('default').command({ query: `CREATE DATABASE ${database}` })
  await engine.loader('default').command({ query: 'CREATE DATABASE banking' })
  for (const name of [database, 'banking']) {
    await engine.loader(name).command({ query: 'CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a' })
  }
})

const rows = async <T>(sql: string, more: Partial<ReadQuery> = {}): Promise<T[]> => {
  const lines = (await all(sql, { format: 'JSONEachRow', ...more })).toString().trim()
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as T)
}
const all = async (sql: string, more: Partial<ReadQuery> = {}) =>
  buffer((await engine.read({ sql, database, ...more })).stream)

t.test('the engine waits for a reader that pauses as long as a stream may take', async (t) => {
  // of the profile that connections have before a user is known: no query's own setting reaches it
  const setting =
    "SELECT value FROM system.settings_profile_elements WHERE profile_name = 'default' AND setting_name = 'http_send_timeout'"
  const result = await engine.loader('default').query({ query: setting, format: 'JSONEachRow' })
  t.same(await result.json(), [{ value: '60' }])
})

t.test("an answer is ClickHouse's bytes, in the format asked for", async (t) => {
  const { stream, summary } = await engine.read({
    sql: "SELECT number AS n, 'a' AS s FROM numbers(2)",
    database,
    format: 'JSONCompactColumns',
    queryId: 'by-hand',
  })
  t.equal(await text(stream), '[\n\t[0, 1],\n\t["a", "a"]\n]\n')
  t.match(summary, { queryId: 'by-hand' })
  t.equal((await all('SELECT 1 AS a', { format: 'Parquet' })).subarray(0, 4).toString(), 'PAR1')
  const many = await all('SELECT number FROM numbers(1000000)', { format: 'CSV' })
  t.equal(many.toString().split('\n').length, 1_000_001)
})

t.test('every value comes back as it was given', async (t) => {
  const hostile = [
    "a'b",
    '\\',
    '\\N',
    'NULL',
    '',
    'tab\there',
    'line\nnext',
    '\r\n',
    'nul\0x',
    '\b\f\v',
    'é😀\u2028',
    '{s:String}',
    "'; DROP TABLE t --",
    '%27&param_s=x&database=banking',
    '--boundary--\r\n',
    "\\'",
    '[1,2]',
    '+ +',
  ]
  const sql =
    'SELECT {s:String} AS s, {n:Nullable(String)} AS n, {a:Array(String)} AS a, {p:String} AS padding'
  for (const padding of ['', 'x'.repeat(20_000)]) {
    for (const s of hostile) {
      const [row] = await rows<{ s: string; n: string; a: string[] }>(sql, {
        params: { s, n: s, a: hostile, p: padding },
      })
      t.strictSame([row!.s, row!.n, row!.a], [s, s, hostile])
    }
  }
  const [typed] = await rows(
    'SELECT {n:Nullable(Float64)} AS n, {f:Float64} AS f, {u:UInt64} AS u, {b:Bool} AS b, {d:Date} AS d, {a:Array(Nullable(Float64))} AS a',
    { params: { n: null, f: 1e-7, u: 2n ** 53n, b: true, d: '2019-09-30', a: [1.5, null, -2] } },
  )
  t.strictSame(typed, { n: null, f: 1e-7, u: 2 ** 53, b: true, d: '2019-09-30', a: [1.5, null, -2] })
  await t.rejects(rows('SELECT 1', { params: { 'a b': 1 } }), {
    name: 'TypeError',
    message: /'a b' cannot name/,
  })
  await t.rejects(rows('SELECT {o:String}', { params: { o: {} } }), { name: 'TypeError' })
})

t.test('thousands of ids in one parameter', async (t) => {
  const ids = Array.from({ length: 100_000 }, (_, index) => 4_000_000 + index)
  const [row] = await rows('SELECT length({ids:Array(UInt32)}) AS n, arraySum({ids:Array(UInt32)}) AS sum', {
    params: { ids },
  })
  t.strictSame(row, { n: ids.length, sum: ids.reduce((a, b) => a + b) })
})

t.test('the reader can read version databases, and nothing else', async (t) => {
  t.strictSame(await rows('SELECT count() AS n FROM t'), [{ n: 0 }])
  for (const sql of [
    'INSERT INTO t VALUES (1)',
    'SELECT * FROM banking.t',
    'CREATE TABLE u (a UInt8) ENGINE = Memory',
    'DROP TABLE t',
    'ALTER TABLE t DELETE WHERE 1',
    'SELECT * FROM system.parts',
    "SELECT * FROM file('/etc/hostname', LineAsString)",
    "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    "KILL QUERY WHERE query_id = 'x'",
    'CREATE USER x',
  ]) {
    await t.rejects(rows(sql), { code: 'BAD_QUERY' }, sql)
  }
  await t.rejects(
    engine.loader().query({ query: "SELECT * FROM file('/etc/hostname', LineAsString)" }),
    /READ ON FILE/,
    'nor can the loader read files of the machine',
  )
})

t.test('what the server reads for itself changes nothing either', async (t) => {
  for (const sql of ['INSERT INTO t VALUES (1)', 'DROP TABLE t', 'SET readonly = 0']) {
    await t.rejects(engine.rows({ sql, database }), { code: 'BAD_QUERY' }, sql)
  }
  t.strictSame(await engine.rows({ sql: 'SELECT count() AS n FROM t', database }), [{ n: 0 }])
})

t.test('nobody comes in as default, or without password', async (t) => {
  const { url } = (await readEngineFile(enginePaths(engine.config).address))!
  for (const user of [
    {},
    { 'x-clickhouse-user': 'reader' },
    { 'x-clickhouse-user': 'loader', 'x-clickhouse-key': 'l' },
  ]) {
    const response = await fetch(url, {
      method: 'POST',
      body: 'SELECT 1',
      headers: user as Record<string, string>,
    })
    t.notOk(response.ok, JSON.stringify(user))
    await response.body?.cancel()
  }
})

t.test("a query's own settings cannot raise the reader's limits", async (t) => {
  const raised = {
    max_memory_usage: 2 ** 40,
    max_execution_time: 1000,
    max_threads: 1000,
    timeout_overflow_mode: 'break',
    result_overflow_mode: 'break',
    max_memory_usage_for_user: 0,
    cancel_http_readonly_queries_on_client_close: 0,
    http_write_exception_in_output_format: 1,
    readonly: 0,
  }
  for (const [name, value] of Object.entries(raised)) {
    await t.rejects(rows('SELECT 1', { settings: { [name]: value } }), { code: 'BAD_QUERY' }, name)
    const inSql = typeof value === 'string' ? `'${value}'` : value
    await t.rejects(rows(`SELECT 1 SETTINGS ${name} = ${inSql}`), { code: 'BAD_QUERY' }, `${name} in SQL`)
  }
  for (const name of ['max_memory_usage', 'max_execution_time']) {
    await t.rejects(rows('SELECT 1', { settings: { [name]: 0 } }), { code: 'BAD_QUERY' }, `no limit: ${name}`)
  }
  t.strictSame(await rows('SELECT 1 AS a', { settings: { max_execution_time: 3 } }), [{ a: 1 }])
})

t.test('errors are typed, and tell no SQL', async (t) => {
  const slow = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1'
  const large = "SELECT groupArray(concat(repeat('x', 100000), toString(number))) FROM numbers(1000000)"
  const errors = await Promise.all(
    [slow, large, 'SELECT secret_column FROM t'].map((sql) =>
      all(sql).then(
        () => null,
        (error) => error as Error,
      ),
    ),
  )
  t.strictSame(
    errors.map((error) => error?.name),
    ['QueryTimeout', 'QueryTooLarge', 'BadQuery'],
  )
  t.match(errors[2], { clickhouseCode: 47 })
  for (const error of errors) t.notMatch(error!.message, /numbers|secret|DB::Exception|SELECT/)
  t.match((errors[2]!.cause as Error).message, /secret_column/, 'the log can tell')
})

t.test('a failure in mid-stream is an error of the stream, never a clean end', async (t) => {
  for (const format of ['JSONEachRow', 'CSV', 'ArrowStream', 'Parquet']) {
    const { stream } = await engine.read({
      sql: 'SELECT number, throwIf(number = 3000000) AS x FROM numbers(10000000) SETTINGS max_block_size = 65536, output_format_parquet_row_group_size = 100000',
      database,
      format,
      settings: { max_execution_time: 60 },
    })
    const chunks: Buffer[] = []
    await t.rejects(
      (async () => {
        for await (const chunk of stream) chunks.push(chunk)
      })(),
      { code: 'BAD_QUERY', clickhouseCode: 395 },
      format,
    )
    const bytes = Buffer.concat(chunks)
    t.ok(bytes.length > 0, `${format}: it had begun`)
    t.notOk(
      bytes.includes('__exception__') || bytes.includes('DB::Exception'),
      `${format}: its text is kept back`,
    )
  }
})

t.test('a stream that failed before anybody read it tells who comes later', async (t) => {
  const abort = new AbortController()
  const { stream } = await engine.read({
    sql: 'SELECT * FROM numbers(1000000000000)',
    database,
    format: 'CSV',
    signal: abort.signal,
  })
  abort.abort()
  await sleep(50)
  await t.rejects(text(stream), { name: 'AbortError' })
})

t.test('an engine that dies in mid-stream is an error of the stream too', async (t) => {
  const { engine } = await testEngine(t)
  await engine.loader('default').command({ query: `CREATE DATABASE ${database}` })
  const { stream } = await engine.read({ sql: 'SELECT * FROM numbers(1000000000)', database, format: 'CSV' })
  const { pid } = (await readEngineFile(enginePaths(engine.config).address))!
  await once(stream, 'readable')
  process.kill(pid, 'SIGKILL')
  await t.rejects(buffer(stream), { code: 'ANSWER_CUT' })
})

async function running(queryId: string): Promise<number> {
  const result = await engine.loader().query({
    query: 'SELECT count() AS n FROM system.processes WHERE query_id = {queryId:String}',
    query_params: { queryId },
    format: 'JSONEachRow',
  })
  return Number((await result.json<{ n: number }>())[0]!.n)
}

async function untilGone(queryId: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++, await sleep(10)) if ((await running(queryId)) === 0) return true
  return false
}

t.test('aborting cancels the query in ClickHouse: before the answer, and within it', async (t) => {
  const before = new AbortController()
  const waiting = all('SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1', {
    queryId: 'abort-before',
    signal: before.signal,
  })
  const refused = t.rejects(waiting, { name: 'AbortError' })
  for (let tries = 0; tries < 100 && (await running('abort-before')) === 0; tries++) await sleep(10)
  t.equal(await running('abort-before'), 1)
  before.abort()
  await refused
  t.ok(await untilGone('abort-before'))

  const within = new AbortController()
  const endless = { sql: 'SELECT * FROM numbers(1000000000000)', database, format: 'CSV' }
  const { stream } = await engine.read({ ...endless, queryId: 'abort-within', signal: within.signal })
  await t.rejects(
    (async () => {
      for await (const _ of stream) within.abort()
    })(),
    { name: 'AbortError' },
  )
  t.ok(await untilGone('abort-within'))

  const { stream: left } = await engine.read({ ...endless, queryId: 'left' })
  for await (const _ of left) break
  t.ok(await untilGone('left'), 'a reader that goes away cancels it as well')

  await t.rejects(all('SELECT 1', { signal: AbortSignal.abort() }), { name: 'AbortError' })
})

t.test('more reads at once than connections wait for each other', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => rows('SELECT {n:UInt8} AS n', { params: { n } })),
  )
  t.strictSame(
    answers,
    Array.from({ length: 100 }, (_, n) => [{ n }]),
  )
})
