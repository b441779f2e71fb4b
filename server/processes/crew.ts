/**
 * Several processes that answer at one port, over one engine: this one leads them. It counts their clients, tells them which
 * version to answer from, and puts another in the place of one that ended.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { AggregatorRegistry } from 'prom-client'
import { type Config, ConfigError } from '../config/config.ts'
import type { Publication } from '../engine/publications.ts'
import type { Served } from '../published.ts'
import type { Answerers, Means } from '../serving.ts'
import { countingDuties } from './counts.ts'
import { Link } from './link.ts'
import { processesOf } from './share.ts'

/** A process that takes longer to read a version, or to begin holding its requests, hangs: it is ended. */
const PREPARE_MS = 60_000
const HOLD_MS = 5_000
/** One that ended so soon after its start is not followed at once. */
const SHORT_LIFE_MS = 5_000
const PAUSE_MS = 1_000
/** A scrape does not wait for a process that is busy. */
const SCRAPE_MS = 2_000

interface Member {
  readonly worker: Worker
  readonly link: Link
  readonly began: number
  /** Whether it hears what it is asked. */
  hears: boolean
}

export async function openCrew(means: Means): Promise<Answerers> {
  const crew = new Crew(means)
  const address = await crew.open()
  return {
    address,
    take: (publication) => crew.take(publication),
    refuse: ({ message }) => crew.refuse(message),
    scraped: { contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE, metrics: () => crew.metrics() },
    close: () => crew.close(),
  }
}

class Crew {
  readonly #config: Config
  readonly #log: FastifyBaseLogger
  readonly #access: Means['access']
  readonly #duties: ReturnType<typeof countingDuties>
  /** Those that listen. */
  readonly #members = new Set<Member>()
  /** All that run, whether they listen yet or not. */
  readonly #running = new Set<Member>()
  #publication: Publication | null = null
  #refusal: string | null = null
  /** Versions and newcomers come one after the other, so that no process misses a version. */
  #turn: Promise<unknown> = Promise.resolve()
  #closing = false

  constructor({ config, log, access }: Means) {
    this.#config = config
    this.#log = log
    this.#access = access
    this.#duties = countingDuties(access)
  }

  /** Starts the processes. @returns the address that they listen on */
  async open(): Promise<string> {
    // each takes its connections by itself: one handed over to a process that is about to end would hang for ever
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ serialization: 'advanced' })
    const numbers = Array.from({ length: processesOf(this.#config) }, (_, at) => at + 1)
    try {
      const [address] = await Promise.all(numbers.map((number) => this.#start(number)))
      return address!
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** All answer from this version before any client can see it and then the one before. */
  take(publication: Publication): Promise<Served> {
    return this.#inTurn(async () => {
      const members = [...this.#members]
      const told = await this.#all(members, PREPARE_MS, (link) => link.call<Served>('prepare', publication))
      const served = told.find((one) => one !== undefined)
      if (!served) throw new Error('no process answers')
      await this.#all(members, HOLD_MS, (link) => link.call('hold'))
      await this.#all(members, HOLD_MS, (link) => link.call('release', true))
      this.#publication = publication
      return served
    })
  }

  refuse(message: string): void {
    this.#refusal = message
    for (const { link } of this.#members) void link.call('refuse', message).catch(() => {})
  }

  /** Of all processes together: counts are added, and of states that all see alike there is one. */
  async metrics(): Promise<string> {
    const asked = [...this.#members].map(({ link }) =>
      Promise.race([link.call<object[]>('metrics'), sleep(SCRAPE_MS, undefined, { ref: false })]).catch(
        () => undefined,
      ),
    )
    const known = (await Promise.all(asked)).filter((one) => one !== undefined)
    return AggregatorRegistry.aggregate(known).metrics()
  }

  async close(): Promise<void> {
    this.#closing = true
    const ended = [...this.#running].map(
      ({ worker }) => new Promise((resolve) => (worker.isDead() ? resolve(0) : worker.once('exit', resolve))),
    )
    for (const { link, worker, hears } of this.#running) {
      const kill = () => worker.process.kill('SIGKILL')
      if (hears) link.call('end').catch(kill)
      else kill()
    }
    await Promise.all(ended)
    await this.#access.close()
  }

  /** Starts one, and another whenever it ends. @returns its address, once it listens */
  async #start(number: number): Promise<string> {
    const worker = cluster.fork({ PROCESS_NUMBER: String(number) })
    let ready = (): void => {}
    const isReady = new Promise<void>((resolve) => {
      ready = resolve
    })
    const hears = (): void => {
      member.hears = true
      ready()
    }
    const link = new Link(worker, { ...this.#duties, ready: hears })
    const member: Member = { worker, link, began: Date.now(), hears: false }
    this.#running.add(member)
    const ended = new Promise<never>((_, reject) =>
      worker.once('exit', (code, signal) => {
        this.#members.delete(member)
        this.#running.delete(member)
        const error = new Error(`process ${worker.process.pid} ended with ${signal ?? code}`)
        member.link.close(error)
        reject(error)
      }),
    )
    const address = await Promise.race([ended, this.#join(member, isReady)])
    ended.catch((error: Error) => void this.#replace(number, member, error))
    return address
  }

  /** It answers from the version that all answer from, or tells that there is none, from its first request on. */
  async #join(member: Member, isReady: Promise<void>): Promise<string> {
    await isReady
    return this.#inTurn(async () => {
      const told = await within(PREPARE_MS, member, async (link) => {
        if (this.#refusal !== null) await link.call('refuse', this.#refusal)
        if (this.#publication) {
          await link.call('prepare', this.#publication)
          await link.call('release', true)
        }
        return link.call<{ address: string } | { wrong: string }>('listen')
      })
      if ('wrong' in told) throw new ConfigError(told.wrong)
      this.#members.add(member)
      return told.address
    })
  }

  async #replace(number: number, { began }: Member, error: Error): Promise<void> {
    if (this.#closing) return
    this.#log.error({ err: error }, 'a process that answers has ended: starting another')
    if (Date.now() - began < SHORT_LIFE_MS) await sleep(PAUSE_MS)
    while (!this.#closing) {
      try {
        await this.#start(number)
        return
      } catch (error) {
        if (this.#closing) return
        this.#log.error({ err: error }, 'a process that answers could not be started')
        await sleep(PAUSE_MS)
      }
    }
  }

  /**
   * What each member answers; undefined for one that has ended, or hangs and is ended. Fails where another fails, and lets
   * requests go on.
   */
  async #all<T>(
    members: readonly Member[],
    longestMs: number,
    ask: (link: Link) => Promise<T>,
  ): Promise<(T | undefined)[]> {
    const results = await Promise.allSettled(members.map((member) => within(longestMs, member, ask)))
    const failed = results.find(
      (one, at): one is PromiseRejectedResult => one.status === 'rejected' && this.#running.has(members[at]!),
    )
    if (failed) {
      for (const { link } of members) void link.call('release', false).catch(() => {})
      throw failed.reason
    }
    return results.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}

/** A process that takes longer hangs: it is ended, and with it what it was asked. */
async function within<T>(
  longestMs: number,
  { link, worker }: Member,
  ask: (link: Link) => Promise<T>,
): Promise<T> {
  const hangs = setTimeout(() => worker.process.kill('SIGKILL'), longestMs)
  try {
    return await ask(link)
  } finally {
    clearTimeout(hangs)
  }
}
