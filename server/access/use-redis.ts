import { Redis } from 'ioredis'
import type { Logger } from '../engine/engine.ts'
import type { DayUse } from './allowance.ts'
import type { UseRow, UseStore } from './use.ts'

const OVERLAP_MS = 10_000
/** Counts that are read at a time. */
const PAGE = 1000
const DAY_SECONDS = 86_400
/** How long the counts of a day are kept. */
const KEPT_SECONDS = { ip: 2 * DAY_SECONDS, key: 62 * DAY_SECONDS }

/**
 * Counts in Redis, for several instances. `<prefix>:use:<day>:<client>` is a hash of what each run gave the client;
 * `<prefix>:changed:<day>` orders `<client> <run>` by when it was last written.
 */
export class RedisUse implements UseStore {
  readonly #redis: Redis
  readonly #prefix: string
  #day = ''
  #seen = 0

  constructor(url: string, prefix: string, log: Logger) {
    this.#prefix = prefix
    this.#redis = new Redis(url, {
      lazyConnect: true,
      // what cannot be written now is written by the next sync, with all that came since
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 5_000,
      retryStrategy: (attempt) => Math.min(2_000, attempt * 100),
    })
    let down = false
    this.#redis.on('error', (error: Error) => {
      if (!down) log.error({ error: error.message }, 'the Redis at REDIS_URL does not answer')
      down = true
    })
    this.#redis.on('ready', () => {
      if (down) log.info({}, 'the Redis at REDIS_URL answers again')
      down = false
    })
  }

  /** Tries to connect, and goes on trying in the background. */
  async open(): Promise<void> {
    await this.#redis.connect().catch(() => {})
  }

  async write(day: string, instance: string, rows: readonly UseRow[]): Promise<void> {
    const [seconds, microseconds] = await this.#redis.time()
    const at = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
    const changed = this.#changedKey(day)
    const pipeline = this.#redis.pipeline()
    for (const { client, requests, datasets } of rows) {
      const key = this.#useKey(day, client)
      pipeline.hset(key, instance, JSON.stringify({ requests, datasets }))
      pipeline.expire(key, client.startsWith('ip:') ? KEPT_SECONDS.ip : KEPT_SECONDS.key)
      pipeline.zadd(changed, at, `${client} ${instance}`)
    }
    pipeline.expire(changed, KEPT_SECONDS.ip)
    await results(pipeline.exec())
  }

  async *changes(day: string, instance: string) {
    if (day !== this.#day) [this.#day, this.#seen] = [day, 0]
    const found = await this.#redis.zrangebyscore(
      this.#changedKey(day),
      Math.max(0, this.#seen - OVERLAP_MS),
      '+inf',
      'WITHSCORES',
    )
    const pairs: { client: string; instance: string }[] = []
    let seen = this.#seen
    for (let i = 0; i < found.length; i += 2) {
      const [client, run] = found[i]!.split(' ') as [string, string]
      if (run !== instance) pairs.push({ client, instance: run })
      seen = Math.max(seen, Number(found[i + 1]))
    }
    for (let at = 0; at < pairs.length; at += PAGE) {
      const page = pairs.slice(at, at + PAGE)
      const pipeline = this.#redis.pipeline()
      for (const pair of page) pipeline.hget(this.#useKey(day, pair.client), pair.instance)
      const texts = (await results(pipeline.exec())) as (string | null)[]
      yield page.map((pair, i) => ({
        ...pair,
        requests: texts[i] ? (JSON.parse(texts[i]) as UseRow).requests : 0,
      }))
    }
    this.#seen = seen
  }

  async history(client: string, days: number): Promise<DayUse[]> {
    const dates = Array.from({ length: days }, (_, i) =>
      new Date(Date.now() - i * DAY_SECONDS * 1000).toISOString().slice(0, 10),
    )
    const pipeline = this.#redis.pipeline()
    for (const date of dates) pipeline.hvals(this.#useKey(date, client))
    const runs = (await results(pipeline.exec())) as string[][]
    return dates
      .map((date, i) =>
        summed(
          date,
          runs[i]!.map((text) => JSON.parse(text) as UseRow),
        ),
      )
      .filter(({ requests }) => requests > 0)
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
  }

  #useKey = (day: string, client: string): string => `${this.#prefix}:use:${day}:${client}`
  #changedKey = (day: string): string => `${this.#prefix}:changed:${day}`
}

function summed(date: string, runs: readonly UseRow[]): DayUse {
  const datasets: Record<string, number> = {}
  for (const run of runs) {
    for (const [dataset, requests] of Object.entries(run.datasets)) {
      if (requests > 0) datasets[dataset] = (datasets[dataset] ?? 0) + requests
    }
  }
  return { date, requests: runs.reduce((sum, { requests }) => sum + requests, 0), datasets }
}

async function results(executed: Promise<[Error | null, unknown][] | null>): Promise<unknown[]> {
  const all = (await executed) ?? []
  return all.map(([error, result]) => {
    if (error) throw error
    return result
  })
}
