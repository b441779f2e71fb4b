import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { splitStatements } from './statements.ts'

/** The project's SQL. */
export const SQL_FOLDER = join(import.meta.dirname, '..', '..', 'sql')

/** A numbered file of `sql/schema/<set>/`: applied once, in order, and never changed afterwards. */
export interface Migration {
  name: string
  sha256: string
  sql: string
}

/** A migration that a database has is not what the project has. */
export class MigrationError extends Error {
  override name = 'MigrationError'
  readonly code = 'MIGRATION'
}

/** `control`: publications and what else is no part of a data version. `history`: a version database. */
export type MigrationSet = 'control' | 'history'

/** The migrations of a set, in order. @throws MigrationError for a file name without number, or a number twice. */
export async function readMigrations(set: MigrationSet, folder = SQL_FOLDER): Promise<Migration[]> {
  const path = join(folder, 'schema', set)
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).sort()
  const seen = new Map<string, string>()
  for (const name of names) {
    const number = /^(\d{3})_\w+\.sql$/.exec(name)?.[1]
    if (!number) throw new MigrationError(`${join(path, name)}: expected a name like 001_what_it_makes.sql`)
    const twin = seen.get(number)
    if (twin) throw new MigrationError(`${path}: ${twin} and ${name} have the same number`)
    seen.set(number, name)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(path, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies the migrations that the client's database lacks. ClickHouse has no transactions over tables: a migration
 * is recorded after its last statement, so its statements must bear being run again (`IF NOT EXISTS`) in the
 * control database. A version database that was left half migrated is dropped and never seen.
 * @returns the names that were applied
 * @throws MigrationError naming a recorded migration that was changed or is missing, before anything is applied
 */
export async function migrate(client: ClickHouseClient, migrations: Migration[]): Promise<string[]> {
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS schema_migrations
            (name String, sha256 FixedString(64), applied_at DateTime64(3, 'UTC'))
            ENGINE = MergeTree ORDER BY name`,
  })
  const result = await client.query({
    query: 'SELECT name, any(sha256) AS sha256 FROM schema_migrations GROUP BY name ORDER BY name',
    format: 'JSONEachRow',
  })
  const recorded = new Map<string, string>()
  for (const { name, sha256 } of await result.json<{ name: string; sha256: string }>())
    recorded.set(name, sha256)
  assertMigrationsUnchanged(recorded, migrations)

  const pending = migrations.filter(({ name }) => !recorded.has(name))
  for (const { name, sha256, sql } of pending) {
    for (const statement of splitStatements(sql)) await run(client, statement, name)
    await client.insert({
      table: 'schema_migrations',
      values: [{ name, sha256, applied_at: Date.now() }],
      format: 'JSONEachRow',
    })
  }
  return pending.map(({ name }) => name)
}

function assertMigrationsUnchanged(recorded: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, sha256] of recorded) {
    const migration = known.get(name)
    if (!migration) {
      throw new MigrationError(
        `Migration ${name} was applied to this database but the project has no such file: is the project older than ` +
          'the data? Run the version that made it, or a newer one.',
      )
    }
    if (migration.sha256 !== sha256) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied (sha256 ${migration.sha256.slice(0, 12)}…, applied ` +
          `${sha256.slice(0, 12)}…). Restore it, and put the change into a new migration.`,
      )
    }
  }
}

async function run(client: ClickHouseClient, query: string, name: string): Promise<void> {
  try {
    await client.command({ query })
  } catch (cause) {
    throw new MigrationError(`Migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}
