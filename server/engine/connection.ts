import { text as readAll } from 'node:stream/consumers'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { Address } from './address.ts'
import type { ReadQuery, ReadResult } from './engine.ts'
import { Reads } from './http.ts'
import { clusterSettings, loadSettings } from './profiles.ts'

const HOURS_6 = 6 * 3600 * 1000

/** Everything that is open towards one ClickHouse: the read pool, and a loader's client for each database. */
export class Connection {
  readonly address: Address
  /** The read-only user's, for requests. */
  readonly reads: Reads
  /** The server's own questions: neither the connections nor the memory that readers may use can be short for them. */
  readonly #own: Reads
  readonly #pulse: Reads
  readonly #config: Config
  readonly #loaders = new Map<string, ClickHouseClient>()

  constructor(address: Address, config: Config) {
    this.address = address
    this.#config = config
    const { url, reader: user, loader } = address
    const cluster = config.clickhouseCluster === '' ? {} : clusterSettings
    const settings = { readonly: 2, max_execution_time: config.querySeconds, ...cluster }
    const connections = config.maxConcurrentQueries * 4
    this.reads = new Reads(url, config, { user, connections, settings: cluster })
    this.#own = new Reads(url, config, { user: loader, connections: 4, settings })
    this.#pulse = new Reads(url, config, { user: loader, connections: 1, settings })
  }

  /** Whether the engine answers and knows the user. */
  ping(timeoutMs: number): Promise<void> {
    return this.#pulse.ping(timeoutMs)
  }

  /** @param again whether a read that is lost before its answer begins is tried once more */
  read(query: ReadQuery, again = true): Promise<ReadResult> {
    return this.reads.send(query, again)
  }

  async rows<T>(query: Omit<ReadQuery, 'format'>, again = true): Promise<T[]> {
    const { stream } = await this.#own.send({ ...query, format: 'JSONEachRow' }, again)
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
    const pools = [this.reads, this.#own, this.#pulse]
    await Promise.all([
      ...pools.map((one) => one.close()),
      ...[...this.#loaders.values()].map((client) => client.close()),
    ])
    this.#loaders.clear()
  }
}
