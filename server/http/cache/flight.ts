/** One query for equal requests: its bytes are collected for all of them, as far as they can be kept. */
import type { Readable } from 'node:stream'
import { Problem } from '../../errors.ts'
import type { Produced } from '../answers/answering.ts'
import type { Budget } from './budget.ts'
import type { Finished } from './finished.ts'
import { Reader } from './reader.ts'

export type Outcome =
  /** The whole answer. */
  | { readonly kind: 'finished'; readonly finished: Finished }
  /** The answer as it comes: for one client alone. */
  | { readonly kind: 'stream'; readonly headers: Produced['headers']; readonly body: Readable }
  /** It is longer than what is kept: the client needs a query of its own. */
  | { readonly kind: 'long' }
  /** The query was refused for whose it was, not for what it was. */
  | { readonly kind: 'again' }

export interface FlightOptions {
  readonly produce: (signal: AbortSignal) => Promise<Produced>
  readonly budget: Budget
  /** Bytes of the longest answer that is kept. */
  readonly longest: number
  /** It was asked for before: only then it is collected whatever its length. */
  readonly again: boolean
  /** Makes what all who wait are sent, and keeps it. */
  readonly finish: (headers: Produced['headers'], bytes: Buffer) => Finished
  /** Called once, when nobody can join any more. */
  readonly onOver: (end: End) => void
}

/** `once`: it passed as a stream since nobody but its first client wants it so far, or for want of memory. */
export type End = 'finished' | 'long' | 'once' | 'failed'

interface Waiter {
  /** Needs all of it before anything is sent: its length, or ranges of it. */
  readonly whole: boolean
  readonly settle: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void
}

/** From here on the first client is sent what there is, rather than waiting for the rest. */
const BEGIN_SENDING = 1024 * 1024
/** The same while clients that pause leave much unread already: each of them has so much in memory. */
const BEGIN_IN_A_CROWD = 64 * 1024
/**
 * From here on it is collected only where somebody asked for it twice: most answers of this length never are, and to
 * collect one costs more than to send it.
 */
const LONG_FOR_ONCE = 4 * 1024 * 1024

export class Flight {
  readonly #options: FlightOptions
  readonly #gone = new AbortController()
  readonly #waiting: Waiter[] = []
  #state: 'collecting' | 'long' | 'over' = 'collecting'
  #headers: Produced['headers'] = {}
  #source: Readable | undefined
  #chunks: Buffer[] = []
  #length = 0
  #reader: Reader | undefined
  #longForOnce = LONG_FOR_ONCE
  /** Bytes taken from the budget. */
  #taken = 0
  /** Bytes that the reader was given at once and has not read. */
  #unread = 0
  /** Ends that the reader holds the finished answer. */
  #unhold = (): void => {}

  constructor(options: FlightOptions) {
    this.#options = options
    options.produce(this.#gone.signal).then(
      (produced) => this.#begin(produced),
      (error) => this.#fail(error),
    )
  }

  /** Waits for the answer. A client whose signal is aborted leaves; when the last has left, the query is ended. */
  join({ signal, whole }: { signal: AbortSignal; whole: boolean }): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(signal.reason)
        this.#endIfUnwanted()
      }
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', leave)
          settle(value)
        }
      const waiter: Waiter = { whole, settle: settled(resolve), fail: settled(reject) }
      this.#waiting.push(waiter)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
  }

  #begin({ headers, body, atHand }: Produced): void {
    this.#headers = headers
    if (atHand) this.#longForOnce = BEGIN_SENDING
    if (Buffer.isBuffer(body)) {
      this.#chunks.push(body)
      this.#end()
      return
    }
    this.#source = body
    body.on('error', (error) => this.#fail(error))
    if (this.#state === 'over') {
      body.destroy()
      return
    }
    body.on('data', (chunk: Buffer) => this.#add(chunk))
    body.on('end', () => this.#end())
    body.on('close', () => this.#fail(new Error('the answer was left before its end')))
  }

  #add(chunk: Buffer): void {
    if (this.#state === 'long') {
      this.#reader?.add(chunk)
      if (this.#reader?.backlog) this.#source!.pause()
      return
    }
    this.#chunks.push(chunk)
    this.#length += chunk.length
    this.#reader?.add(chunk)
    const { budget, longest, again } = this.#options
    const crowded = budget.crowded(this.#unread)
    if (this.#length <= (crowded ? BEGIN_IN_A_CROWD : BEGIN_SENDING)) return
    if (!this.#reader) this.#give(this.#waiting.findIndex((waiter) => !waiter.whole))
    if (this.#length > longest) {
      this.#turnLong('long')
      return
    }
    if (crowded || !budget.collect(chunk.length)) {
      this.#turnLong('once')
      return
    }
    this.#taken += chunk.length
    if (this.#length > this.#longForOnce && !again && this.#waiting.length === 0) this.#turnLong('once')
  }

  /** Hands what there is, and what follows, to one of those who wait. */
  #give(place: number): void {
    const waiter = place < 0 ? undefined : this.#waiting.splice(place, 1)[0]
    if (!waiter) return
    const reader = new Reader({
      onDrained: () => {
        this.#countUnread(0)
        if (this.#state !== 'collecting') this.#release()
        if (this.#state === 'long') this.#source!.resume()
      },
      onClosed: () => this.#readerLeft(),
    })
    for (const chunk of this.#chunks) reader.add(chunk)
    this.#reader = reader
    this.#countUnread(this.#length)
    waiter.settle({ kind: 'stream', headers: this.#headers, body: reader })
  }

  /** Nobody can share it any more: what was read is let go, and the reader's pace becomes the engine's. */
  #turnLong(end: 'long' | 'once'): void {
    if (!this.#reader) this.#give(0)
    this.#state = 'long'
    this.#chunks = []
    this.#options.onOver(end)
    for (const waiter of this.#waiting.splice(0)) waiter.settle({ kind: 'long' })
    if (this.#reader?.backlog) this.#source!.pause()
  }

  #end(): void {
    const wasLong = this.#state === 'long'
    if (this.#state === 'over') return
    this.#state = 'over'
    if (!wasLong) {
      // a copy: the chunks are views of larger buffers
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
      this.#chunks = []
      // from here on the finished answer counts itself
      this.#release()
      const finished = this.#options.finish(this.#headers, bytes)
      this.#options.onOver('finished')
      for (const waiter of this.#waiting.splice(0)) waiter.settle({ kind: 'finished', finished })
      if (this.#reader) this.#unhold = finished.hold()
      this.#reader?.finish(bytes)
    } else if (this.#reader) this.#reader.finish()
    else this.#release()
  }

  #fail(error: unknown): void {
    if (this.#state === 'over') return
    if (this.#state === 'collecting') this.#options.onOver('failed')
    this.#state = 'over'
    this.#chunks = []
    this.#release()
    const personal = error instanceof Problem && error.code === 'too-many-requests'
    for (const [i, waiter] of this.#waiting.splice(0).entries()) {
      // the first began the flight: the refusal is its own
      if (personal && i > 0) waiter.settle({ kind: 'again' })
      else waiter.fail(error)
    }
    this.#reader?.destroy(error as Error)
  }

  #readerLeft(): void {
    this.#reader = undefined
    this.#countUnread(0)
    this.#unhold()
    if (this.#state === 'over') this.#release()
    else if (this.#state === 'long') this.#stop()
    else this.#endIfUnwanted()
  }

  #endIfUnwanted(): void {
    if (this.#state !== 'collecting' || this.#waiting.length > 0 || this.#reader) return
    this.#options.onOver('failed')
    this.#stop()
  }

  #stop(): void {
    this.#state = 'over'
    this.#chunks = []
    this.#release()
    this.#gone.abort(new Error('every client that waited is gone'))
    this.#source?.destroy()
  }

  #countUnread(bytes: number): void {
    this.#options.budget.unread(bytes - this.#unread)
    this.#unread = bytes
  }

  #release(): void {
    this.#options.budget.release(this.#taken)
    this.#taken = 0
  }
}
