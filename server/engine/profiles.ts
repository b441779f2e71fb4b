import { availableParallelism, totalmem } from 'node:os'
import type { Config } from '../config/config.ts'

type Settings = Record<string, string | number>

/** A ClickHouse settings profile, and how far a query's own settings may go. */
export interface Profile {
  settings: Settings
  /** `'fixed'`: a query cannot change it. */
  constraints: Record<string, { min: number; max: number } | 'fixed'>
}

const MIB = 2 ** 20

/** Threads that one read query may use. */
function readerThreads(config: Config): number {
  return config.queryThreads || Math.min(8, availableParallelism())
}

/**
 * Memory of all readers together, in bytes. At the embedded engine it stays below what the whole engine may use:
 * were it more, the readers alone could fill it, and a load or a look at the publications would be refused.
 */
function readersMemory(config: Config): number {
  const wanted = config.readersMemoryMib * MIB
  if (config.clickhouseUrl.length > 0) return wanted
  const engine = engineMemory(config)
  const besideCaches = engine - 2 * config.engineCacheMib * MIB
  return Math.floor(Math.min(wanted, Math.max(besideCaches * 0.75, engine / 4)))
}

/** Memory of the embedded engine, in bytes: the machine's, or what its control group leaves it. */
export function engineMemory(config: Config): number {
  if (config.engineMemoryMib > 0) return config.engineMemoryMib * MIB
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.min(totalmem(), constrained) * 0.8)
}

/**
 * The profile of the user that answers requests. `sql/roles.sql` states the same for an external server. The
 * constraints have no zeros: for ClickHouse 0 means "without limit".
 * @param remote of a server of a cluster: what one asks of another comes without a limit of its rows, which the first one checks
 */
export function readerProfile(config: Config, remote = false): Profile {
  const allMemory = readersMemory(config)
  const memory = Math.min(config.queryMemoryMib * MIB, allMemory)
  const threads = readerThreads(config)
  return {
    settings: {
      readonly: 2,
      max_sessions_for_user: 0,
      // the connections to the engine (connection.ts) and as many: what was cut at once takes a moment to end there
      max_concurrent_queries_for_user: config.maxConcurrentQueries * 8,
      max_memory_usage: memory,
      max_memory_usage_for_user: allMemory,
      max_execution_time: config.querySeconds,
      max_threads: threads,
      max_result_rows: config.queryRows,
      max_rows_to_read: config.queryReadRows,
      timeout_overflow_mode: 'throw',
      result_overflow_mode: 'throw',
      read_overflow_mode: 'throw',
      max_bytes_before_external_group_by: Math.floor(memory / 2),
      max_bytes_before_external_sort: Math.floor(memory / 2),
      use_uncompressed_cache: 1,
      // what is read lies in the page cache mostly: to hand each read to a thread costs more than the read
      local_filesystem_read_method: 'pread',
      // looks for a < b AND b < 5, which nothing here has, and for that compares all conditions with one another
      optimize_and_compare_chain: 0,
      ...readSettings,
    },
    constraints: {
      max_memory_usage: { min: 1, max: memory },
      max_memory_usage_for_user: 'fixed',
      max_concurrent_queries_for_user: 'fixed',
      max_execution_time: { min: 1, max: config.streamSeconds },
      max_threads: { min: 1, max: threads },
      max_result_rows: { min: remote ? 0 : 1, max: config.queryRows },
      max_rows_to_read: { min: 1, max: config.queryReadRows },
      // with 'break' a query past its limit would end as if it were whole
      timeout_overflow_mode: 'fixed',
      result_overflow_mode: 'fixed',
      read_overflow_mode: 'fixed',
      max_sessions_for_user: 'fixed',
      cancel_http_readonly_queries_on_client_close: 'fixed',
      http_write_exception_in_output_format: 'fixed',
    },
  }
}

/** The profile of the loader's user: whole machine, and a statement has done its work when it answers. */
export function loaderProfile(): Profile {
  return { settings: { max_sessions_for_user: 0, ...loadSettings }, constraints: {} }
}

/** Sent with every read as well, for an external server whose profile lacks them. */
export const readSettings: Settings = {
  cancel_http_readonly_queries_on_client_close: 1,
  // an exception in mid-stream cuts the connection instead of ending the document well formed
  http_write_exception_in_output_format: 0,
  // apache-arrow for JavaScript reads no lz4
  output_format_arrow_compression_method: 'none',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
}

/** Sent with every statement of the loader as well. */
export const loadSettings: Settings = {
  mutations_sync: 2,
  alter_sync: 2,
  // a partition of 40 quarters and more in one INSERT … SELECT
  max_partitions_per_insert_block: 1000,
  max_partition_size_to_drop: 0,
  max_table_size_to_drop: 0,
}

/** Sent with each statement and read of a cluster, as any may reach tables that are divided between shards. */
export const clusterSettings = {
  // what a shard would join with rows of all shards is gathered once, and sent to it
  distributed_product_mode: 'global',
  // the rows of one institution are asked of one shard
  optimize_skip_unused_shards: 1,
  // rows are where they belong when a statement has ended
  distributed_foreground_insert: 1,
  // a server that another one hangs up on, as it has asked a third one meanwhile, may end (seen of 26.7)
  use_hedged_requests: 0,
  // one that works tells so ten times a second
  receive_timeout: 10,
  // sums over rows of several servers are taken in the order that a subquery says, as on one: they round alike
  query_plan_remove_redundant_sorting: 0,
} as const satisfies Settings
