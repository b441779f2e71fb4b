import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config.ts'
import { Connection } from './connection.ts'
import type { Engine, EngineState, Logger, ReadQuery, ReadResult } from './engine.ts'
import { EngineStartError, EngineUnavailable } from './errors.ts'
import { asEngineError, isConnectionLoss } from './http.ts'

const PING_MS = 1_000
const PING_PATIENCE_MS = 5_000

/** The ClickHouse server or cluster at CLICKHOUSE_URL, which others run. */
export class ExternalEngine implements Engine {
  readonly config: Config
  readonly #log: Logger
  readonly #connection: Connection
  #state: EngineState = 'starting'
  #pings: NodeJS.Timeout | undefined
  #pinging = false

  constructor(config: Config, log: Logger) {
    this.config = config
    this.#log = log
    const loader = { name: config.clickhouseUser, password: config.clickhousePassword }
    const reader = config.clickhouseReaderUser
      ? { name: config.clickhouseReaderUser, password: config.clickhouseReaderPassword }
      : loader
    if (reader === loader) {
      log.warn(
        {},
        'CLICKHOUSE_READER_USER is not set: requests are answered as a user that can write. See sql/roles.sql',
      )
    }
    this.#connection = new Connection({ url: config.clickhouseUrl, reader, loader }, config)
  }

  async open(): Promise<void> {
    try {
      await this.#connection.reads.ping(10_000)
      await this.#connection.loader('default').query({ query: 'SELECT 1' })
    } catch (cause) {
      throw new EngineStartError(
        'UNREACHABLE',
        `The ClickHouse at CLICKHOUSE_URL (${new URL(this.config.clickhouseUrl).origin}) ` +
          (isConnectionLoss(cause)
            ? 'does not answer. Is it running, and is the address right?'
            : 'refuses its user. Are CLICKHOUSE_USER, CLICKHOUSE_READER_USER and their passwords right?'),
        { cause },
      )
    }
    this.#state = 'ready'
    this.#pings = setInterval(() => void this.#ping(), PING_MS).unref()
  }

  read(query: ReadQuery): Promise<ReadResult> {
    return this.#using((connection) => connection.read(query))
  }

  rows<T>(query: Omit<ReadQuery, 'format'>): Promise<T[]> {
    return this.#using((connection) => connection.rows<T>(query))
  }

  loader(database?: string): ClickHouseClient {
    return this.#connection.loader(database)
  }

  state(): EngineState {
    return this.#state
  }

  async close(): Promise<void> {
    clearInterval(this.#pings)
    this.#state = 'down'
    await this.#connection.close()
  }

  /** While it does not answer, nobody waits for it: the pings see when it does. */
  async #using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#state !== 'ready') throw new EngineUnavailable('the engine does not answer')
    try {
      return await work(this.#connection)
    } catch (error) {
      if (isConnectionLoss(error)) void this.#ping()
      throw asEngineError(error)
    }
  }

  async #ping(): Promise<void> {
    if (this.#pinging) return
    this.#pinging = true
    const before = this.#state
    try {
      await this.#connection.ping(PING_PATIENCE_MS)
      this.#state = 'ready'
    } catch (error) {
      this.#state = isConnectionLoss(error) ? 'down' : 'stalled'
    } finally {
      this.#pinging = false
    }
    if (before === this.#state || !this.#pings) return
    if (this.#state !== 'ready')
      this.#log.error({ state: this.#state }, 'the ClickHouse at CLICKHOUSE_URL does not answer')
    else this.#log.info({}, 'the ClickHouse at CLICKHOUSE_URL answers again')
  }
}
