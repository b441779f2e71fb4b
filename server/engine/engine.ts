import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config.ts'
import { EmbeddedEngine } from './embedded.ts'
import { ExternalEngine } from './external.ts'

/** The part of pino's logger that the engine needs. */
export interface Logger {
  debug(details: object, message?: string): void
  info(details: object, message?: string): void
  warn(details: object, message?: string): void
  error(details: object, message?: string): void
}

/** `stalled`: it is there, but has not answered the smallest question for some seconds. */
export type EngineState = 'starting' | 'ready' | 'stalled' | 'down'

export interface ReadQuery {
  /** Values only as typed placeholders `{name:Type}`, identifiers from declarations. */
  sql: string
  /** Scalars, null, and arrays of them; thousands of elements are fine. */
  params?: Record<string, unknown>
  /** The version database that unqualified names resolve in. */
  database: string
  /** ClickHouse output format, where the SQL has no FORMAT clause; default `JSONEachRow`. */
  format?: string
  /** Settings of this query, within the constraints of the reader's profile. */
  settings?: Record<string, string | number>
  /**
   * The answer may be long and its reader slow: QUERY_SECONDS count to its first byte and between any two,
   * STREAM_SECONDS for the whole.
   */
  streamed?: boolean
  queryId?: string
  /** Cancels the query in ClickHouse too. */
  signal?: AbortSignal
}

/** What ClickHouse had done when it sent the headers; whole only for answers that fit its buffer. */
export interface ReadSummary {
  queryId: string
  readRows: number
  readBytes: number
  resultRows: number
  elapsedNs: number
}

export interface ReadResult {
  /** Exactly ClickHouse's bytes. It ends only when the answer is whole, and fails with an EngineError otherwise. */
  stream: Readable
  summary: ReadSummary
}

export interface Engine {
  readonly config: Config
  /** Streams as the read-only user. Rejects with one of `errors.ts`, or the signal's reason. */
  read(query: ReadQuery): Promise<ReadResult>
  /**
   * Small results that the server needs for itself. They are read as the loader's user, over connections of their
   * own, so that readers cannot starve them; nothing can be changed this way.
   */
  rows<T>(query: Omit<ReadQuery, 'format'>): Promise<T[]>
  /**
   * A client of the loader's user, by default for the control database. It belongs to the engine, which closes it.
   * Ask for it when it is needed rather than keeping it: after a restart of the engine the next one is new.
   */
  loader(database?: string): ClickHouseClient
  state(): EngineState
  /** Ends the embedded engine where this process started it; other processes of the folder start it again. */
  close(): Promise<void>
}

/**
 * Opens the engine that the settings name: the server at CLICKHOUSE_URL, or else the embedded one of DATA_DIR,
 * which is started unless another process of the same folder runs it already.
 * @throws EngineStartError saying what failed and what to do.
 */
export async function openEngine(config: Config, log: Logger): Promise<Engine> {
  const engine = config.clickhouseUrl ? new ExternalEngine(config, log) : new EmbeddedEngine(config, log)
  try {
    await engine.open()
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}
