import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { User } from './address.ts'
import type { Connection } from './connection.ts'
import type { Engine, EngineState, Logger, ReadQuery, ReadResult } from './engine.ts'
import { EngineUnavailable } from './errors.ts'
import { asEngineError } from './http.ts'
import { Node } from './node.ts'

/** The one ClickHouse server at CLICKHOUSE_URL, which is operated separately. */
export class ExternalEngine implements Engine {
  readonly config: Config
  readonly #node: Node

  constructor(config: Config, log: Logger) {
    this.config = config
    this.#node = new Node(config.clickhouseUrl[0]!, usersOf(config, log), config, log)
  }

  open(): Promise<void> {
    return this.#node.open()
  }

  read(query: ReadQuery): Promise<ReadResult> {
    return this.#using((connection) => connection.read(query))
  }

  rows<T>(query: Omit<ReadQuery, 'format'>): Promise<T[]> {
    return this.#using((connection) => connection.rows<T>(query))
  }

  loader(database?: string): ClickHouseClient {
    return this.#node.connection.loader(database)
  }

  state(): EngineState {
    return this.#node.state()
  }

  close(): Promise<void> {
    return this.#node.close()
  }

  /** While it does not answer, requests fail at once: the pings notice when it is back. */
  async #using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#node.state() !== 'ready') throw new EngineUnavailable('the engine does not answer')
    try {
      return await work(this.#node.connection)
    } catch (error) {
      this.#node.noticed(error)
      throw asEngineError(error)
    }
  }
}

/** Who reads and who writes at CLICKHOUSE_URL, by the settings. */
export function usersOf(config: Config, log: Logger): { reader: User; loader: User } {
  const loader = { name: config.clickhouseUser, password: config.clickhousePassword }
  if (config.clickhouseReaderUser) {
    return {
      loader,
      reader: { name: config.clickhouseReaderUser, password: config.clickhouseReaderPassword },
    }
  }
  log.warn(
    {},
    'CLICKHOUSE_READER_USER is not set: requests are answered as a user that can write. See sql/roles.sql',
  )
  return { loader, reader: loader }
}
