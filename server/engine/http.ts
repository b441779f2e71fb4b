import { randomUUID } from 'node:crypto'
import { type Dispatcher, Pool } from 'undici'
import type { Config } from '../config/config.ts'
import { credentials, type User } from './address.ts'
import { Answer } from './answer.ts'
import type { ReadQuery, ReadResult, ReadSummary } from './engine.ts'
import { EngineUnavailable, fromClickHouse, QueryTimeout } from './errors.ts'
import { formatParam } from './params.ts'
import { patience } from './patience.ts'
import { readSettings } from './profiles.ts'

/** Longer parameters travel in the body: ClickHouse refuses a URI of more than a mebibyte. */
const LONGEST_IN_URL = 8_000

export interface ReadsOptions {
  readonly user: User
  readonly connections: number
  /** Settings of every query. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/**
 * Reads as one user over one pool of connections, bytes passed through. It goes below `@clickhouse/client`, which
 * costs twice the CPU for a small answer.
 */
export class Reads {
  readonly #config: Config
  readonly #pool: Pool
  readonly #headers: Record<string, string>
  readonly #path: string

  constructor(address: string, config: Config, { user, connections, settings }: ReadsOptions) {
    const url = new URL(address)
    // the engine's own limit comes first where it holds; one that stands still, or is cut off, is noticed by this
    const patience = (config.querySeconds + 1) * 1000
    this.#config = config
    this.#pool = new Pool(url.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: 5_000 },
      headersTimeout: patience,
      // counts only while a reader waits for the engine, not while the engine waits for the reader
      bodyTimeout: patience,
    })
    this.#headers = credentials(user)
    this.#path = `${url.pathname}?${new URLSearchParams(entriesAsText({ ...readSettings, ...settings }))}`
  }

  /**
   * One read. If the connection closes before the answer begins it is retried once, as a read changes nothing.
   * @param again whether here; false for who tries elsewhere
   */
  async send(query: ReadQuery, again = true): Promise<ReadResult> {
    query.signal?.throwIfAborted()
    try {
      return await this.#once(query)
    } catch (error) {
      if (!again || !isConnectionLoss(error) || query.signal?.aborted) throw error
      return await this.#once(query)
    }
  }

  /** Whether the engine answers and knows the user. */
  async ping(timeoutMs: number): Promise<void> {
    const { signal, stop } = patience(timeoutMs)
    try {
      const { statusCode, body } = await this.#pool.request({
        method: 'POST',
        path: this.#path,
        headers: this.#headers,
        body: 'SELECT 1',
        signal,
      })
      const text = await body.text()
      if (statusCode !== 200) throw exceptionOf(undefined, text)
    } finally {
      stop()
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  #once(query: ReadQuery): Promise<ReadResult> {
    const queryId = query.queryId ?? randomUUID()
    // a streamed answer is paused while its reader is slow: that is not the query's time
    const settings = {
      ...(query.streamed && { max_execution_time: this.#config.streamSeconds }),
      ...query.settings,
    }
    const request = encode({ ...query, settings }, queryId)
    const { signal } = query
    return new Promise((resolve, reject) => {
      let answer: Answer | null = null
      let failure: { status: number; code: string | undefined; body: Buffer[] } | null = null
      let onAbort: (() => void) | undefined
      const over = () => onAbort && signal?.removeEventListener('abort', onAbort)

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart(controller) {
          if (signal?.aborted) return controller.abort(signal.reason)
          onAbort = () => controller.abort(signal!.reason)
          signal?.addEventListener('abort', onAbort, { once: true })
        },
        onResponseStart(controller, status, headers) {
          if (status !== 200) {
            failure = { status, code: text(headers['x-clickhouse-exception-code']), body: [] }
            return
          }
          answer = new Answer(controller, text(headers['x-clickhouse-exception-tag']))
          resolve({ stream: answer, summary: summaryOf(queryId, text(headers['x-clickhouse-summary'])) })
        },
        onResponseData(_controller, chunk) {
          if (answer) answer.add(chunk)
          else failure?.body.push(chunk)
        },
        onResponseEnd() {
          over()
          if (answer) answer.end()
          else reject(exceptionOf(failure?.code, Buffer.concat(failure?.body ?? []).toString()))
        },
        onResponseError(_controller, error) {
          over()
          const cause = signal?.aborted ? abortReason(signal) : asTimeout(error)
          if (answer) answer.fail(cause)
          else reject(cause)
        },
      }
      this.#pool.dispatch(
        {
          method: 'POST',
          path: `${this.#path}&${request.search}`,
          headers: { ...this.#headers, ...request.headers },
          body: request.body,
        },
        handler,
      )
    })
  }
}

function encode(query: ReadQuery, queryId: string) {
  const search = new URLSearchParams({ database: query.database, query_id: queryId })
  search.set('default_format', query.format ?? 'JSONEachRow')
  for (const [name, value] of Object.entries(query.settings ?? {})) search.set(name, String(value))

  const params = Object.entries(query.params ?? {}).map(
    ([name, value]) => [paramName(name), formatParam(value)] as const,
  )
  const length = params.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length <= LONGEST_IN_URL) {
    for (const [name, value] of params) search.set(name, value)
    return { search: search.toString(), body: query.sql, headers: {} }
  }
  // random, so that no value can hold it
  const boundary = randomUUID()
  let body = ''
  for (const [name, value] of [['query', query.sql] as const, ...params]) {
    body += `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  }
  body += `--${boundary}--\r\n`
  return {
    search: search.toString(),
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

function paramName(name: string): string {
  if (!/^\w+$/.test(name))
    throw new TypeError(`'${name}' cannot name a query parameter: expected letters, digits, _`)
  return `param_${name}`
}

function summaryOf(queryId: string, header: string | undefined): ReadSummary {
  const summary = (header ? JSON.parse(header) : {}) as Record<string, string>
  return {
    queryId,
    readRows: Number(summary.read_rows ?? 0),
    readBytes: Number(summary.read_bytes ?? 0),
    resultRows: Number(summary.result_rows ?? 0),
    elapsedNs: Number(summary.elapsed_ns ?? 0),
  }
}

function exceptionOf(code: string | undefined, body: string): Error {
  return fromClickHouse(Number(code ?? /Code: (\d+)/.exec(body)?.[1] ?? 0), body)
}

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']
const LOST = new Set([
  ...UNREACHED,
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'],
])
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** An error of the connection rather than of ClickHouse. */
export const isConnectionLoss = (error: unknown): boolean => LOST.has(codeOf(error))

/** Nobody was there to take the query: it has not run. */
export const isUnreached = (error: unknown): boolean => UNREACHED.includes(codeOf(error))

/** Turns a lost connection into the error that callers expect. */
export function asEngineError(error: unknown): unknown {
  if (!isConnectionLoss(error)) return error
  return new EngineUnavailable('the engine does not answer', { cause: error })
}

/** No first byte in time: the connection is closed by now, which cancels the query. */
function asTimeout(error: Error): Error {
  if ((error as { code?: unknown }).code !== 'UND_ERR_HEADERS_TIMEOUT') return error
  return new QueryTimeout('the query took longer than it may', { cause: error })
}

function abortReason(signal: AbortSignal): Error {
  const { reason } = signal
  return reason instanceof Error ? reason : new DOMException('The query was aborted', 'AbortError')
}

function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function entriesAsText(settings: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
}
