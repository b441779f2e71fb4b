// A publish makes what follows from what changed and nothing else, and is the same as one that makes everything.
import type { ClickHouseClient } from '@clickhouse/client'
import t from 'tap'
import { type Build, beginBuild } from '../../server/engine/build.ts'
import { applyViews, readViews } from '../../server/engine/views.ts'
import { publishing } from '../../server/publishing.ts'
import { Changes, STEPS_MADE } from '../../sql/steps/changes.ts'
import { answerOf, makeSteps, type Step } from '../../sql/steps/steps.ts'
import { derive, universes } from '../../sql/universes/index.ts'
import { memoryLog, testEngine } from '../helpers/engine.ts'
import { universe } from '../helpers/universe.ts'

const rows = async <T>(client: ClickHouseClient, query: string) =>
  (await client.query({ query, format: 'JSONEachRow' })).json<T>()

/** The tables that statements of a client make or fill. */
function writing(client: ClickHouseClient): Set<string> {
  const told = new Set<string>()
  const command = client.command.bind(client)
  client.command = (options) => {
    const name = /^\s*(?:INSERT INTO|CREATE OR REPLACE TABLE|ALTER TABLE)\s+(\w+)/.exec(options.query)?.[1]
    if (name) told.add(name)
    return command(options)
  }
  return told
}

/** Hashes of the rows of each table, in no order. */
async function contents(client: ClickHouseClient): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    client,
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != '${STEPS_MADE}' ORDER BY name`,
  )
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, toString((count(), sum(sipHash64(tuple(*))))) AS hash FROM ${name}`,
  )
  const found = await rows<{ name: string; hash: string }>(client, each.join(' UNION ALL '))
  return Object.fromEntries(
    found.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, hash }) => [name, hash]),
  )
}

t.test('a publish of the whole project', async (t) => {
  const { engine } = await universe()
  const begin = () => beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  const hooks = async (build: Build) => {
    for (const hook of publishing.hooks!) await hook(build)
  }
  const directories = universes.flatMap(({ tables }) => [tables.directory, tables.filed])
  const always = [...directories, 'alert_moments', 'alerts', 'dataset_catalog', 'source_catalog', STEPS_MADE]

  await t.test('of nothing makes nothing', async (t) => {
    const build = await begin()
    const written = writing(build.client)
    await derive(build, [])
    await build.publish()
    t.strictSame([...written].filter((name) => !always.includes(name)).sort(), [])
  })

  const changes: { what: string; sql: string[]; derived?: boolean; makes: string[]; leaves: string[] }[] = [
    {
      what: 'rates, which no step reads, and failed banks',
      sql: [
        'ALTER TABLE observations DELETE WHERE series = (SELECT min(series) FROM observations)',
        'ALTER TABLE failed_banks DELETE WHERE cert = (SELECT max(cert) FROM failed_banks)',
        "ALTER TABLE failed_banks UPDATE city = 'Elsewhere' WHERE cert = (SELECT min(cert) FROM failed_banks)",
      ],
      makes: ['links', 'alerts'],
      leaves: ['entity_names', 'institution_names', 'insider_lines'],
    },
    {
      what: 'names of NIC, which links and events rest on',
      sql: [
        "ALTER TABLE nic_institutions UPDATE legal_name = concat(legal_name, ' NEW') WHERE rssd_id % 3 = 0",
      ],
      makes: ['entity_names', 'links', 'institution_names', 'structural_events'],
      leaves: ['insider_lines'],
    },
    {
      what: 'forms of insiders and positions of institutions',
      sql: [
        'ALTER TABLE sec_insider_lines DELETE WHERE accession_number = (SELECT max(accession_number) FROM sec_insider_lines)',
        'ALTER TABLE sec_13f_positions DELETE WHERE accession_number = (SELECT max(accession_number) FROM sec_13f_positions)',
      ],
      makes: ['insider_lines', 'insider_feed', 'institutional_holdings'],
      leaves: ['entity_names', 'structural_events'],
    },
    {
      what: 'registrants, a correction, and actions against banks, which figures rest on',
      sql: [
        'ALTER TABLE sec_registrants DELETE WHERE cik = (SELECT max(cik) FROM bank_registrants)',
        "INSERT INTO link_corrections (relation, own, entity, entity_id, why) SELECT relation, own, entity, NULL, 'a test' FROM links WHERE relation = 'fdic_history' LIMIT 1",
        'ALTER TABLE enforcement_actions DELETE WHERE cityHash64(id) % 2 = 0',
      ],
      derived: true,
      makes: ['bank_orders', 'links', 'bank_registrants', 'insider_feed', 'alerts'],
      leaves: ['insider_lines'],
    },
  ]
  for (const { what, sql, derived = false, makes, leaves } of changes) {
    await t.test(`of ${what} is the same as one that makes everything`, async (t) => {
      const build = await begin()
      try {
        for (const query of sql)
          await build.client.command({ query, clickhouse_settings: { mutations_sync: '1' } })
        const written = writing(build.client)
        if (derived) await derive(build, [])
        // what a publish makes before its hooks
        await applyViews(build.client, await readViews())
        build.changes.written()
        await hooks(build)
        for (const table of makes) t.ok(written.has(table), `${table} is made`)
        for (const table of leaves) t.notOk(written.has(table), `${table} is left`)
        const quick = await contents(build.client)

        const whole = { ...build, changes: await Changes.since(build.client, build.database, null) }
        // since when what is known is carried over: as it was before these hooks
        await build.client.command({ query: 'DROP TABLE alert_moments SYNC' })
        await build.client.command({
          query: `CREATE TABLE alert_moments CLONE AS ${build.base!.database}.alert_moments`,
        })
        if (derived) await derive(whole, [])
        await hooks(whole)
        t.strictSame(quick, await contents(build.client))
      } finally {
        await build.discard()
      }
    })
  }
})

t.test('steps', async (t) => {
  const { engine } = await testEngine(t)
  const client = engine.loader('default')
  const run = async (...queries: string[]) => {
    for (const query of queries) await client.command({ query })
  }
  await run('CREATE DATABASE one', 'CREATE DATABASE two', 'CREATE DATABASE three')
  const order = 'ENGINE = MergeTree ORDER BY tuple()'
  const one = engine.loader('one')
  const in1 = (query: string) => one.command({ query })
  await in1(`CREATE TABLE source (x UInt32) ${order}`)
  await in1(`CREATE TABLE behind (x UInt32) ${order}`)
  // each has the other's name in it: as a name of a column it is none that is read
  await in1('CREATE VIEW seen AS SELECT x, 1 AS other FROM behind')
  await in1('CREATE VIEW other AS SELECT x, 1 AS seen FROM behind')
  await in1('INSERT INTO source VALUES (1), (2)')
  await in1('INSERT INTO behind VALUES (5)')
  const doubled: Step = {
    name: 'doubled',
    makes: { doubled: `(x UInt32) ${order}` },
    fill: ['INSERT INTO doubled SELECT 2 * x FROM source UNION ALL SELECT x FROM seen'],
  }
  const summed: Step = {
    name: 'summed',
    makes: { summed: `(x UInt64) ${order}` },
    fill: ['INSERT INTO summed SELECT sum(x) FROM doubled'],
  }
  const first = { client: one, changes: await Changes.since(one, 'one', null) }
  t.ok(await makeSteps(first, [doubled, summed]))
  t.strictSame(await answerOf(first, 'rows', 'SELECT toUInt32(count()) AS rows FROM doubled'), [{ rows: 3 }])
  await first.changes.write()

  /** A clone of the first version in which something is done, and the tables that its steps wrote. */
  const cloned = async (database: string, change: string[], steps = [doubled, summed]) => {
    await run(`DROP DATABASE ${database} SYNC`, `CREATE DATABASE ${database}`)
    const client = engine.loader(database)
    for (const name of ['source', 'behind', 'doubled', 'summed', STEPS_MADE])
      await client.command({ query: `CREATE TABLE ${name} CLONE AS one.${name}` })
    const changes = await Changes.since(client, database, 'one')
    for (const [view, also] of [
      ['seen', 'other'],
      ['other', 'seen'],
    ])
      await client.command({ query: `CREATE VIEW ${view} AS SELECT x, 1 AS ${also} FROM behind` })
    for (const query of change) await client.command({ query, clickhouse_settings: { mutations_sync: '1' } })
    const written = writing(client)
    await makeSteps({ client, changes }, steps)
    const found = await rows<{ x: number }>(client, 'SELECT toUInt32(x) AS x FROM summed')
    return { written: [...written].sort(), sum: found[0]!.x, client, changes }
  }
  const same = await cloned('two', [])
  t.match(same, { written: [], sum: 11 })
  await same.changes.write()
  const query = 'SELECT toUInt32(count()) AS rows FROM doubled'
  t.strictSame(await answerOf(same, 'rows', query), [{ rows: 3 }])
  t.match(
    await cloned('two', ['INSERT INTO source VALUES (4)']),
    { written: ['doubled', 'summed'], sum: 19 },
    'what it reads',
  )
  t.match(
    await cloned('two', ['INSERT INTO behind VALUES (4)']),
    { written: ['doubled', 'summed'], sum: 15 },
    'what a view reads that it names',
  )
  t.match(
    await cloned('two', ['CREATE OR REPLACE VIEW seen AS SELECT 2 * x AS x FROM behind']),
    { written: ['doubled', 'summed'], sum: 16 },
    'another view',
  )
  t.match(
    await cloned('two', [
      'TRUNCATE TABLE source',
      'INSERT INTO source VALUES (2)',
      'INSERT INTO source VALUES (1)',
    ]),
    { written: [], sum: 11 },
    'the same rows in other parts are no change',
  )
  t.match(
    await cloned('two', ['TRUNCATE TABLE source', 'INSERT INTO source VALUES (0), (3)']),
    { written: ['doubled'], sum: 11 },
    'what comes out the same changes nothing further',
  )
  t.match(await cloned('two', ['ALTER TABLE source ADD COLUMN y UInt8']), { written: ['doubled'] })
  t.match(await cloned('two', ['TRUNCATE TABLE doubled']), { written: ['doubled'] }, 'what it wrote is gone')
  t.match(await cloned('two', ['DROP TABLE summed']), { written: ['summed'], sum: 11 })
  const other = { ...doubled, fill: ['INSERT INTO doubled SELECT 3 * x FROM source'] }
  t.match(await cloned('two', [], [other, summed]), { written: ['doubled', 'summed'], sum: 9 }, 'other SQL')
  const again = await Changes.since(engine.loader('two'), 'three', 'two')
  t.equal(
    await again.kept('rows', [query]),
    undefined,
    'a version that was published without its steps tells nothing of them',
  )
  t.throws(() => same.changes.record('x', ['SELECT now()']), /now\(\) says something else each time/)
})
