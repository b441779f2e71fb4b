/** Clients are counted in the process that leads, so that what several processes give is exact in sum. */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LruMap } from 'toad-cache'
import type { Access, CountingAccess } from '../access/access.ts'
import type { Allowance, DayUse, Drawn } from '../access/allowance.ts'
import { BurstStore, MOST_CLIENTS } from '../access/burst-store.ts'
import { dayOf } from '../access/use.ts'
import type { Link } from './link.ts'

interface Draw {
  readonly drawn: Drawn | null
  readonly used: number
}

interface Burst {
  readonly current: number
  readonly ttl: number
}

/** What the process that leads does for the others. */
export function countingDuties({ use }: CountingAccess) {
  const bursts = new BurstStore()
  return {
    draw(client: string, dataset: string, most: number): Draw {
      const counter = use.draw(client, dataset, most)
      // the counter itself stays here
      const drawn = counter && { client, day: { date: counter.day.date } }
      return { drawn, used: use.used(client) }
    },
    giveBack: (drawn: Drawn, dataset: string): void => use.giveBack(drawn, dataset),
    async history(client: string, days: number): Promise<{ days: DayUse[]; used: number }> {
      return { days: await use.history(client, days), used: use.used(client) }
    },
    burst: (client: string, windowMs: number): Promise<Burst> =>
      new Promise((resolve, reject) =>
        bursts.incr(client, (error, result) => (error ? reject(error) : resolve(result!)), windowMs),
      ),
  }
}

/** The same as the others ask for it. */
export function countsOverLink(link: Link): Pick<Access, 'use' | 'bursts'> {
  return { use: new RemoteUse(link), bursts: burstsOver(link) }
}

class RemoteUse implements Allowance {
  readonly #link: Link
  #known = new LruMap<number>(MOST_CLIENTS)
  #date = ''

  constructor(link: Link) {
    this.#link = link
  }

  async draw(client: string, dataset: string, most: number): Promise<Drawn | null> {
    const { drawn, used } = await this.#link.call<Draw>('draw', client, dataset, most)
    this.#learn(client, used)
    return drawn
  }

  giveBack(drawn: Drawn, dataset: string): void {
    this.#learn(drawn.client, Math.max(0, this.used(drawn.client) - 1))
    void this.#link.call('giveBack', drawn, dataset).catch(() => {})
  }

  /** As of the client's last answer here. */
  used(client: string): number {
    this.#turnPage()
    return this.#known.get(client) ?? 0
  }

  secondsLeft(): number {
    return Math.ceil((dayOf(Date.now()).ends - Date.now()) / 1000)
  }

  resetsAt(): string {
    return new Date(dayOf(Date.now()).ends).toISOString()
  }

  async history(client: string, days: number): Promise<DayUse[]> {
    const answer = await this.#link.call<{ days: DayUse[]; used: number }>('history', client, days)
    this.#learn(client, answer.used)
    return answer.days
  }

  async close(): Promise<void> {}

  #learn(client: string, used: number): void {
    this.#turnPage()
    this.#known.set(client, used)
  }

  #turnPage(): void {
    const { date } = dayOf(Date.now())
    if (date === this.#date) return
    this.#date = date
    this.#known = new LruMap<number>(MOST_CLIENTS)
  }
}

function burstsOver(link: Link): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(client: string, callback: (error: Error | null, result?: Burst) => void, windowMs = 1000): void {
      link.call<Burst>('burst', client, windowMs).then((result) => callback(null, result), callback)
    }

    child(): this {
      return this
    }
  }
}
