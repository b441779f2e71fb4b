import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { codeHash } from '../../server/engine/build.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { type Migration, migrate, readMigrations } from '../../server/engine/migrate.ts'
import { splitStatements } from '../../server/engine/statements.ts'
import { readViews } from '../../server/engine/views.ts'
import { sqlFolder, testEngine } from '../helpers/engine.ts'

let engine: Engine
let made = 0

t.before(async () => {
  engine = (await testEngine(t as unknown as Test)).engine
})

async function emptyDatabase() {
  const name = `banking_v_m${made++}`
  await engine.loader('default').command({ query: `CREATE DATABASE ${name}` })
  return engine.loader(name)
}

t.test("the project's own migrations apply, are recorded, and apply no second time", async (t) => {
  for (const set of ['control', 'history'] as const) {
    const client = await emptyDatabase()
    const migrations = await readMigrations(set)
    t.ok(migrations.length > 0)
    t.strictSame(
      await migrate(client, migrations),
      migrations.map(({ name }) => name),
    )
    t.strictSame(await migrate(client, migrations), [])
    const result = await client.query({
      query: 'SELECT name, sha256 FROM schema_migrations ORDER BY name',
      format: 'JSONEachRow',
    })
    t.strictSame(
      await result.json(),
      migrations.map(({ name, sha256 }) => ({ name, sha256 })),
    )
  }
})

t.test('a changed or missing migration is refused by name, before anything is applied', async (t) => {
  const client = await emptyDatabase()
  const folder = await sqlFolder(t)
  await migrate(client, await readMigrations('history', folder))
  await writeFile(
    join(folder, 'schema/history/900_new.sql'),
    'CREATE TABLE new_one (a UInt8) ENGINE = MergeTree ORDER BY a',
  )

  await appendFile(join(folder, 'schema/history/002_call_report.sql'), '\n-- a late thought')
  await t.rejects(
    readMigrations('history', folder).then((all) => migrate(client, all)),
    {
      code: 'MIGRATION',
      message: /002_call_report\.sql was changed after it was applied/,
    },
  )
  await rm(join(folder, 'schema/history/002_call_report.sql'))
  await t.rejects(
    readMigrations('history', folder).then((all) => migrate(client, all)),
    {
      code: 'MIGRATION',
      message: /002_call_report\.sql was applied .* no such file/,
    },
  )
  const exists = await client.query({ query: 'EXISTS TABLE new_one', format: 'TabSeparated' })
  t.equal((await exists.text()).trim(), '0')
})

t.test('a failing migration is named and not recorded', async (t) => {
  const client = await emptyDatabase()
  const bad: Migration = { name: '001_bad.sql', sha256: 'a'.repeat(64), sql: 'SELECT 1; SELECT nonsense' }
  await t.rejects(migrate(client, [bad]), { code: 'MIGRATION', message: /001_bad\.sql failed: .*nonsense/ })
  t.strictSame(await migrate(client, [{ ...bad, sql: 'SELECT 1' }]), ['001_bad.sql'])
})

t.test('file names that have no order are refused', async (t) => {
  await t.rejects(
    readMigrations('history', await sqlFolder(t, { 'schema/history/new.sql': '' })),
    /expected a name like/,
  )
  await t.rejects(
    readMigrations('history', await sqlFolder(t, { 'schema/history/001_twin.sql': '' })),
    /001_loads\.sql and 001_twin\.sql have the same number/,
  )
})

t.test('statements end at semicolons outside of texts and comments', async (t) => {
  t.strictSame(
    splitStatements(
      "SELECT ';', 'it''s;', '\\';' -- not; here\n; /* nor; here */ SELECT `a;b`, \";\";\n-- only; words\n;",
    ),
    ["SELECT ';', 'it''s;', '\\';' -- not; here", '/* nor; here */ SELECT `a;b`, ";"'],
  )
})

t.test('views come after those that they read', async (t) => {
  const names = async (views: Record<string, string>) =>
    (await readViews(await sqlFolder(t, views))).map(({ name }) => name)
  t.strictSame(
    await names({
      'views/a/one.sql': 'CREATE OR REPLACE VIEW one AS SELECT * FROM two JOIN three USING a',
      'views/a/two.sql': 'CREATE OR REPLACE VIEW two AS SELECT * FROM three -- one',
      'views/b/three.sql': "-- FROM one\nCREATE OR REPLACE VIEW three AS SELECT 1 AS a, 'FROM one' AS one",
    }),
    ['three', 'two', 'one'],
  )
  await t.rejects(
    names({
      'views/a/one.sql': 'CREATE OR REPLACE VIEW one AS SELECT * FROM two',
      'views/a/two.sql': 'CREATE OR REPLACE VIEW two AS SELECT * FROM one',
    }),
    { code: 'VIEW', message: /one → two → one read each other/ },
  )
  await t.rejects(names({ 'views/a/drop.sql': 'DROP TABLE filers' }), {
    code: 'VIEW',
    message: /a\/drop\.sql: expected only/,
  })
  await t.rejects(
    names({
      'views/a/x.sql': 'CREATE OR REPLACE VIEW v AS SELECT 1',
      'views/b/y.sql': 'CREATE OR REPLACE VIEW v AS SELECT 2',
    }),
    { code: 'VIEW', message: /both a\/x\.sql and b\/y\.sql/ },
  )
})

t.test('the code hash follows migrations, views and what the caller adds', async (t) => {
  const plain = await sqlFolder(t)
  const view = await sqlFolder(t, { 'views/a/one.sql': 'CREATE OR REPLACE VIEW one AS SELECT 1' })
  const migration = await sqlFolder(t, { 'schema/history/900_x.sql': 'SELECT 1' })
  const hashes = await Promise.all([
    codeHash('', plain),
    codeHash('', view),
    codeHash('', migration),
    codeHash('c', plain),
  ])
  t.equal(new Set(hashes).size, 4)
  t.equal(await codeHash('', await sqlFolder(t)), hashes[0])
})
