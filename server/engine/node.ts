import type { Config } from '../config/config.ts'
import type { User } from './address.ts'
import { Connection } from './connection.ts'
import type { EngineState, Logger } from './engine.ts'
import { EngineStartError, EngineUnavailable } from './errors.ts'
import { isConnectionLoss, isUnreached } from './http.ts'

const PING_MS = 1_000
const PING_PATIENCE_MS = 5_000
/** A node that goes away again sooner than this is pinged after pauses that double. */
const STABLE_MS = 60_000

/** One ClickHouse server at CLICKHOUSE_URL: what is open towards it, and whether it answers. */
export class Node {
  /** Its address without path and credentials. */
  readonly name: string
  readonly connection: Connection
  /** How often it went away: what was known of its data until then counts no more. */
  losses = 0
  readonly #log: Logger
  readonly #patienceMs: number
  readonly #longestPauseMs: number
  readonly #attempts = new Set<AbortController>()
  #state: EngineState = 'starting'
  #pings: NodeJS.Timeout | undefined
  #pinging = false
  #readySince = 0
  #pauseMs = 0
  #nextPing = 0

  /**
   * @param options.longestPauseMs between two pings of a node that keeps going away
   * @param options.patienceMs how long it may take to answer a ping
   */
  constructor(
    url: string,
    users: { reader: User; loader: User },
    config: Config,
    log: Logger,
    { patienceMs = PING_PATIENCE_MS, longestPauseMs = PING_MS } = {},
  ) {
    this.name = new URL(url).origin
    this.connection = new Connection({ url, ...users }, config)
    this.#log = log
    this.#patienceMs = Math.min(patienceMs, PING_PATIENCE_MS)
    this.#longestPauseMs = longestPauseMs
  }

  /**
   * Watches it from now on, whether it answers or not.
   * @throws EngineStartError where it does not answer or refuses a user; `cause` is what came back
   */
  async open(): Promise<void> {
    this.#pings = setInterval(() => void this.#ping(), PING_MS).unref()
    try {
      await this.connection.reads.ping(10_000)
      await this.connection.loader('default').query({ query: 'SELECT 1' })
    } catch (cause) {
      this.#become('down')
      throw new EngineStartError(
        'UNREACHABLE',
        `The ClickHouse at CLICKHOUSE_URL (${this.name}) ` +
          (isConnectionLoss(cause) || (cause as Error).name === 'TimeoutError'
            ? 'does not answer. Is it running, and is the address right?'
            : 'refuses its user. Are CLICKHOUSE_USER, CLICKHOUSE_READER_USER and their passwords right?'),
        { cause },
      )
    }
    this.#become('ready')
  }

  state(): EngineState {
    return this.#state
  }

  /**
   * Something that is asked of it. As soon as a ping finds that it does not answer, what it has not begun to answer is
   * given up with EngineUnavailable.
   */
  async attempt<T>(
    signal: AbortSignal | undefined,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const lost = new AbortController()
    this.#attempts.add(lost)
    try {
      return await work(this.connection, signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
    } finally {
      this.#attempts.delete(lost)
    }
  }

  /** What failed may mean that it is away: it is pinged at once, and one that refuses connections not used until then. */
  noticed(error: unknown): void {
    if (isUnreached(error)) this.#become('down')
    if (isConnectionLoss(error)) void this.#ping()
  }

  async close(): Promise<void> {
    clearInterval(this.#pings)
    this.#pings = undefined
    this.#state = 'down'
    await this.connection.close()
  }

  async #ping(): Promise<void> {
    if (this.#pinging || Date.now() < this.#nextPing) return
    this.#pinging = true
    try {
      await this.connection.ping(this.#patienceMs)
      this.#become('ready')
    } catch (error) {
      this.#become(isConnectionLoss(error) ? 'down' : 'stalled')
    } finally {
      this.#pinging = false
    }
  }

  #become(state: EngineState): void {
    const before = this.#state
    if (before === state || !this.#pings) return
    this.#state = state
    if (state === 'ready') {
      this.#readySince = Date.now()
      if (before !== 'starting')
        this.#log.info({ node: this.name }, 'the ClickHouse at CLICKHOUSE_URL answers again')
      return
    }
    if (before === 'ready') {
      this.losses++
      const stable = Date.now() - this.#readySince > STABLE_MS
      this.#pauseMs = stable ? 0 : Math.min(this.#longestPauseMs, Math.max(PING_MS, this.#pauseMs * 2))
      this.#nextPing = this.#longestPauseMs > PING_MS ? Date.now() + this.#pauseMs : 0
      for (const lost of this.#attempts) lost.abort(new EngineUnavailable('the engine does not answer'))
    }
    this.#log.error({ state, node: this.name }, 'the ClickHouse at CLICKHOUSE_URL does not answer')
  }
}
