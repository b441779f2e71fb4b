import { text } from 'node:stream/consumers'
import t from 'tap'
import { type Build, beginBuild } from '../../server/engine/build.ts'
import { ensureCurrent, watchPublications } from '../../server/engine/current.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { retireVersions } from '../../server/engine/retire.ts'
import { memoryLog, sqlFolder, testEngine } from '../helpers/engine.ts'

const log = memoryLog()

async function addFilers(build: Build, date: string, count: number) {
  await build.client.command({
    query: `INSERT INTO filers (report_date, rssd_id, legal_name)
            SELECT {date:Date}, number + 1, concat('Bank ', toString(number)) FROM numbers({count:UInt32})`,
    query_params: { date, count },
  })
}

async function filers(engine: Engine, database: string): Promise<number> {
  const [row] = await engine.rows<{ n: number }>({ sql: 'SELECT count() AS n FROM filers', database })
  return row!.n
}

async function databases(engine: Engine): Promise<string[]> {
  const result = await engine.loader().query({
    query: "SELECT name FROM system.databases WHERE name LIKE 'banking_v_%' ORDER BY name",
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

t.test('a version is cloned, changed unseen, published in one step, and the old one retired', async (t) => {
  const { engine } = await testEngine(t, { VERSION_GRACE_SECONDS: '3600' })
  const folder = await sqlFolder(t, {
    'views/banks/b_first.sql':
      '-- reads the other; of it\nCREATE OR REPLACE VIEW a_names AS SELECT legal_name FROM z_filers;',
    'views/banks/c_second.sql': 'CREATE OR REPLACE VIEW z_filers AS SELECT * FROM filers',
  })
  const options = { synthetic: false, sqlFolder: folder }
  t.equal(await currentPublication(engine), null)

  const first = await beginBuild(engine, options, log)
  t.equal(first.base, null)
  await addFilers(first, '2019-06-30', 3)
  await first.client.command({
    query:
      'CREATE TABLE bank_quarters (report_date Date, x UInt8) ENGINE = MergeTree PARTITION BY report_date ORDER BY x',
  })
  await first.client.command({ query: "INSERT INTO bank_quarters VALUES ('2019-06-30', 7)" })
  await first.client.command({ query: 'CREATE TABLE latest ENGINE = Memory AS SELECT 1 AS one' })
  t.equal(await currentPublication(engine), null, 'nobody sees it before it is published')
  const one = await first.publish()
  t.match(one, { asOf: '2019-06-30', synthetic: false, database: first.database })
  t.match(one.dataVersion, /^2019Q2-[0-9a-f]{8}$/)
  t.match(one.publishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.strictSame(await currentPublication(engine), one)

  const second = await beginBuild(engine, options, log)
  t.strictSame(second.base, one)
  await addFilers(second, '2019-09-30', 5)
  t.equal(await filers(engine, one.database), 3, 'the served version is as it was')
  const old = await engine.read({
    sql: 'SELECT sleepEachRow(0.2) AS s, legal_name FROM filers SETTINGS max_block_size = 1',
    database: one.database,
    format: 'CSV',
  })
  const two = await second.publish()
  t.match(two.dataVersion, /^2019Q3-/)
  t.equal(await filers(engine, two.database), 8)
  t.strictSame(
    await engine.rows({ sql: 'SELECT x FROM bank_quarters', database: two.database }),
    [{ x: 7 }],
    'tables that code made are cloned too',
  )
  await t.rejects(engine.rows({ sql: 'SELECT * FROM latest', database: two.database }), { name: 'BadQuery' })
  t.equal((await text(old.stream)).trim().split('\n').length, 3, 'a reader of the old version finishes')
  t.equal((await engine.rows({ sql: 'SELECT * FROM a_names', database: two.database })).length, 8)

  t.strictSame(await retireVersions(engine), [], 'within the grace period nothing is dropped')
  t.strictSame(await retireVersions(engine, 0), [one.database])
  t.strictSame(await databases(engine), [two.database])
})

t.test('a version that is retired under a reader is read to its end', async (t) => {
  const { engine } = await testEngine(t)
  const options = { synthetic: false, sqlFolder: await sqlFolder(t) }
  const first = await beginBuild(engine, options, log)
  for (const date of ['2019-03-31', '2019-06-30', '2019-09-30']) await addFilers(first, date, 200_000)
  const one = await first.publish()
  const { stream } = await engine.read({
    sql: 'SELECT report_date, rssd_id, legal_name, address FROM filers SETTINGS max_threads = 1',
    database: one.database,
    format: 'CSV',
  })
  await (await beginBuild(engine, options, log)).publish()
  t.strictSame(await retireVersions(engine, 0), [one.database])
  t.notOk((await databases(engine)).includes(one.database))
  t.equal((await text(stream)).trim().split('\n').length, 600_000)
})

t.test('demo and real data never mix', async (t) => {
  const { engine } = await testEngine(t)
  const folder = await sqlFolder(t)
  const demo = await beginBuild(engine, { synthetic: true, sqlFolder: folder }, log)
  await addFilers(demo, '2020-03-31', 4)
  await demo.publish()
  const real = await beginBuild(engine, { synthetic: false, sqlFolder: folder }, log)
  t.equal(real.base, null)
  const published = await real.publish()
  t.match(published, { synthetic: false, asOf: null })
  t.match(published.dataVersion, /^empty-[0-9a-f]{8}$/)
  t.equal(await filers(engine, published.database), 0)
})

t.test('a failed or discarded build leaves what is served', async (t) => {
  const { engine } = await testEngine(t)
  const folder = await sqlFolder(t)
  const served = await (await beginBuild(engine, { synthetic: false, sqlFolder: folder }, log)).publish()

  const discarded = await beginBuild(engine, { synthetic: false, sqlFolder: folder }, log)
  await discarded.discard()
  await t.rejects(discarded.publish(), /published or discarded already/)

  const hooks = [async () => Promise.reject(new Error('catalog is wrong'))]
  const failing = await beginBuild(engine, { synthetic: false, sqlFolder: folder, hooks }, log)
  await t.rejects(failing.publish(), /catalog is wrong/)

  t.strictSame(await currentPublication(engine), served)
  t.strictSame(await databases(engine), [served.database])
})

t.test('one build at a time: another waits, or is refused with the name of the holder', async (t) => {
  const { engine } = await testEngine(t)
  const sql = { synthetic: false, sqlFolder: await sqlFolder(t) }
  const first = await beginBuild(engine, { ...sql, what: 'load something' }, log)
  await t.rejects(beginBuild(engine, { ...sql, waitSeconds: 0 }, log), {
    code: 'BUILD_LOCKED',
    message: new RegExp(`load something, process ${process.pid} on `),
  })
  const second = beginBuild(engine, { ...sql, waitSeconds: 20 }, log)
  const one = await first.publish()
  const build = await second
  t.equal(build.base?.dataVersion, one.dataVersion, 'it starts from what the first published')
  await build.discard()
})

t.test('a build that was taken over publishes nothing', async (t) => {
  const { engine } = await testEngine(t)
  const build = await beginBuild(engine, { synthetic: false, sqlFolder: await sqlFolder(t) }, log)
  await engine.loader().command({
    query: 'CREATE TABLE build_lock_99 (at DateTime64(3), released Bool) ENGINE = MergeTree ORDER BY at',
  })
  await t.rejects(build.publish(), { code: 'BUILD_LOCK_LOST' })
  t.equal(await currentPublication(engine), null)
  t.strictSame(await databases(engine), [])
})

t.test('a build that yields is ended by one that does not, until it publishes', async (t) => {
  const { engine } = await testEngine(t)
  const sql = { synthetic: false, sqlFolder: await sqlFolder(t), waitSeconds: 0 }
  const yielding = await beginBuild(engine, { ...sql, yields: true, what: 'a demo' }, log)
  t.equal(await yielding.held(), true)
  await t.rejects(beginBuild(engine, { ...sql, yields: true }, log), {
    code: 'BUILD_LOCKED',
    message: /a demo/,
  })
  // the drop of what was built does not wait for its last statement
  const statement = yielding.client
    .command({
      query:
        'CREATE TABLE late ENGINE = MergeTree ORDER BY s AS SELECT sleepEachRow(1) AS s FROM numbers(600)',
      clickhouse_settings: {
        max_block_size: '1',
        min_insert_block_size_rows: '1',
        function_sleep_max_microseconds_per_block: '0',
      },
    })
    .then(
      () => 'done',
      () => 'ended',
    )
  const build = await beginBuild(engine, sql, log)
  t.equal(await statement, 'ended')
  t.equal(await yielding.held(), false)
  t.strictSame(await databases(engine), [build.database])
  await t.rejects(yielding.publish(), { code: 'BUILD_LOCK_LOST' })
  const served = await build.publish()
  t.strictSame(await currentPublication(engine), served)

  const refused = { code: 'BUILD_LOCKED', message: /a demo/ }
  const hooks = [async () => void (await t.rejects(beginBuild(engine, sql, log), refused))]
  const last = await beginBuild(engine, { ...sql, yields: true, what: 'a demo', hooks }, log)
  t.strictSame(await last.publish(), await currentPublication(engine))
  await (await beginBuild(engine, sql, log)).discard()
})

t.test('a start publishes an empty version, and builds again when the code is another', async (t) => {
  const { engine } = await testEngine(t)
  const folder = await sqlFolder(t)
  const seen: string[] = []
  const stop = watchPublications(engine, (publication) => void seen.push(publication.dataVersion), {
    intervalMs: 50,
  })
  t.teardown(stop)
  const calls: string[] = []
  const options = (codeHashExtra: string) => ({
    sqlFolder: folder,
    codeHashExtra,
    rebuild: async () => void calls.push(`rebuild ${codeHashExtra}`),
    hooks: [
      async (build: Build) => void calls.push(`hook ${codeHashExtra} ${build.base?.dataVersion ?? 'empty'}`),
    ],
  })
  const one = await ensureCurrent(engine, options('a'), log)
  t.strictSame(await ensureCurrent(engine, options('a'), log), one, 'the same code builds nothing')
  const two = await ensureCurrent(engine, options('b'), log)
  t.not(two.dataVersion, one.dataVersion)
  t.strictSame(calls, ['rebuild a', 'hook a empty', 'rebuild b', `hook b ${one.dataVersion}`])
  const deadline = Date.now() + 2_000
  while (!seen.includes(two.dataVersion) && Date.now() < deadline) await new Promise((r) => setTimeout(r, 20))
  t.equal(seen.at(-1), two.dataVersion, 'a watching server takes it up')
})
