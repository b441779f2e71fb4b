// A power cut leaves files empty, half, full of zeros or not there. Whatever is torn: no figure is silently gone, no
// revoked key works, nothing is dropped or built over, and what tore nothing that is served does no harm.
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { openAccess } from '../../server/access/access.ts'
import { createKey, revokeKey } from '../../server/access/key-store.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { backUp, restore } from '../../server/ops/backup.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { openWorkers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder, unhurried } from '../helpers/engine.ts'
import { startMain } from '../helpers/main-process.ts'
import { cloneFolder, copyUniverse, rebuild, replaceFile } from '../helpers/universe-folder.ts'

const log = memoryLog()
const base = await temporaryFolder(t)
await copyUniverse(base)
const keys = { inForce: '', revoked: '' }
const { database, quarters, tables } = await prepare()

/** Adds two keys and revokes one, ends the engine cleanly, and says where each table's parts lie. */
async function prepare() {
  const engine = await openEngine(readConfig({ DATA_DIR: base }), log)
  try {
    const { database } = await ensureCurrent(engine, { ...publishing, rebuild }, log)
    keys.inForce = (await createKey(engine, { plan: 'premium', name: 'kept' })).secret
    const { key, secret } = await createKey(engine, { plan: 'premium', name: 'to be revoked' })
    keys.revoked = secret
    await revokeKey(engine, key.id)
    const found = await ask<{ table: string; path: string; text: string }>(
      engine,
      `SELECT name AS table, data_paths[1] AS path, metadata_path AS text FROM system.tables
       WHERE database IN ('banking', '${database}') AND engine LIKE '%MergeTree'`,
    )
    const tables = new Map(
      found.map(({ table, path, text }) => [
        table,
        { folder: relative(base, path), text: join('clickhouse', text) },
      ]),
    )
    const quarters = await ask<{ quarter: string; rows: number }>(
      engine,
      `SELECT report_date AS quarter, toUInt32(count()) AS rows FROM ${database}.bank_quarters
       GROUP BY report_date ORDER BY report_date`,
    )
    return { database, quarters, tables }
  } finally {
    await engine.close()
  }
}

async function ask<T>(engine: Engine, query: string): Promise<T[]> {
  return (await engine.loader('default').query({ query, format: 'JSONEachRow' })).json<T>()
}

/** The folders of a table's parts in a copy of the base, of one partition or all. */
async function partsOf(folder: string, table: string, partition = ''): Promise<string[]> {
  const path = join(folder, tables.get(table)!.folder)
  const names = await readdir(path, { withFileTypes: true })
  return names
    .filter((entry) => entry.isDirectory() && entry.name !== 'detached' && entry.name.startsWith(partition))
    .map((entry) => join(path, entry.name))
}

/** Of the quarter at a place in the history. */
const partition = (place: number): string => quarters.at(place)!.quarter.replaceAll('-', '')

type Tear = (folder: string) => Promise<void>
const each =
  (table: string, partition: string, tear: Tear): Tear =>
  async (folder) => {
    const parts = await partsOf(folder, table, partition)
    if (parts.length === 0) throw new Error(`${table} has no part ${partition}`)
    for (const part of parts) await tear(part)
  }
const empty =
  (file: string): Tear =>
  (part) =>
    replaceFile(join(part, file), Buffer.alloc(0))
const half =
  (file: string): Tear =>
  async (part) => {
    const bytes = await readFile(join(part, file))
    await replaceFile(join(part, file), bytes.subarray(0, Math.floor(bytes.length / 2)))
  }
const zeros =
  (file: string): Tear =>
  async (part) =>
    replaceFile(join(part, file), Buffer.alloc((await stat(join(part, file))).size))
const allEmpty: Tear = async (part) => {
  for (const file of await readdir(part)) await empty(file)(part)
}
const noFiles: Tear = async (part) => {
  await rm(part, { recursive: true })
  await mkdir(part)
}
const gone: Tear = (part) => rm(part, { recursive: true })

/** A torn copy of the base, and what a start makes of it. */
async function torn(t: Test, tear: Tear): Promise<{ engine: Engine; folder: string }> {
  const folder = await temporaryFolder(t)
  cloneFolder(base, folder)
  await tear(folder)
  const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
  t.teardown(() => engine.close())
  return { engine, folder }
}
const start = (engine: Engine) => ensureCurrent(engine, { ...publishing, rebuild }, log)
const build = (engine: Engine) => beginBuild(engine, { synthetic: true, waitSeconds: 0 }, log)
const versions = async (engine: Engine) =>
  (
    await ask<{ name: string }>(engine, "SELECT name FROM system.databases WHERE name LIKE 'banking_v_%'")
  ).map(({ name }) => name)

t.test('quarters of served tables, each torn in another way', async (t) => {
  const bank: readonly Tear[] = [
    empty('data.bin'),
    half('data.bin'),
    empty('data.cmrk4'),
    empty('checksums.txt'),
    zeros('checksums.txt'),
    empty('count.txt'),
    empty('columns.txt'),
    half('primary.cidx'),
    allEmpty,
  ]
  const industry: readonly Tear[] = [noFiles, gone]
  const { engine, folder } = await torn(t, async (folder) => {
    for (const [i, tear] of bank.entries()) await each('bank_quarters', partition(i), tear)(folder)
    for (const [i, tear] of industry.entries()) await each('industry_quarters', partition(i), tear)(folder)
  })
  const first = `bank_quarters has 0 of ${quarters[0]!.rows} rows of ${quarters[0]!.quarter}`
  const others = bank.length + industry.length - 3
  const refused = {
    code: 'DATA_DAMAGED',
    message: new RegExp(`is damaged: ${first}, .*, and ${others} more such\\. Restore a backup`),
  }
  await t.rejects(start(engine), refused)
  await t.rejects(build(engine), refused, 'nothing is built from it')
  await engine.close()
  const again = await openEngine(readConfig({ DATA_DIR: folder }), log)
  t.teardown(() => again.close())
  await t.rejects(start(again), refused, 'it is known at the next start too, when the parts were put aside')
})

t.test('whole tables', async (t) => {
  const { engine } = await torn(t, async (folder) => {
    await gone(join(folder, tables.get('observations')!.folder))
    await rm(join(folder, tables.get('banks')!.text))
  })
  await t.rejects(start(engine), { message: /the table banks is gone, observations has 0 of \d+ rows/ })
})

t.test(
  'a definition that ClickHouse cannot read stops its start, with a message that names the way out',
  async (t) => {
    await t.rejects(
      torn(t, (folder) => replaceFile(join(folder, tables.get('banks')!.text), Buffer.alloc(0))),
      { code: 'DATA_DAMAGED', message: /is damaged: ClickHouse cannot load its files.*restore a backup/s },
    )
  },
)

t.test('bytes that are others at the same length are found when they are read', async (t) => {
  const { engine } = await torn(t, async (folder) => {
    await each('bank_rows', '', zeros('data.bin'))(folder)
    await each('bank_quarters', '', zeros('primary.cidx'))(folder)
  })
  await start(engine)
  for (const sql of [
    'SELECT metrics FROM bank_rows WHERE rssd_id = (SELECT max(rssd_id) FROM banks)',
    `SELECT legal_name FROM bank_quarters WHERE report_date = '${quarters[0]!.quarter}' AND rssd_id > 7`,
  ])
    await t.rejects(engine.rows({ sql, database }), { code: 'DATA_DAMAGED' }, sql)
})

t.test('the publications', async (t) => {
  const kinds: Record<string, Tear> = {
    'every file empty': each('publications', '', allEmpty),
    'the last one gone': async (folder) => gone((await partsOf(folder, 'publications')).sort().at(-1)!),
    'no table folder': (folder) => gone(join(folder, tables.get('publications')!.folder)),
    'no control database': (folder) => rm(join(folder, 'clickhouse', 'metadata', 'banking.sql')),
  }
  for (const [kind, tear] of Object.entries(kinds)) {
    await t.test(kind, async (t) => {
      const { engine } = await torn(t, tear)
      const refused = {
        code: 'DATA_DAMAGED',
        message: /The control database is damaged: .*restore a backup/s,
      }
      await t.rejects(start(engine), refused)
      await t.rejects(build(engine), refused)
      t.ok((await versions(engine)).includes(database), 'what was served is not dropped')
    })
  }
})

t.test('the keys: a revoked key never works again, and public data is served', async (t) => {
  const { engine, folder } = await torn(t, async (folder) => {
    // the revocation is the last change
    await allEmpty((await partsOf(folder, 'api_key_changes')).sort().at(-1)!)
  })
  const lines = memoryLog()
  const config = readConfig({ DATA_DIR: folder, ...unhurried })
  const access = await openAccess(config, engine, lines)
  const workers = openWorkers({ maxThreads: 1 })
  t.teardown(() => Promise.all([access.close(), workers.close()]))
  const published = await readPublished(engine, await start(engine))
  const app = await buildApp(config, { engine, workers, access, published: () => published })
  t.teardown(() => app.close())
  t.equal((await app.inject('/api/v1/industry/')).statusCode, 200)
  for (const [name, key] of Object.entries(keys)) {
    const headers = { authorization: `Bearer ${key}` }
    const { statusCode } = await app.inject({ url: '/api/v1/industry/', headers })
    t.equal(statusCode, 503, name)
  }
  t.match(lines.lines, [
    { level: 'error', message: 'the API keys are damaged: requests with a key are refused' },
  ])
  await t.rejects(createKey(engine, { plan: 'free', name: 'another' }), /The control database is damaged/)
})

t.test('without a tear the revoked key is refused and the other works', async (t) => {
  const { engine, folder } = await torn(t, async () => {})
  const access = await openAccess(readConfig({ DATA_DIR: folder }), engine, log)
  t.teardown(() => access.close())
  t.equal(access.keys.find(keys.revoked), 'unknown')
  t.match(access.keys.find(keys.inForce), { plan: 'premium' })
  t.match(await start(engine), { database })
})

t.test('what is not served may be torn', async (t) => {
  await t.test('a build and the lock of builds', async (t) => {
    const folder = await temporaryFolder(t)
    cloneFolder(base, folder)
    const before = await openEngine(readConfig({ DATA_DIR: folder }), log)
    const half = await build(before)
    await half.client.command({
      query: 'CREATE TABLE half_done ENGINE = MergeTree ORDER BY a AS SELECT 1 AS a',
    })
    const found = await ask<{ path: string }>(
      before,
      `SELECT path FROM system.parts WHERE active AND (database = '${half.database}' AND table = 'half_done'
         OR database = 'banking' AND table LIKE 'build_lock_%')`,
    )
    await before.close()
    t.ok(found.length >= 2)
    for (const { path } of found) await allEmpty(path)
    const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
    t.teardown(() => engine.close())
    t.match(await start(engine), { database }, 'it is served')
    t.ok((await versions(engine)).includes(half.database))
    // the holder of the lock is this process, which lives
    await t.rejects(build(engine), { code: 'BUILD_LOCKED' })
  })

  await t.test('a merge whose sources are there yet', async (t) => {
    const folder = await temporaryFolder(t)
    cloneFolder(base, folder)
    const before = await openEngine(readConfig({ DATA_DIR: folder }), log)
    const two = await beginBuild(before, { synthetic: true, ...publishing }, log)
    await two.client.command({ query: 'CREATE TABLE merged (a UInt32) ENGINE = MergeTree ORDER BY a' })
    for (const from of [0, 10])
      await two.client.command({ query: `INSERT INTO merged SELECT number FROM numbers(${from}, 10)` })
    const published = await two.publish()
    await two.client.command({ query: 'OPTIMIZE TABLE merged FINAL' })
    const [{ path }] = (await ask<{ path: string }>(
      before,
      `SELECT path FROM system.parts WHERE active AND database = '${two.database}' AND table = 'merged'`,
    )) as [{ path: string }]
    await before.close()
    await allEmpty(path)
    const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
    t.teardown(() => engine.close())
    t.match(await start(engine), { dataVersion: published.dataVersion })
    const [{ n }] = (await ask(engine, `SELECT toUInt32(sum(a)) AS n FROM ${two.database}.merged`)) as [
      { n: number },
    ]
    t.equal(n, 190, 'every row is there')
  })
})

t.test('npm start on a torn folder: 503 that says so, and what is restored is taken up', async (t) => {
  const folder = await temporaryFolder(t)
  cloneFolder(base, folder)
  const before = await openEngine(readConfig({ DATA_DIR: folder }), log)
  await backUp(before, 'whole', log)
  await before.close()
  await each('bank_quarters', partition(-1), allEmpty)(folder)
  const main = startMain(t, { DATA_DIR: folder, VERSION_POLL_MS: '100' })
  const [, address] = await main.until(/"address":"(http:[^"]+)"[^\n]*"listening"/)
  await main.until(/is damaged: bank_quarters has 0 of/)
  for (const path of ['/health/ready', '/api/v1/industry/']) {
    const response = await fetch(`${address}${path}`)
    t.equal(response.status, 503, path)
    t.match(await response.json(), {
      code: 'engine-unavailable',
      detail: /damaged: its operator must restore it/,
    })
    t.ok(response.headers.get('retry-after'))
  }
  t.equal((await fetch(`${address}/health/live`)).status, 200)
  const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
  t.teardown(() => engine.close())
  const { publication } = await restore(engine, 'whole', { replace: true }, log)
  await main.until(new RegExp(`"dataVersion":"${publication.dataVersion}".*serving`))
  for (const path of ['/health/ready', '/api/v1/industry/']) {
    t.equal((await fetch(`${address}${path}`)).status, 200, path)
  }
  main.child.kill('SIGTERM')
  await main.exited()
})

t.test('npm start on torn publications: 503, and no demo over what was served', async (t) => {
  const folder = await temporaryFolder(t)
  cloneFolder(base, folder)
  await each('publications', '', allEmpty)(folder)
  const main = startMain(t, { DATA_DIR: folder })
  const [, address] = await main.until(/"address":"(http:[^"]+)"[^\n]*"listening"/)
  await main.until(/The control database is damaged/)
  t.equal((await fetch(`${address}/health/ready`)).status, 503)
  t.notMatch(main.written(), /demo universe/)
  main.child.kill('SIGTERM')
  t.equal(await main.exited(), 0)
})

t.test('what is published is on the disk first, and an acknowledged key too', async (t) => {
  const { engine } = await torn(t, async () => {})
  const said: string[] = []
  const spied = { ...engine, config: engine.config, loader: (name?: string) => watched(engine, name) }
  function watched(engine: Engine, name?: string) {
    const client = engine.loader(name)
    return new Proxy(client, {
      get(target, property) {
        const value = Reflect.get(target, property)
        if (property !== 'command') return typeof value === 'function' ? value.bind(target) : value
        return (given: { query: string }) => {
          said.push(given.query.trim().split('\n')[0]!)
          return target.command(given)
        }
      },
    })
  }
  const synced = async () =>
    (
      await ask<{ n: number }>(
        engine,
        "SELECT toUInt32(sum(value)) AS n FROM system.events WHERE event = 'FileSync'",
      )
    )[0]!.n
  await (await beginBuild(spied as Engine, { synthetic: true, ...publishing }, log)).publish()
  const insert = said.findIndex((query) => query.startsWith('INSERT INTO publications'))
  t.equal(said[insert - 1], 'SYSTEM SYNC FILE CACHE')
  const before = await synced()
  await createKey(engine, { plan: 'free', name: 'synced' })
  t.ok((await synced()) > before, 'its part was synced')
  t.ok((await currentPublication(engine))!.dataVersion)
  for (const table of ['publications', 'api_key_changes']) {
    const [{ text }] = (await ask<{ text: string }>(
      engine,
      `SELECT engine_full AS text FROM system.tables WHERE database = 'banking' AND name = '${table}'`,
    )) as [{ text: string }]
    t.match(text, /fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1/)
  }
})

t.test('only this user reads the data', async (t) => {
  const { folder } = await torn(t, async () => {})
  for (const path of ['clickhouse', 'engine']) {
    t.equal((await stat(join(folder, path))).mode & 0o077, 0, path)
  }
  t.equal((await stat(join(folder, 'engine.json'))).mode & 0o077, 0)
  t.ok((await readFile(join(folder, 'engine.json'), 'utf8')).includes('backups'))
})
