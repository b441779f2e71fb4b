import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { SQL_FOLDER } from '../../server/engine/migrate.ts'
import { loaderProfile, readerProfile } from '../../server/engine/profiles.ts'
import { splitStatements, withoutComments } from '../../server/engine/statements.ts'
import { testEngine } from '../helpers/engine.ts'

t.test('sql/roles.sql is valid, and gives an external server the limits of the embedded one', async (t) => {
  const { engine } = await testEngine(t)
  const statements = splitStatements(await readFile(join(SQL_FOLDER, 'roles.sql'), 'utf8'))
  for (const query of statements) {
    // the embedded engine refuses CREATE USER, but parses it
    await t.resolves(
      engine
        .loader('default')
        .query({
          query: `EXPLAIN AST ${withoutComments(query)}`,
          query_params: { reader_sha256: 'a'.repeat(64), loader_sha256: 'b'.repeat(64) },
          format: 'TabSeparated',
        })
        .then((r) => r.text()),
    )
  }
  const stated = (name: string) =>
    withoutComments(statements.find((one) => one.includes(`PROFILE IF NOT EXISTS ${name}`))!)
      .split(/ SETTINGS\s+/)[2]!
      .split(',')
      .map((line) => line.trim().replaceAll("'", ''))

  const reader = readerProfile(readConfig({ QUERY_THREADS: '8', CLICKHOUSE_URL: 'http://ch:8123' }))
  const embedded = Object.entries(reader.settings).map(([name, value]) => {
    const rule = reader.constraints[name]
    const suffix = rule === undefined ? '' : rule === 'fixed' ? ' CONST' : ` MIN ${rule.min} MAX ${rule.max}`
    return `${name} = ${value}${suffix}`
  })
  t.strictSame(stated('banking_reader').toSorted(), embedded.toSorted())
  const loader = Object.entries(loaderProfile().settings).map(([name, value]) => `${name} = ${value}`)
  t.strictSame(
    stated('banking_loader').toSorted(),
    loader.filter((one) => !one.startsWith('max_sessions')).toSorted(),
  )
})
