import type { ClickHouseClient } from '@clickhouse/client'
import { formulaSettings } from '../formula/index.ts'
import { rowsOf } from '../rows.ts'
import type { Making } from '../steps/steps.ts'
import { type Shards, together, type Whole } from './shards.ts'

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
  /** Names a table with the rows of all institutions, in a statement that is run by `each`. */
  readonly whole: Whole
  readonly #shards: Shards | undefined
  readonly #fresh: boolean

  /** @param fresh whether the tables were made just now: what a derivation replaces is not there */
  constructor({ client, shards }: Making, fresh = false) {
    this.client = client
    this.whole = shards?.whole ?? together
    this.#shards = shards
    this.#fresh = fresh
  }

  run(query: string, query_params: Record<string, unknown> = {}): Promise<unknown> {
    return this.client.command({ query, query_params, clickhouse_settings: derivationSettings as never })
  }

  /**
   * A statement that makes rows of an institution from this one's own rows, and from tables that are no institution's: it is
   * run where they lie.
   */
  async each(query: string, query_params: Record<string, unknown> = {}): Promise<void> {
    if (this.#shards) await this.#shards.each(query, query_params, derivationSettings)
    else await this.run(query, query_params)
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
    return rowsOf<T>(this.client, query)
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
