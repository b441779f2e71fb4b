/** How much of its allowance each client has used today: counted in memory, persisted and shared through a store. */
import { randomBytes } from 'node:crypto'
import type { Logger } from '../engine/engine.ts'
import type { Allowance, DayUse, Drawn } from './allowance.ts'

/** What one run of a server gave a client on a day. */
export interface UseRow {
  readonly client: string
  readonly requests: number
  /** By dataset; of keys only. */
  readonly datasets: Readonly<Record<string, number>>
}

/** What another run wrote. */
export interface RunTotal {
  readonly client: string
  readonly instance: string
  readonly requests: number
}

/** Where counts are stored. Writes must be idempotent: a failed one is retried. */
export interface UseStore {
  write(day: string, instance: string, rows: readonly UseRow[]): Promise<void>
  /** Totals of other runs that were written since the last call, and a while before; some at a time. */
  changes(day: string, instance: string): AsyncIterable<readonly RunTotal[]>
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
  /** By dataset; of keys. */
  datasets: Map<string, number> | undefined
  /** What each of the others wrote. */
  runs: Map<string, number> | undefined
  readonly day: Day
}

interface Day {
  readonly date: string
  /** Milliseconds. */
  readonly ends: number
  readonly counters: Map<string, Counter>
  /** Of them, those of addresses. */
  addresses: number
  readonly unwritten: Set<Counter>
}

const DAY_MS = 86_400_000
/** Addresses that are counted at once. */
const MOST_ADDRESSES = 50_000

export interface UseOptions {
  readonly store: UseStore
  readonly log: Logger
  readonly intervalMs: number
  readonly mostAddresses?: number
  /** Milliseconds since 1970; tests give their own. */
  readonly now?: () => number
}

export class Use implements Allowance {
  readonly #store: UseStore
  readonly #log: Logger
  readonly #now: () => number
  readonly #most: number
  readonly #instance = randomBytes(8).toString('hex')
  readonly #timer: NodeJS.Timeout
  #today: Day
  /** Until what was given back after midnight is written. */
  #yesterday: Day | null = null
  #asked = true
  #syncing: Promise<void> = Promise.resolve()
  #failing = false

  constructor({ store, log, intervalMs, mostAddresses = MOST_ADDRESSES, now = Date.now }: UseOptions) {
    this.#store = store
    this.#log = log
    this.#now = now
    this.#most = mostAddresses
    this.#today = dayOf(now())
    this.#timer = setInterval(() => void this.sync(), intervalMs).unref()
  }

  /** Counts one answer; `giveBack` undoes it when none was sent. */
  take(client: string, dataset: string): Counter {
    const day = this.#day()
    this.#asked = true
    const counter = this.#counterOf(day, client)
    counter.requests++
    if (!isAddress(client)) {
      counter.datasets ??= new Map()
      counter.datasets.set(dataset, (counter.datasets.get(dataset) ?? 0) + 1)
    }
    day.unwritten.add(counter)
    return counter
  }

  draw(client: string, dataset: string, most: number): Counter | null {
    return most > 0 && this.used(client) >= most ? null : this.take(client, dataset)
  }

  giveBack({ client, day: { date } }: Drawn, dataset: string): void {
    const day = [this.#today, this.#yesterday].find((one) => one?.date === date)
    // one that was forgotten since takes nothing back
    const counter = day?.counters.get(client)
    if (!counter || counter.requests === 0) return
    counter.requests--
    const of = counter.datasets?.get(dataset)
    if (of !== undefined) counter.datasets!.set(dataset, of - 1)
    counter.day.unwritten.add(counter)
  }

  /** Answers today, of all instances. */
  used(client: string): number {
    const counter = this.#day().counters.get(client)
    return counter ? totalOf(counter) : 0
  }

  /** Seconds until the counts are reset. */
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

  /** Writes this instance's new counts and reads those of others. What fails is written the next time. */
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
        for await (const totals of this.#store.changes(today.date, this.#instance)) {
          for (const total of totals) addRun(this.#counterOf(today, total.client), total)
        }
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
        datasets: Object.fromEntries(datasets ?? []),
      }))
      await this.#store.write(day.date, this.#instance, rows)
    } catch (error) {
      // what was forgotten since is not kept for its sake
      for (const counter of counters) {
        if (day.counters.get(counter.client) === counter) day.unwritten.add(counter)
      }
      throw error
    }
  }

  #counterOf(day: Day, client: string): Counter {
    let counter = day.counters.get(client)
    if (!counter) {
      if (isAddress(client) && ++day.addresses > this.#most) forget(day, this.#most / 2)
      counter = { client, requests: 0, others: 0, datasets: undefined, runs: undefined, day }
      day.counters.set(client, counter)
    }
    return counter
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

/** The day of a moment, without counts. */
export function dayOf(now: number): Day {
  const begins = Math.floor(now / DAY_MS) * DAY_MS
  return {
    date: new Date(begins).toISOString().slice(0, 10),
    ends: begins + DAY_MS,
    counters: new Map(),
    addresses: 0,
    unwritten: new Set(),
  }
}

const isAddress = (client: string): boolean => client.startsWith('ip:')
const totalOf = ({ requests, others }: Counter): number => requests + others

/**
 * Forgets addresses until so many are left: first those of one answer, then of two, of four and so on, the longest
 * known first. So no number of addresses that come once drives out one that is near its allowance.
 */
function forget(day: Day, most: number): void {
  for (let least = 1; day.addresses > most; least *= 2) {
    for (const [client, counter] of day.counters) {
      if (day.addresses <= most) return
      if (totalOf(counter) > least || !isAddress(client)) continue
      day.counters.delete(client)
      day.addresses--
    }
  }
}

/** A run's total takes the place of what it wrote before. */
function addRun(counter: Counter, { instance, requests }: RunTotal): void {
  counter.runs ??= new Map()
  counter.others += requests - (counter.runs.get(instance) ?? 0)
  counter.runs.set(instance, requests)
}
