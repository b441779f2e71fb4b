import { text as readAll } from 'node:stream/consumers'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Config } from '../config.ts'
import type { Address } from './address.ts'
import type { ReadQuery, ReadResult } from './engine.ts'
import { Reads } from './http.ts'
import { loadSettings } from './profiles.ts'

const HOURS_6 = 6 * 3600 * 1000

/** Everything that is open towards one ClickHouse: the read pool, and a loader's client for each database. */
export class Connection {
  readonly address: Address
  readonly reads: Reads
  readonly #config: Config
  readonly #loaders = new Map<string, ClickHouseClient>()

  constructor(address: Address, config: Config) {
    this.address = address
    this.#config = config
    this.reads = new Reads(address, config)
  }

  read(query: ReadQuery): Promise<ReadResult> {
    return this.reads.send(query)
  }

  async rows<T>(query: Omit<ReadQuery, 'format'>): Promise<T[]> {
    const { stream } = await this.reads.send({ ...query, format: 'JSONEachRow' })
    const lines = (await readAll(stream)).split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
  }

  loader(database = this.#config.clickhouseDatabase): ClickHouseClient {
    let client = this.#loaders.get(database)
    if (!client) {
      client = createClient({
        url: this.address.url,
        username: this.address.loader.name,
        password: this.address.loader.password,
        database,
        // a statement over all quarters may take long; a dead engine closes the connection
        request_timeout: HOURS_6,
        clickhouse_settings: loadSettings,
        application: 'us-banking-query-server',
        // its advice at warn is about load balancers; errors are thrown as well
        log: { level: ClickHouseLogLevel.OFF },
      })
      this.#loaders.set(database, client)
    }
    return client
  }

  async close(): Promise<void> {
    await Promise.all([this.reads.close(), ...[...this.#loaders.values()].map((client) => client.close())])
    this.#loaders.clear()
  }
}
