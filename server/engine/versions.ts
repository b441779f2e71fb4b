import { createHash, randomBytes } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { BuildLockLost, takeBuildLock } from './build-lock.ts'
import { cloneTables } from './clone.ts'
import { prepareControl } from './control.ts'
import type { Engine, Logger } from './engine.ts'
import { EngineError } from './errors.ts'
import { migrate, readMigrations, SQL_FOLDER } from './migrate.ts'
import { applyViews, readViews } from './views.ts'

/** A data version that readers see, or saw. */
export interface Publication {
  /** `2019Q3-7f3a91c2`: part of every ETag and cache key; `empty-7f3a91c2` while nothing is loaded. */
  dataVersion: string
  database: string
  /** ISO 8601, UTC. */
  publishedAt: string
  /** The latest quarter held, as an ISO date. */
  asOf: string | null
  synthetic: boolean
  codeHash: string
}

/** A version database in the making, which nobody reads yet. */
export interface Build {
  database: string
  client: ClickHouseClient
  /** What it was cloned from; null where it started empty. */
  base: Publication | null
  /** Applies the views, runs the hooks, and makes this the version that readers see. */
  publish(): Promise<Publication>
  /** Drops it; what is served stays as it is. */
  discard(): Promise<void>
}

export interface BuildOptions {
  /** Demo data. It never mixes with real data: a build of the other kind than what is served starts empty. */
  synthetic: boolean
  /** Start empty in any case. */
  empty?: boolean
  /** Who builds, for others that wait: `load ffiec-call-report`. */
  what?: string
  /** Written last, after the views: catalogs and what else follows the code. In order. */
  hooks?: readonly ((build: Build) => Promise<void>)[]
  /** Stands for all code that shapes a version beside migrations and views, such as a hash of the metric catalog. */
  codeHashExtra?: string
  /** How long to wait for another build; default BUILD_WAIT_SECONDS. */
  waitSeconds?: number
  /** The folder of schema/ and views/; tests give their own. */
  sqlFolder?: string
}

/** A network that swallows everything must not hold a server up for hours: it looks again. */
const LONGEST_LOOK_MS = 30_000

/** The version that readers see now; null before the first publish. */
export async function currentPublication(engine: Engine): Promise<Publication | null> {
  return (await publications(engine, 1))[0] ?? null
}

/** The newest publications first. A database without control tables has none. */
export async function publications(engine: Engine, limit = 1_000_000): Promise<Publication[]> {
  try {
    const result = await engine.loader().query({
      query: `SELECT data_version AS dataVersion, database,
                     formatDateTime(published_at, '%Y-%m-%dT%H:%i:%S', 'UTC') || '.' ||
                       leftPad(toString(toUnixTimestamp64Milli(published_at) % 1000), 3, '0') || 'Z' AS publishedAt,
                     as_of AS asOf, synthetic, code_hash AS codeHash
              FROM publications ORDER BY published_at DESC LIMIT {limit:UInt32}`,
      query_params: { limit },
      format: 'JSONEachRow',
      abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
    })
    return await result.json<Publication>()
  } catch (error) {
    const { type } = error as { type?: string }
    if (type === 'UNKNOWN_DATABASE' || type === 'UNKNOWN_TABLE') return []
    throw error
  }
}

/** sha256 over the migrations, the views and what else shapes a version: another one means to build again. */
export async function codeHash(extra = '', sqlFolder = SQL_FOLDER): Promise<string> {
  const [migrations, views] = await Promise.all([readMigrations('history', sqlFolder), readViews(sqlFolder)])
  const parts = [
    ...migrations.map(({ name, sha256 }) => `${name} ${sha256}`),
    ...views.map(({ file, sql }) => `${file} ${sql}`),
    extra,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/**
 * Begins a new version: takes the lock of builds, drops what killed builds left, and clones what is served with all
 * its partitions, which costs neither time nor disk. Pending migrations are applied to the clone.
 * End it with `publish()` or `discard()`.
 * @throws BuildLocked, MigrationError
 */
export async function beginBuild(engine: Engine, options: BuildOptions, log: Logger): Promise<Build> {
  await prepareControl(engine, options.sqlFolder)
  const control = engine.loader()
  const lock = await takeBuildLock(
    control,
    { what: options.what ?? 'a build', waitSeconds: options.waitSeconds ?? engine.config.buildWaitSeconds },
    log,
  )
  try {
    await dropUnserved(engine, log)
    const current = await currentPublication(engine)
    const base = current && !options.empty && current.synthetic === options.synthetic ? current : null
    const database = await createVersionDatabase(engine)
    const client = engine.loader(database)
    if (base) await cloneTables(client, base.database, database)
    await migrate(client, await readMigrations('history', options.sqlFolder))

    let over = false
    const end = () => {
      if (over) throw new EngineError(`the build of ${database} was published or discarded already`)
      over = true
    }
    const build: Build = {
      database,
      client,
      base,
      async publish() {
        end()
        try {
          await applyViews(client, await readViews(options.sqlFolder))
          for (const hook of options.hooks ?? []) await hook(build)
          const hash = await codeHash(options.codeHashExtra, options.sqlFolder)
          await insertPublication(engine, build, options.synthetic, hash, lock.heldCondition)
        } catch (error) {
          await drop(control, database).catch(() => {})
          throw error
        } finally {
          await lock.release()
        }
        const published = (await publications(engine, 100)).find((one) => one.database === database)
        if (!published) {
          await drop(control, database)
          throw new BuildLockLost('Another build took over while this one was silent: nothing was published.')
        }
        log.info({ dataVersion: published.dataVersion, database }, 'published')
        return published
      },
      async discard() {
        end()
        await drop(control, database)
        await lock.release()
      },
    }
    return build
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Drops the databases of versions that were replaced longer ago than the grace period. Safe at any time, from any
 * process. @returns the databases that were dropped
 */
export async function retireVersions(engine: Engine, graceSeconds = engine.config.versionGraceSeconds) {
  const control = engine.loader()
  const all = await publications(engine)
  const existing = new Set(await versionDatabases(engine))
  const dropped: string[] = []
  for (const [index, publication] of all.entries()) {
    const successor = all[index - 1]
    if (!successor || publication.database === all[0]!.database || !existing.has(publication.database))
      continue
    if (Date.now() - Date.parse(successor.publishedAt) < graceSeconds * 1000) continue
    // not SYNC: that would wait for the queries that still read it, which go on
    await control.command({
      query: `DROP DATABASE IF EXISTS ${publication.database}`,
      abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
    })
    dropped.push(publication.database)
  }
  return dropped
}

/** With the lock held nobody builds, so a version database that was never published is what a killed build left. */
async function dropUnserved(engine: Engine, log: Logger): Promise<void> {
  await retireVersions(engine)
  const published = new Set((await publications(engine)).map(({ database }) => database))
  for (const database of await versionDatabases(engine)) {
    if (published.has(database)) continue
    log.info({ database }, 'dropping what a killed build left')
    await drop(engine.loader(), database)
  }
}

async function versionDatabases(engine: Engine): Promise<string[]> {
  const result = await engine.loader().query({
    query: `SELECT name FROM system.databases WHERE match(name, concat('^', currentDatabase(), '_v_[0-9a-z]+$'))`,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

async function createVersionDatabase(engine: Engine): Promise<string> {
  const database = `${engine.config.clickhouseDatabase}_v_${Date.now().toString(36)}`
  await engine.loader().command({ query: `CREATE DATABASE ${database}` })
  return database
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
  const version = `${asOf ? quarterName(asOf) : 'empty'}-${randomBytes(4).toString('hex')}`
  await engine.loader().command({
    query: `INSERT INTO publications (data_version, database, published_at, as_of, synthetic, code_hash)
            SELECT {version:String}, {database:String}, greatest(now64(3), p.latest + toIntervalMillisecond(1)),
                   {asOf:Nullable(Date)}, {synthetic:Bool}, {hash:String}
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

/** `2019-09-30` → `2019Q3` */
function quarterName(date: string): string {
  return `${date.slice(0, 4)}Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`
}

async function drop(control: ClickHouseClient, database: string): Promise<void> {
  await control.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` })
}
