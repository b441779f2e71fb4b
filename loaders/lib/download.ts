import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoadError, wordsOf } from './errors.ts'
import type { Progress } from './progress.ts'

export interface DownloadOptions {
  progress?: Progress
  /** Tries after the first one fails; default 4. */
  retries?: number
  /** First pause between tries, doubled each time; default 1 s. A `Retry-After` of the publisher goes before. */
  pauseMs?: number
  /** Longest pause that a `Retry-After` may ask for before giving up; default 120 s. */
  mostPauseMs?: number
  /** Time without a byte after which a try is given up; default 30 s. */
  idleMs?: number
  /** More than this is not the file that was asked for; default 1 GiB. */
  mostBytes?: number
}

/** The publisher answered that there is no such file (404 or 410): trying again is of no use. */
export class NotPublished extends LoadError {
  override name = 'NotPublished'
}

/** A fault that another try may not meet. */
class Passing extends Error {
  readonly pauseMs: number | undefined
  constructor(message: string, pauseMs?: number) {
    super(message)
    this.pauseMs = pauseMs
  }
}

const defaults = {
  retries: 4,
  pauseMs: 1000,
  mostPauseMs: 120_000,
  idleMs: 30_000,
  mostBytes: 2 ** 30,
}

// Some agencies refuse clients that do not say who they are.
const HEADERS = { 'user-agent': 'us-banking-query-server (loader)', accept: '*/*' }

/**
 * Fetches an address into a file. Network faults, time-outs, half-sent bodies, 408, 425, 429 and 5xx are tried
 * again with growing pauses; the file appears under its name only when it is whole.
 * @throws NotPublished for 404 and 410
 * @throws LoadError naming the address and the last fault when no try succeeded
 */
export async function download(url: string, path: string, options: DownloadOptions = {}): Promise<void> {
  const settings = { ...defaults, ...options }
  const { retries, mostPauseMs, progress } = settings
  await mkdir(dirname(path), { recursive: true })
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(url, path, settings)
    } catch (error) {
      await rm(`${path}.part`, { force: true })
      if (!(error instanceof Passing)) throw error
      const pause = error.pauseMs ?? settings.pauseMs * 2 ** tried
      if (tried >= retries) throw new LoadError(`${url}: ${error.message} (tried ${tried + 1} times)`)
      if (pause > mostPauseMs) {
        throw new LoadError(
          `${url}: ${error.message}; asked to wait ${Math.ceil(pause / 1000)} s: try again later`,
        )
      }
      progress?.note(`${url}: ${error.message}; trying again in ${(pause / 1000).toFixed(1)} s`)
      await sleep(pause)
    }
  }
}

async function attempt(url: string, path: string, { idleMs, mostBytes }: typeof defaults): Promise<void> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), idleMs)
  try {
    const response = await fetch(url, { headers: HEADERS, signal: idle.signal })
    if (!response.ok) {
      await response.body?.cancel()
      throw refusal(url, response)
    }
    if (!response.body) throw new Passing('the answer has no body')
    const counter = new Counter(mostBytes, () => timer.refresh())
    await pipeline(Readable.fromWeb(response.body as never), counter, createWriteStream(`${path}.part`))
    checkLength(response, counter.bytes)
    await rename(`${path}.part`, path)
  } catch (error) {
    if (idle.signal.aborted) throw new Passing(`nothing came for ${idleMs / 1000} s`)
    if (error instanceof Passing || error instanceof LoadError) throw error
    throw new Passing(causeOf(error))
  } finally {
    clearTimeout(timer)
  }
}

function refusal(url: string, { status, statusText, headers }: Response): Error {
  const answer = `the publisher answered ${status} ${statusText}`.trim()
  if (status === 404 || status === 410) return new NotPublished(`${url}: ${answer}`)
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new Passing(answer, retryAfter(headers.get('retry-after')))
  }
  return new LoadError(`${url}: ${answer}`)
}

/** `Retry-After` in milliseconds: a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** A connection that is closed early can look like an end: the length that was promised tells. */
function checkLength({ headers }: Response, bytes: number): void {
  const promised = headers.get('content-length')
  if (promised === null || headers.get('content-encoding') !== null) return
  if (Number(promised) !== bytes) throw new Passing(`the body ends after ${bytes} of ${promised} bytes`)
}

class Counter extends Transform {
  bytes = 0
  readonly #most: number
  readonly #alive: () => void

  constructor(most: number, alive: () => void) {
    super()
    this.#most = most
    this.#alive = alive
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.bytes += chunk.length
    this.#alive()
    if (this.bytes > this.#most) callback(new LoadError(`the body is larger than ${this.#most} bytes`))
    else callback(null, chunk)
  }
}

/** `fetch failed` says nothing: its cause does. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return cause === undefined ? wordsOf(error) : `${wordsOf(error)}: ${wordsOf(cause)}`
}
