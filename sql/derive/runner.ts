import type { ClickHouseClient } from '@clickhouse/client'
import { formulaSettings } from '../formula/index.ts'

/**
 * Quarters that are computed in parallel, with one thread each: a quarter's rows are one block, which one thread computes.
 */
export const usuallyAtOnce = 2
/** Settings of the statements of a derivation. */
export const derivationSettings = {
  ...formulaSettings,
  max_threads: 1,
  max_insert_threads: '1',
  max_partitions_per_insert_block: '0',
  optimize_aggregation_in_order: 1,
  join_use_nulls: 0,
  max_memory_usage: String(3 * 1024 ** 3),
  // a partition of several years is one block, and so one part
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '0',
} as const

/** Statements of a derivation on one build. */
export class Runner {
  readonly client: ClickHouseClient
  readonly #fresh: boolean

  /** @param fresh whether the tables were made just now: what a derivation replaces is not there */
  constructor(client: ClickHouseClient, fresh = false) {
    this.client = client
    this.#fresh = fresh
  }

  run(query: string, query_params: Record<string, unknown> = {}): Promise<unknown> {
    return this.client.command({ query, query_params, clickhouse_settings: derivationSettings as never })
  }

  /** Drops partitions that are derived again. */
  async drop(table: string, partitions: readonly (string | number)[]): Promise<void> {
    if (this.#fresh || partitions.length === 0) return
    const literal = (partition: string | number) =>
      typeof partition === 'string' ? `'${partition}'` : String(partition)
    const drops = partitions.map((partition) => `DROP PARTITION ${literal(partition)}`)
    await this.run(`ALTER TABLE ${table} ${drops.join(', ')}`)
  }

  async rows<T>(query: string): Promise<T[]> {
    return (await this.client.query({ query, format: 'JSONEachRow' })).json<T>()
  }

  async insert(table: string, values: readonly object[]): Promise<void> {
    if (values.length === 0) return
    await this.client.insert<object>({
      table,
      values: [...values],
      format: 'JSONEachRow',
      clickhouse_settings: { max_partitions_per_insert_block: '0' },
    })
  }
}
