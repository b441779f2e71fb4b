import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256OfFile } from '../lib/digest.ts'
import { LoadError } from '../lib/errors.ts'
import { causeOf, Passing, refusalOf } from './faults.ts'
import {
  beginningHeld,
  dropBeginning,
  keepBeginning,
  noteBeginning,
  type Validators,
  validatorsOf,
} from './validators.ts'

export interface DownloadOptions {
  headers?: Readonly<Record<string, string>>
  /** What an answer of this address said that is held: it is asked whether there is another. */
  held?: Validators | undefined
  /** Tries before giving up; default 5. */
  tries?: number
  /** First pause between tries, doubled each time; default 1 s. A `Retry-After` of the publisher goes before. */
  pauseMs?: number
  /** Longest pause that a `Retry-After` may ask for before giving up; default 120 s. */
  mostPauseMs?: number
  /** Time in which less than a KiB comes after which a try is given up; default 30 s. */
  idleMs?: number
  /** More than this is not the file that was asked for; default 1 GiB. */
  mostBytes?: number
  /** Waited for before each request: keeps a rate. */
  turn?: () => Promise<void>
  /** Ends it; what has come stays, and the next download of the same address goes on from there. */
  signal?: AbortSignal | undefined
  note?: (text: string) => void
}

/** What an address gave: a file, or the word that what is held is the same. */
export type Answer = 'unchanged' | (Validators & { bytes: number; sha256: string })

type Settings = Required<
  Pick<DownloadOptions, 'tries' | 'pauseMs' | 'mostPauseMs' | 'idleMs' | 'mostBytes'>
> &
  DownloadOptions

const defaults = { tries: 5, pauseMs: 1000, mostPauseMs: 120_000, idleMs: 30_000, mostBytes: 2 ** 30 }

const MOST_REDIRECTS = 5
/** A body that comes more slowly than this each `idleMs` is as good as none. */
const ALIVE_BYTES = 1024

/**
 * Fetches an address into a file. Network faults, time-outs, half-sent bodies, 408, 425, 429 and 5xx are tried again
 * with growing pauses; what had come of a large file is kept, and asked for no second time where the publisher can
 * resume. The file appears under its name only when it is whole.
 * @throws NotPublished for 404 and 410
 * @throws LoadError naming the address and the last fault when no try succeeded
 */
export async function download(url: string, path: string, options: DownloadOptions = {}): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const settings: Settings = { ...defaults, ...given }
  const { tries, mostPauseMs, note, signal } = settings
  await mkdir(dirname(path), { recursive: true })
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt(url, path, settings)
    } catch (error) {
      // what has come is gone on with later, where the publisher can
      if (signal?.aborted || error instanceof Passing) await keepBeginning(path)
      else await dropBeginning(path)
      signal?.throwIfAborted()
      if (!(error instanceof Passing)) throw error
      const pause = error.pauseMs ?? settings.pauseMs * 2 ** (tried - 1)
      if (tried >= tries) throw new LoadError(`${url}: ${error.message} (tried ${tried} times)`)
      if (pause > mostPauseMs)
        throw new LoadError(
          `${url}: ${error.message}; asked to wait ${Math.ceil(pause / 1000)} s: try again later`,
        )
      note?.(`${url}: ${error.message}; trying again in ${(pause / 1000).toFixed(1)} s`)
      await sleep(pause, undefined, { signal })
    }
  }
}

async function attempt(url: string, path: string, settings: Settings): Promise<Answer> {
  const { idleMs, held, signal } = settings
  await settings.turn?.()
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), idleMs)
  const part = `${path}.part`
  try {
    const begun = await beginningHeld(path, url)
    const conditions: Record<string, string> = begun
      ? { range: `bytes=${begun.bytes}-`, 'if-range': begun.validator, 'accept-encoding': 'identity' }
      : {
          ...(held?.etag && { 'if-none-match': held.etag }),
          ...(held?.lastModified && { 'if-modified-since': held.lastModified }),
        }
    const either = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal
    const response = await ask(url, { ...settings.headers, ...conditions }, either)
    if (response.status === 304 && held) return 'unchanged'
    if (
      begun &&
      (response.status === 416 || (response.status === 206 && startOf(response) !== begun.bytes))
    ) {
      await response.body?.cancel()
      await dropBeginning(path)
      throw new Passing('what had come of it cannot be gone on with', 0)
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw refusalOf(url, response)
    }
    const now = validatorsOf(response)
    // a publisher may ignore the conditions and send the same again
    if (!begun && held && isSame(held, now, lengthOf(response))) {
      await response.body?.cancel()
      return 'unchanged'
    }
    if (!response.body) throw new Passing('the answer has no body')
    const from = begun && response.status === 206 ? begun.bytes : 0
    if (from === 0) await noteBeginning(path, url, response)
    const bytes = await receive(response.body, part, from, settings.mostBytes, () => timer.refresh())
    checkLength(response, from, bytes)
    await rename(part, path)
    await dropBeginning(path)
    return { ...now, bytes, sha256: await sha256OfFile(path) }
  } catch (error) {
    signal?.throwIfAborted()
    if (idle.signal.aborted) throw new Passing(`nothing came for ${idleMs / 1000} s`)
    if (error instanceof Passing || error instanceof LoadError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EACCES') throw error
    throw new Passing(causeOf(error))
  } finally {
    clearTimeout(timer)
  }
}

/** Follows redirects itself: what a declaration sends along (a token, a user) goes to no other host. */
async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  let [at, sent] = [url, { accept: '*/*', ...headers } as Record<string, string>]
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(at, { headers: sent, signal, redirect: 'manual' })
    const location = response.headers.get('location')
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response
    await response.body?.cancel()
    const next = URL.canParse(location, at) ? new URL(location, at) : undefined
    if (!next || !/^https?:$/.test(next.protocol) || (at.startsWith('https:') && next.protocol === 'http:'))
      throw new LoadError(`${url}: the publisher redirects to ${location}, which is not followed`)
    if (redirects >= MOST_REDIRECTS)
      throw new LoadError(`${url}: the publisher redirects more than ${MOST_REDIRECTS} times`)
    if (next.origin !== new URL(at).origin) {
      const kept = ['user-agent', 'accept', 'range', 'if-range', 'if-none-match', 'if-modified-since']
      sent = Object.fromEntries(Object.entries(sent).filter(([name]) => kept.includes(name.toLowerCase())))
    }
    at = next.href
  }
}

/** Where a 206 goes on: it must be where what is held ends. */
const startOf = ({ headers }: Response): number =>
  Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1])

function lengthOf({ headers }: Response): number | undefined {
  const promised = headers.get('content-length')
  return promised === null || headers.get('content-encoding') !== null ? undefined : Number(promised)
}

function isSame(held: Validators, now: Validators, length: number | undefined): boolean {
  const lengthsAgree = length === undefined || held.bytes === undefined || held.bytes === length
  if (held.etag && now.etag) return held.etag === now.etag && lengthsAgree
  return !!held.lastModified && held.lastModified === now.lastModified && lengthsAgree
}

/** A connection that is closed early can look like an end: the length that was promised tells. */
function checkLength(response: Response, from: number, bytes: number): void {
  const promised = lengthOf(response)
  if (promised !== undefined && from + promised !== bytes)
    throw new Passing(`the body ends after ${bytes} of ${from + promised} bytes`)
}

/** Writes a body down as it comes, behind what is there: whatever ends it, what had come is in the file. */
async function receive(
  body: NonNullable<Response['body']>,
  part: string,
  from: number,
  most: number,
  alive: () => void,
): Promise<number> {
  const file = await open(part, from > 0 ? 'a' : 'w')
  let [bytes, unseen] = [from, 0]
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      unseen += chunk.length
      if (bytes > most) throw new LoadError(`the body is larger than ${most} bytes`)
      if (unseen >= ALIVE_BYTES) {
        unseen = 0
        alive()
      }
      await file.write(chunk)
    }
  } finally {
    await file.close()
  }
  return bytes
}
