import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { Places } from './place.ts'

/** The part of pino's logger that the engine needs. */
export interface Logger {
  debug(details: object, message?: string): void
  info(details: object, message?: string): void
  warn(details: object, message?: string): void
  error(details: object, message?: string): void
}

/** `stalled`: it is running, but has not answered a ping for some seconds. */
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

/** ClickHouse's progress when it sent the headers; complete only for answers that fit its buffer. */
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

/** One of several ClickHouse servers. */
export interface NodeState {
  /** Its address without path and credentials. */
  name: string
  state: EngineState
  /** False where it is known not to hold the data version that is read. */
  holds: boolean
  /** Reads that run on it now, that were sent to it, and of these that it lost before it began to answer. */
  inside: number
  reads: number
  lost: number
}

/** Whether it can answer for the version that is read. */
export const isUp = ({ state, holds }: NodeState): boolean => state === 'ready' && holds

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
  /** Where there are several. */
  nodes?(): readonly NodeState[]
  /** Where data versions are, where that is several servers. */
  readonly places?: Places
  /** Ends the embedded engine where this process started it; other processes of the folder start it again. */
  close(): Promise<void>
}
