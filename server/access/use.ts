/** How much each client had today: counted in memory, kept and shared through a store behind it. */
import { randomBytes } from 'node:crypto'
import type { Logger } from '../engine/engine.ts'

/** What one run of a server gave a client on a day. */
export interface UseRow {
  readonly client: string
  readonly requests: number
  /** By dataset; of keys only. */
  readonly datasets: Readonly<Record<string, number>>
}

export interface DayUse {
  /** UTC, ISO 8601. */
  readonly date: string
  readonly requests: number
  readonly datasets: Readonly<Record<string, number>>
}

/** Where counts are kept. Writing the same twice must change nothing: a write that failed is tried again. */
export interface UseStore {
  write(day: string, instance: string, rows: readonly UseRow[]): Promise<void>
  /** Totals of other runs that were written since the last call, and a while before. */
  changes(day: string, instance: string): Promise<{ client: string; instance: string; requests: number }[]>
  /** The last days of a client, the newest first; days without use are left out. */
  history(client: string, days: number): Promise<DayUse[]>
  close(): Promise<void>
}

/** A client's count of a day. */
export interface Counter {
  readonly client: string
  /** By this run. */
  requests: number
  /** By all others. */
  others: number
  readonly datasets: Map<string, number>
  readonly day: Day
}

interface Day {
  readonly date: string
  /** Milliseconds. */
  readonly ends: number
  readonly counters: Map<string, Counter>
  readonly unwritten: Set<Counter>
  /** By client and run. */
  readonly others: Map<string, Map<string, number>>
}

const DAY_MS = 86_400_000

export interface UseOptions {
  readonly store: UseStore
  readonly log: Logger
  readonly intervalMs: number
  /** Milliseconds since 1970; tests give their own. */
  readonly now?: () => number
}

export class Use {
  readonly #store: UseStore
  readonly #log: Logger
  readonly #now: () => number
  readonly #instance = randomBytes(8).toString('hex')
  readonly #timer: NodeJS.Timeout
  #today: Day
  /** Until what was given back after midnight is written. */
  #yesterday: Day | null = null
  #asked = true
  #syncing: Promise<void> = Promise.resolve()
  #failing = false

  constructor({ store, log, intervalMs, now = Date.now }: UseOptions) {
    this.#store = store
    this.#log = log
    this.#now = now
    this.#today = dayOf(now())
    this.#timer = setInterval(() => void this.sync(), intervalMs).unref()
  }

  /** Counts one answer; `giveBack` when it turns out to be none. */
  take(client: string, dataset: string): Counter {
    const day = this.#day()
    this.#asked = true
    const counter = counterOf(day, client)
    counter.requests++
    if (client.startsWith('key:')) counter.datasets.set(dataset, (counter.datasets.get(dataset) ?? 0) + 1)
    day.unwritten.add(counter)
    return counter
  }

  giveBack(counter: Counter, dataset: string): void {
    counter.requests--
    const of = counter.datasets.get(dataset)
    if (of !== undefined) counter.datasets.set(dataset, of - 1)
    counter.day.unwritten.add(counter)
  }

  /** Answers of today, by every run. */
  used(client: string): number {
    const counter = this.#day().counters.get(client)
    return counter ? counter.requests + counter.others : 0
  }

  /** Seconds until counts begin anew. */
  secondsLeft(): number {
    return Math.ceil((this.#day().ends - this.#now()) / 1000)
  }

  /** ISO 8601 */
  resetsAt(): string {
    return new Date(this.#day().ends).toISOString()
  }

  async history(client: string, days: number): Promise<DayUse[]> {
    await this.sync()
    return this.#store.history(client, days)
  }

  /** Writes what is new here and reads what is new elsewhere. What fails is written the next time. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#sync())
    return this.#syncing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.sync()
    await this.#store.close()
  }

  async #sync(): Promise<void> {
    const today = this.#day()
    try {
      for (const day of this.#yesterday ? [this.#yesterday, today] : [today]) await this.#write(day)
      // where nobody asks, nobody waits for others' counts
      if (this.#asked) {
        this.#asked = false
        const changes = await this.#store.changes(today.date, this.#instance)
        for (const { client, instance, requests } of changes) addOther(today, client, instance, requests)
      }
      this.#failing = false
    } catch (error) {
      this.#asked = true
      if (!this.#failing) {
        this.#log.error(
          { error },
          'the allowances cannot be kept: counted in this process alone until they can',
        )
      }
      this.#failing = true
    }
  }

  async #write(day: Day): Promise<void> {
    if (day.unwritten.size === 0) return
    const counters = [...day.unwritten]
    day.unwritten.clear()
    try {
      const rows = counters.map(({ client, requests, datasets }) => ({
        client,
        requests,
        datasets: Object.fromEntries(datasets),
      }))
      await this.#store.write(day.date, this.#instance, rows)
    } catch (error) {
      for (const counter of counters) day.unwritten.add(counter)
      throw error
    }
  }

  #day(): Day {
    const now = this.#now()
    if (now >= this.#today.ends) {
      this.#yesterday = this.#today
      this.#today = dayOf(now)
    }
    return this.#today
  }
}

function dayOf(now: number): Day {
  const begins = Math.floor(now / DAY_MS) * DAY_MS
  return {
    date: new Date(begins).toISOString().slice(0, 10),
    ends: begins + DAY_MS,
    counters: new Map(),
    unwritten: new Set(),
    others: new Map(),
  }
}

function counterOf(day: Day, client: string): Counter {
  let counter = day.counters.get(client)
  if (!counter) {
    counter = { client, requests: 0, others: 0, datasets: new Map(), day }
    day.counters.set(client, counter)
  }
  return counter
}

function addOther(day: Day, client: string, instance: string, requests: number): void {
  let runs = day.others.get(client)
  if (!runs) {
    runs = new Map()
    day.others.set(client, runs)
  }
  const counter = counterOf(day, client)
  counter.others += requests - (runs.get(instance) ?? 0)
  runs.set(instance, requests)
}
