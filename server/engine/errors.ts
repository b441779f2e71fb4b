/**
 * What can go wrong between the server and ClickHouse. A message never holds SQL or ClickHouse's own words, so
 * that it may be shown to a caller; those are in `cause`, for the log.
 */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly code: string = 'ENGINE'
}

/** The engine is down, restarting, or has no room for another query. The client should retry later. */
export class EngineUnavailable extends EngineError {
  override name = 'EngineUnavailable'
  override readonly code = 'ENGINE_UNAVAILABLE'
  readonly retryAfterSeconds: number
  constructor(message: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super(message, options)
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 2
  }
}

/** The query ran longer than its limit. */
export class QueryTimeout extends EngineError {
  override name = 'QueryTimeout'
  override readonly code = 'QUERY_TIMEOUT'
}

/** Too many concurrent queries, or not enough memory for all of them. The client should retry later. */
export class EngineOverloaded extends EngineError {
  override name = 'EngineOverloaded'
  override readonly code = 'ENGINE_OVERLOADED'
}

/** The query exceeds the memory or the rows allowed for one query: retrying will not help. */
export class QueryTooLarge extends EngineError {
  override name = 'QueryTooLarge'
  override readonly code = 'QUERY_TOO_LARGE'
}

/** ClickHouse rejected the query, which no client's value should cause: a bug of this server. */
export class BadQuery extends EngineError {
  override name = 'BadQuery'
  override readonly code = 'BAD_QUERY'
  /** ClickHouse's error code (`system.errors`); 0 where it gave none. */
  readonly clickhouseCode: number
  constructor(message: string, clickhouseCode: number, options?: ErrorOptions) {
    super(message, options)
    this.clickhouseCode = clickhouseCode
  }
}

/** The answer was cut off after its first bytes: what was received is incomplete. */
export class AnswerCut extends EngineError {
  override name = 'AnswerCut'
  override readonly code = 'ANSWER_CUT'
}

/** The data on disk is not what was published: an operator must restore it. The message says what is lost. */
export class DataDamaged extends EngineError {
  override name = 'DataDamaged'
  override readonly code = 'DATA_DAMAGED'
}

export type StartFailure =
  | 'LIBRARY_MISSING' // no native package for this platform
  | 'DATA_DIR_IN_USE' // another process has the folder, and does not answer
  | 'DATA_DIR_UNUSABLE' // it cannot be written
  | 'DATA_DAMAGED' // ClickHouse cannot load its files
  | 'DISK_FULL'
  | 'PORT_IN_USE'
  | 'DIED' // ended before it was ready
  | 'NOT_READY' // did not answer in time
  | 'UNREACHABLE' // CLICKHOUSE_URL does not answer, or refuses the user

/** The engine could not be started or reached; the message says what to do. */
export class EngineStartError extends EngineError {
  override name = 'EngineStartError'
  override readonly code: StartFailure
  constructor(code: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const TIMEOUT = new Set([159, 160, 209])
const TOO_LARGE = new Set([158, 191, 241, 307, 396])
// 194, 516: after a restart by another process the passwords are new; the next look at engine.json has them
const OVERLOADED = new Set([202])
const MEMORY = 241
// torn or altered bytes, or a file that is gone: what ClickHouse says where a checksum or a length is wrong
const DAMAGED = new Set([33, 40, 107, 246, 271, 432])
/** Of the connection to another server of a cluster: read to its end, silent for too long, broken. */
const LOST_ANOTHER = new Set([32, 33, 209, 210])
const UNAVAILABLE = new Set([173, 194, 210, 236, 242, 243, 279, 439, 516])

/** What a ClickHouse said that lives: the cause of the typed error. */
class Said extends Error {
  override name = 'ClickHouseException'
}

/** Whether a ClickHouse itself reported it: the query has not ended the server. */
export const isReported = (error: unknown): boolean =>
  error instanceof EngineError && error.cause instanceof Said

/** The typed error for an exception of ClickHouse, whose text is kept as `cause`. */
export function fromClickHouse(clickhouseCode: number, text: string): EngineError {
  const options = { cause: new Said(text.trim()) }
  if (LOST_ANOTHER.has(clickhouseCode) && text.includes('while receiving packet from'))
    return new EngineUnavailable('another server of the cluster does not answer', options)
  if (TIMEOUT.has(clickhouseCode)) return new QueryTimeout('the query took longer than it may', options)
  // of the limits of memory, only the query's own is its fault; the others say `User` or `(total)`
  const shared = clickhouseCode === MEMORY && !text.includes('Query memory limit')
  if (shared || OVERLOADED.has(clickhouseCode))
    return new EngineOverloaded('the engine has no room for the query now', options)
  if (TOO_LARGE.has(clickhouseCode))
    return new QueryTooLarge('the query needs more rows or more memory than one query may', options)
  if (DAMAGED.has(clickhouseCode))
    return new DataDamaged('the engine found its files damaged when it read them', options)
  if (UNAVAILABLE.has(clickhouseCode)) {
    return new EngineUnavailable('the engine cannot take the query now', options)
  }
  return new BadQuery(
    `the engine refused the query (ClickHouse code ${clickhouseCode})`,
    clickhouseCode,
    options,
  )
}
