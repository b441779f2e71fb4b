import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Logger } from './engine.ts'
import { type Holder, isAlive, thisHolder } from './holder.ts'

const BEAT_MS = 2_000
/** Without a beat for this long the holder is taken for dead where its process cannot be asked about. */
const STALE_SECONDS = 30

/** Another process is building, and did not end in the time that this one would wait. */
export class BuildLocked extends Error {
  override name = 'BuildLocked'
  readonly code = 'BUILD_LOCKED'
}

/** This process lost the lock: it was silent for so long that another builder took over. */
export class BuildLockLost extends Error {
  override name = 'BuildLockLost'
  readonly code = 'BUILD_LOCK_LOST'
}

/**
 * The one lock of builds, kept in ClickHouse because builders may run on several machines. It is a row of tables
 * `build_lock_<n>` in the control database: to take it is to create the next one, which ClickHouse lets exactly one
 * do; the highest number holds it. The table's comment tells who, and its rows are beats (`released` in the last).
 */
export class BuildLock {
  readonly number: number
  readonly #client: ClickHouseClient
  readonly #beats: NodeJS.Timeout

  readonly #name: string

  constructor(client: ClickHouseClient, number: number, name: string) {
    this.#client = client
    this.number = number
    this.#name = name
    this.#beats = setInterval(() => void beat(client, number, false).catch(() => {}), BEAT_MS).unref()
  }

  /** SQL condition that holds while nobody took the lock over. */
  get heldCondition(): string {
    return `(SELECT max(toUInt32OrZero(extract(name, '^build_lock_([0-9]+)$'))) FROM system.tables
             WHERE database = currentDatabase()) = ${this.number}`
  }

  async release(): Promise<void> {
    clearInterval(this.#beats)
    // a lock that was taken over is gone already; on a full disk nothing can be written
    await beat(this.#client, this.number, true).catch(() => givenUp.add(this.#name))
  }
}

/** Locks that this process gave up and could not say so, by their comments: it lives, but does not build. */
const givenUp = new Set<string>()

/**
 * Takes the lock, from a dead holder too.
 * @param client of the control database
 * @param what words for others that wait
 * @throws BuildLocked naming the holder, after `waitSeconds`
 */
export async function takeBuildLock(
  client: ClickHouseClient,
  options: { what: string; waitSeconds: number },
  log: Logger,
): Promise<BuildLock> {
  const deadline = Date.now() + options.waitSeconds * 1000
  let told = 0
  for (;;) {
    const top = await topLock(client)
    const free = top === null || top.released || isDead(top)
    if (free) {
      if (top && !top.released)
        log.warn({ holder: top.holder }, 'the last build was killed: taking its lock over')
      const lock = await create(client, (top?.number ?? 0) + 1, options.what)
      if (lock) return lock
      continue
    }
    if (Date.now() >= deadline) {
      const { holder } = top
      throw new BuildLocked(
        `Another build is running: ${holder.what}, process ${holder.pid} on ${holder.host}. Try again when it has ` +
          `ended${options.waitSeconds > 0 ? ` (waited ${options.waitSeconds} s, BUILD_WAIT_SECONDS)` : ''}.`,
      )
    }
    if (told++ === 0) log.info({ holder: top.holder }, 'waiting for another build to end')
    await sleep(Math.min(500, Math.max(1, deadline - Date.now())))
  }
}

interface TopLock {
  number: number
  holder: Holder
  released: boolean
  silentSeconds: number
}

async function topLock(client: ClickHouseClient): Promise<TopLock | null> {
  const tables = await client.query({
    query: `SELECT toUInt32OrZero(extract(name, '([0-9]+)$')) AS number, comment,
                   toUInt32(greatest(0, now() - metadata_modification_time)) AS age
            FROM system.tables WHERE database = currentDatabase() AND match(name, '^build_lock_[0-9]+$')
            ORDER BY number DESC LIMIT 1`,
    format: 'JSONEachRow',
  })
  const [table] = await tables.json<{ number: number; comment: string; age: number }>()
  if (!table) return null
  try {
    const beats = await client.query({
      query: `SELECT max(released) AS released, count() AS beats,
                     toUInt32(greatest(0, dateDiff('second', max(at), now64(3)))) AS silent
              FROM build_lock_${table.number}`,
      format: 'JSONEachRow',
    })
    const [last] = await beats.json<{ released: number; beats: string; silent: number }>()
    const silent = Number(last!.beats) > 0 ? last!.silent : table.age
    return {
      number: table.number,
      holder: JSON.parse(table.comment) as Holder,
      released: Number(last!.released) === 1,
      silentSeconds: silent,
    }
  } catch (error) {
    // it was replaced between the two looks
    if (isCode(error, 'UNKNOWN_TABLE')) return topLock(client)
    throw error
  }
}

function isDead(lock: TopLock): boolean {
  if (givenUp.has(JSON.stringify(lock.holder))) return true
  const alive = isAlive(lock.holder)
  return alive === false || (alive === null && lock.silentSeconds > STALE_SECONDS)
}

async function create(client: ClickHouseClient, number: number, what: string): Promise<BuildLock | null> {
  const name = JSON.stringify({ ...thisHolder(what), id: randomUUID() })
  try {
    await client.command({
      query: `CREATE TABLE build_lock_${number} (at DateTime64(3), released Bool) ENGINE = MergeTree ORDER BY at
              COMMENT ${quote(name)}`,
    })
  } catch (error) {
    if (isCode(error, 'TABLE_ALREADY_EXISTS')) return null
    throw error
  }
  try {
    await beat(client, number, false)
    await dropBelow(client, number)
  } catch (error) {
    givenUp.add(name)
    throw error
  }
  return new BuildLock(client, number, name)
}

async function dropBelow(client: ClickHouseClient, number: number): Promise<void> {
  const result = await client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^build_lock_[0-9]+$')
            AND toUInt32OrZero(extract(name, '([0-9]+)$')) < ${number}`,
    format: 'JSONEachRow',
  })
  for (const { name } of await result.json<{ name: string }>()) {
    await client.command({ query: `DROP TABLE IF EXISTS ${name} SYNC` })
  }
}

async function beat(client: ClickHouseClient, number: number, released: boolean): Promise<void> {
  await client.command({ query: `INSERT INTO build_lock_${number} SELECT now64(3), ${released}` })
}

function isCode(error: unknown, type: string): boolean {
  return (error as { type?: string } | null)?.type === type
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
