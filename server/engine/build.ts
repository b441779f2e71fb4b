import { randomBytes } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Shards } from '../../sql/derive/shards.ts'
import { hashOf } from '../../sql/hash.ts'
import { quarterOf } from '../../sql/quarter.ts'
import { declaredTablesHash, prepareDeclaredTables } from '../../sql/sources/tables.ts'
import { Changes } from '../../sql/steps/changes.ts'
import { BuildLockLost, takeBuildLock } from './build-lock.ts'
import { prepareControl } from './control.ts'
import { assertVersionIntact, HOLDS, markPublished } from './damage.ts'
import type { Engine, Logger } from './engine.ts'
import { EngineError } from './errors.ts'
import { migrate, readMigrations, SQL_FOLDER } from './migrate.ts'
import { placesOf } from './places.ts'
import { currentPublication, type Publication, publications } from './publications.ts'
import { dropUnserved } from './retire.ts'
import { applyViews, readViews } from './views.ts'

/** A version database being built, which nobody reads yet. */
export interface Build {
  database: string
  client: ClickHouseClient
  /** What it was cloned from; null where it started empty. */
  base: Publication | null
  /** What differs from the base. */
  changes: Changes
  /** Where the rows of institutions are divided between servers. */
  shards?: Shards
  /** Applies the views, runs the hooks, and makes this the version that readers see. */
  publish(): Promise<Publication>
  /** Drops it; what is served stays as it is. */
  discard(): Promise<void>
  /** False once another build took over. */
  held(): Promise<boolean>
}

export interface BuildOptions {
  /** Demo data. It never mixes with real data: a build of the other kind than what is served starts empty. */
  synthetic: boolean
  /** Start empty in any case. */
  empty?: boolean
  /** What is being built, for others that wait: `load ffiec-call-report`. */
  what?: string
  /** Written last, after the views: catalogs and what else follows the code. In order. */
  hooks?: readonly ((build: Build) => Promise<unknown>)[]
  /** Identifies all code that shapes a version beside migrations and views, such as a hash of the metric catalog. */
  codeHashExtra?: string
  /** How long to wait for another build; default BUILD_WAIT_SECONDS. */
  waitSeconds?: number
  /** Another build that does not yield need not wait for this one: it ends it and drops what it made so far. */
  yields?: boolean
  /** The folder of schema/ and views/; tests give their own. */
  sqlFolder?: string
}

/** sha256 over the migrations, the declared tables, the views and what else shapes a version: when it differs, the version must be built again. */
export async function codeHash(extra = '', sqlFolder = SQL_FOLDER): Promise<string> {
  const [migrations, views] = await Promise.all([readMigrations('history', sqlFolder), readViews(sqlFolder)])
  const parts = [
    ...migrations.map(({ name, sha256 }) => `${name} ${sha256}`),
    ...views.map(({ file, sql }) => `${file} ${sql}`),
    declaredTablesHash,
    extra,
  ]
  return hashOf(parts)
}

/**
 * Begins a new version: takes the lock of builds, drops what killed builds left, and clones what is served with all
 * its partitions, which costs neither time nor disk. Pending migrations are applied to the clone.
 * End it with `publish()` or `discard()`.
 * @throws BuildLocked, MigrationError; DataDamaged where publications were lost, or what would be cloned is damaged
 */
export async function beginBuild(engine: Engine, options: BuildOptions, log: Logger): Promise<Build> {
  await prepareControl(engine, options.sqlFolder)
  const control = engine.loader()
  const places = placesOf(engine)
  const { what = 'a build', waitSeconds = engine.config.buildWaitSeconds, yields = false } = options
  let lock = await takeBuildLock(control, { what, waitSeconds, yields }, log)
  try {
    await dropUnserved(engine, log)
    const current = await currentPublication(engine)
    const base = current && !options.empty && current.synthetic === options.synthetic ? current : null
    if (base) await assertVersionIntact(engine, base)
    const database = versionDatabaseName(engine)
    const place = await places.create(database, base?.database ?? null)
    const { client, shards } = place
    const changes = await Changes.since(client, database, base?.database ?? null)
    await migrate(client, await readMigrations('history', options.sqlFolder))
    await prepareDeclaredTables(client)

    let over = false
    const end = () => {
      if (over) throw new EngineError(`the build of ${database} was published or discarded already`)
      over = true
    }
    const build: Build = {
      database,
      client,
      base,
      changes,
      ...(shards && { shards }),
      async publish() {
        end()
        try {
          if (yields) lock = await lock.keep()
          await applyViews(client, await readViews(options.sqlFolder))
          changes.written()
          for (const hook of options.hooks ?? []) await hook(build)
          await changes.write()
          const hash = await codeHash(options.codeHashExtra, options.sqlFolder)
          await place.complete()
          await makeDurable(engine, log)
          await insertPublication(engine, build, options.synthetic, hash, lock.heldCondition)
        } catch (error) {
          await places.drop(database, true).catch(() => {})
          throw error
        } finally {
          await lock.release()
        }
        const published = (await publications(engine, 100)).find((one) => one.database === database)
        if (!published) {
          await places.drop(database, true)
          throw new BuildLockLost('Another build took over while this one was silent: nothing was published.')
        }
        // published it is in any case: the next start marks what this one could not
        await markPublished(engine, database).catch((error: unknown) => log.warn({ error }, 'not marked'))
        log.info({ dataVersion: published.dataVersion, database }, 'published')
        return published
      },
      async discard() {
        end()
        try {
          await places.drop(database, true)
        } finally {
          await lock.release()
        }
      },
      async held() {
        const result = await control.query({
          query: `SELECT ${lock.heldCondition} AS held`,
          format: 'JSONEachRow',
        })
        const [row] = await result.json<{ held: number }>()
        return row!.held === 1
      },
    }
    return build
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Waits until everything that ClickHouse wrote is on its disk, so that no publication can outlast its figures in a
 * power cut. Once for all files: to fsync each part as it is written costs fifteen times as many calls.
 */
export async function makeDurable(engine: Engine, log: Logger): Promise<void> {
  try {
    await engine.loader().command({ query: 'SYSTEM SYNC FILE CACHE' })
  } catch (error) {
    if ((error as { type?: string }).type !== 'ACCESS_DENIED') throw error
    log.warn(
      {},
      'the loader may not SYSTEM SYNC FILE CACHE: a power cut may tear what is published now. See sql/roles.sql',
    )
  }
}

/** A name that no version has; to be taken with the lock held. */
export function versionDatabaseName(engine: Engine): string {
  return `${engine.config.clickhouseDatabase}_v_${Date.now().toString(36)}`
}

/** One statement checks that the lock is still held and inserts the row: a taken-over build publishes nothing. */
async function insertPublication(
  engine: Engine,
  build: Build,
  synthetic: boolean,
  hash: string,
  held: string,
): Promise<void> {
  const asOf = await latestQuarter(build)
  const version = `${asOf ? `${asOf.slice(0, 4)}Q${quarterOf(asOf)}` : 'empty'}-${randomBytes(4).toString('hex')}`
  await engine.loader().command({
    query: `INSERT INTO publications (data_version, database, published_at, as_of, synthetic, code_hash, holds)
            SELECT {version:String}, {database:String}, greatest(now64(3), p.latest + toIntervalMillisecond(1)),
                   {asOf:Nullable(Date)}, {synthetic:Bool}, {hash:String}, ${HOLDS}
            FROM (SELECT max(published_at) AS latest FROM publications) AS p
            WHERE ${held}`,
    query_params: { version, database: build.database, asOf, synthetic, hash },
  })
}

/** From `quarters`, which `derive` makes, or else from the filings themselves. */
async function latestQuarter(build: Build): Promise<string | null> {
  const result = await build.client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ('quarters', 'filers')
            AND total_rows > 0 ORDER BY name DESC LIMIT 1`,
    format: 'JSONEachRow',
  })
  const [table] = await result.json<{ name: string }>()
  if (!table) return null
  const latest = await build.client.query({
    query: `SELECT max(report_date) AS latest FROM ${table.name}`,
    format: 'JSONEachRow',
  })
  return (await latest.json<{ latest: string }>())[0]!.latest
}
