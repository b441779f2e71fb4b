import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { quoted } from '../../sql/quoted.ts'
import type { Logger } from './engine.ts'
import { type Holder, isAlive, thisHolder } from './holder.ts'

const BEAT_MS = 2_000
/** Without a heartbeat for this long the holder is presumed dead where its process cannot be checked. */
const STALE_SECONDS = 30

/** Work that only one process does at a time. */
export type LockKind = 'build' | 'refresh'

/** Another process is building (or refreshing), and did not end in the time that this one would wait. */
export class BuildLocked extends Error {
  override name = 'BuildLocked'
  readonly code = 'BUILD_LOCKED'
}

/** This process lost the lock: another builder took over, because it was silent for too long or yields. */
export class BuildLockLost extends Error {
  override name = 'BuildLockLost'
  readonly code = 'BUILD_LOCK_LOST'
}

/**
 * The one lock of builds, and the one of refreshes, kept in ClickHouse because they may run on several machines. A lock
 * is a row of tables `build_lock_<n>` in the control database: to take it is to create the next one, which ClickHouse lets exactly one
 * do; the highest number holds it. The table's comment tells who, and its rows are beats (`released` in the last).
 */
export class BuildLock {
  readonly number: number
  readonly #client: ClickHouseClient
  readonly #beats: NodeJS.Timeout
  readonly #what: string
  readonly #name: string
  readonly #kind: LockKind

  constructor(client: ClickHouseClient, kind: LockKind, number: number, what: string, name: string) {
    this.#client = client
    this.#kind = kind
    this.number = number
    this.#what = what
    this.#name = name
    this.#beats = setInterval(() => void beat(client, kind, number, false).catch(() => {}), BEAT_MS).unref()
  }

  /** SQL condition that holds while nobody took the lock over. */
  get heldCondition(): string {
    return `(SELECT max(toUInt32OrZero(extract(name, '^${this.#kind}_lock_([0-9]+)$'))) FROM system.tables
             WHERE database = currentDatabase()) = ${this.number}`
  }

  /**
   * The next lock in place of this one, from which nobody takes it over: a lock that yields could be lost between the
   * look at `heldCondition` and what rests on it.
   * @throws BuildLockLost
   */
  async keep(): Promise<BuildLock> {
    clearInterval(this.#beats)
    const next = await create(this.#client, this.#kind, this.number + 1, this.#what, false)
    if (!next) throw new BuildLockLost('Another build took over: nothing was published.')
    return next
  }

  async release(): Promise<void> {
    clearInterval(this.#beats)
    // a lock that was taken over is gone already; on a full disk nothing can be written
    await beat(this.#client, this.#kind, this.number, true).catch(() => givenUp.add(this.#name))
  }
}

/** Locks that this process gave up and could not say so, by their comments: it lives, but does not build. */
const givenUp = new Set<string>()

/**
 * Takes the lock, from a dead holder too, and from one that yields.
 * @param client of the control database
 * @param what words for others that wait
 * @param yields whether others need not wait: theirs is the lock as soon as they want it
 * @throws BuildLocked naming the holder, after `waitSeconds`
 */
export async function takeBuildLock(
  client: ClickHouseClient,
  options: {
    what: string
    waitSeconds: number
    kind?: LockKind
    yields?: boolean
    signal?: AbortSignal | undefined
  },
  log: Logger,
): Promise<BuildLock> {
  const { what, kind = 'build', yields = false, signal } = options
  const deadline = Date.now() + options.waitSeconds * 1000
  let told = 0
  for (;;) {
    const top = await topLock(client, kind)
    const yielded = top?.holder.yields === true && !yields
    const free = top === null || top.released || yielded || isDead(top)
    if (free) {
      if (top && !top.released && yielded) log.info({ holder: top.holder }, `a ${kind} that yields is ended`)
      else if (top && !top.released)
        log.warn({ holder: top.holder }, `the last ${kind} was killed: taking its lock over`)
      const lock = await create(client, kind, (top?.number ?? 0) + 1, what, yields)
      if (lock) return lock
      continue
    }
    if (Date.now() >= deadline) {
      const { holder } = top
      throw new BuildLocked(
        `Another ${kind} is running: ${holder.what}, process ${holder.pid} on ${holder.host}. Try again when it has ` +
          `ended${options.waitSeconds > 0 ? ` (waited ${options.waitSeconds} s, BUILD_WAIT_SECONDS)` : ''}.`,
      )
    }
    if (told++ === 0) log.info({ holder: top.holder }, `waiting for another ${kind} to end`)
    await sleep(Math.min(500, Math.max(1, deadline - Date.now())), undefined, { signal })
  }
}

interface TopLock {
  number: number
  holder: Holder
  released: boolean
  silentSeconds: number
}

async function topLock(client: ClickHouseClient, kind: LockKind): Promise<TopLock | null> {
  const tables = await client.query({
    query: `SELECT toUInt32OrZero(extract(name, '([0-9]+)$')) AS number, comment,
                   toUInt32(greatest(0, now() - metadata_modification_time)) AS age
            FROM system.tables WHERE database = currentDatabase() AND match(name, '^${kind}_lock_[0-9]+$')
            ORDER BY number DESC LIMIT 1`,
    format: 'JSONEachRow',
  })
  const [table] = await tables.json<{ number: number; comment: string; age: number }>()
  if (!table) return null
  try {
    const beats = await client.query({
      query: `SELECT max(released) AS released, count() AS beats,
                     toUInt32(greatest(0, dateDiff('second', max(at), now64(3)))) AS silent
              FROM ${kind}_lock_${table.number}`,
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
    if (isCode(error, 'UNKNOWN_TABLE')) return topLock(client, kind)
    throw error
  }
}

function isDead(lock: TopLock): boolean {
  if (givenUp.has(JSON.stringify(lock.holder))) return true
  const alive = isAlive(lock.holder)
  return alive === false || (alive === null && lock.silentSeconds > STALE_SECONDS)
}

async function create(
  client: ClickHouseClient,
  kind: LockKind,
  number: number,
  what: string,
  yields: boolean,
): Promise<BuildLock | null> {
  const name = JSON.stringify({ ...thisHolder(what, yields), id: randomUUID() })
  try {
    await client.command({
      query: `CREATE TABLE ${kind}_lock_${number} (at DateTime64(3), released Bool) ENGINE = MergeTree ORDER BY at
              COMMENT ${quoted(name)}`,
    })
  } catch (error) {
    if (isCode(error, 'TABLE_ALREADY_EXISTS')) return null
    throw error
  }
  try {
    await beat(client, kind, number, false)
    await dropBelow(client, kind, number)
  } catch (error) {
    givenUp.add(name)
    throw error
  }
  return new BuildLock(client, kind, number, what, name)
}

async function dropBelow(client: ClickHouseClient, kind: LockKind, number: number): Promise<void> {
  const result = await client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^${kind}_lock_[0-9]+$')
            AND toUInt32OrZero(extract(name, '([0-9]+)$')) < ${number}`,
    format: 'JSONEachRow',
  })
  for (const { name } of await result.json<{ name: string }>()) {
    await client.command({ query: `DROP TABLE IF EXISTS ${name} SYNC` })
  }
}

async function beat(
  client: ClickHouseClient,
  kind: LockKind,
  number: number,
  released: boolean,
): Promise<void> {
  await client.command({ query: `INSERT INTO ${kind}_lock_${number} SELECT now64(3), ${released}` })
}

function isCode(error: unknown, type: string): boolean {
  return (error as { type?: string } | null)?.type === type
}
