import { Problem } from '../errors.ts'

export interface GateOptions {
  /** Queries at once: the engine's throughput flattens at about 8 on 2 cores. */
  readonly slots: number
  /** Nobody waits longer than this for a place; who foreseeably would is refused at once, which costs nothing. */
  readonly longestWaitMs: number
  /** Requests of one client (key or address) that hold or await a place, streams to their end included. */
  readonly perClient: number
  /** A place held for so long is a slow reader's: its slot goes to others, its stream goes on beside them. */
  readonly patienceMs?: number
}

export interface Entering {
  /** Whose request: a key or an address. The server's own work has none, and no limit but the wait. */
  readonly client?: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface Waiter {
  readonly client: string
  readonly enter: () => void
}

const NOBODY = ''
/** A hail of new connections is refused from here on, whatever the wait would be: each waiter costs memory. */
const MOST_WAITING = 1000
/** Weight of the newest interval between two turns in the running mean. */
const NEWEST = 0.1

/**
 * Lets so many queries at once to the engine and bounds how long the rest waits. Clients take turns, so that one
 * with a long queue does not keep out one with a single request.
 */
export class Gate {
  readonly #options: Required<GateOptions>
  /** Streams of slow readers that go on without a slot: each still holds a connection and a query of the engine. */
  readonly #mostAside: number
  #inside = 0
  #aside = 0
  #waiting = 0
  /** Waiters by client, in the order of the clients' turns. */
  readonly #queues = new Map<string, Waiter[]>()
  readonly #held = new Map<string, number>()
  /** Places that are due to step aside and find no room there. */
  readonly #due = new Set<() => void>()
  /** Running mean of the time between two turns while somebody waits, in milliseconds. */
  #interval = 0
  #lastTurn = 0

  constructor(options: GateOptions) {
    this.#options = { patienceMs: 10_000, ...options }
    this.#mostAside = options.slots * 2
  }

  get slots(): number {
    return this.#options.slots
  }

  /** Places that hold a slot. */
  get inside(): number {
    return this.#inside
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Slow readers' streams. */
  get aside(): number {
    return this.#aside
  }

  /**
   * Waits for a place.
   * @returns what gives it back; calling it twice is harmless
   * @throws Problem `overloaded` or `too-many-requests`; the signal's reason
   */
  async enter({ client = NOBODY, signal }: Entering = {}): Promise<() => void> {
    signal?.throwIfAborted()
    this.#count(client)
    try {
      if (this.#inside < this.#options.slots) this.#inside++
      else await this.#wait(client, signal)
    } catch (error) {
      this.#uncount(client)
      throw error
    }
    return this.#place(client)
  }

  #place(client: string): () => void {
    let state: 'inside' | 'aside' | 'left' = 'inside'
    const stepAside = (): void => {
      if (this.#aside >= this.#mostAside) {
        this.#due.add(stepAside)
        return
      }
      this.#due.delete(stepAside)
      state = 'aside'
      this.#aside++
      this.#next()
    }
    const patience = setTimeout(stepAside, this.#options.patienceMs).unref()
    return () => {
      if (state === 'left') return
      clearTimeout(patience)
      this.#due.delete(stepAside)
      if (state === 'aside') {
        this.#aside--
        for (const due of this.#due) {
          due()
          break
        }
      } else this.#next()
      state = 'left'
      this.#uncount(client)
    }
  }

  #wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    const { longestWaitMs } = this.#options
    const foreseen = (this.#before(client) + 1) * this.#interval
    if (this.#waiting >= MOST_WAITING || foreseen > longestWaitMs) throw this.#overloaded()
    if (this.#waiting === 0) this.#lastTurn = performance.now()
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        clearTimeout(deadline)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        client,
        enter: () => {
          forget()
          resolve()
        },
      }
      const giveUp = (reason: unknown): void => {
        forget()
        this.#remove(waiter)
        reject(reason)
      }
      const onAbort = (): void => giveUp(signal!.reason)
      const deadline = setTimeout(() => giveUp(this.#overloaded()), longestWaitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      const queue = this.#queues.get(client)
      if (queue) queue.push(waiter)
      else this.#queues.set(client, [waiter])
      this.#waiting++
    })
  }

  /** Waiters that have their turn before a new one of this client. */
  #before(client: string): number {
    const own = this.#queues.get(client)?.length ?? 0
    let before = own
    for (const [other, queue] of this.#queues) {
      if (other !== client) before += Math.min(queue.length, own + 1)
    }
    return before
  }

  /** Hands a slot on: to the next client's first waiter, or to nobody. */
  #next(): void {
    for (const [client, queue] of this.#queues) {
      const waiter = queue.shift()!
      this.#queues.delete(client)
      if (queue.length > 0) this.#queues.set(client, queue)
      this.#waiting--
      this.#measure()
      waiter.enter()
      return
    }
    this.#inside--
  }

  #measure(): void {
    const now = performance.now()
    // what an engine that stood still adds is bounded, so that its recovery is believed soon
    const interval = Math.min(now - this.#lastTurn, this.#options.longestWaitMs)
    this.#interval += (interval - this.#interval) * NEWEST
    this.#lastTurn = now
  }

  #remove(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.client)!
    queue.splice(queue.indexOf(waiter), 1)
    if (queue.length === 0) this.#queues.delete(waiter.client)
    this.#waiting--
  }

  #count(client: string): void {
    if (client === NOBODY) return
    const held = this.#held.get(client) ?? 0
    if (held >= this.#options.perClient) {
      throw new Problem(
        'too-many-requests',
        `${held} requests of this client are being answered, at most ${this.#options.perClient} may be at once`,
        { retryAfter: 1 },
      )
    }
    this.#held.set(client, held + 1)
  }

  #uncount(client: string): void {
    const held = this.#held.get(client)
    if (held === undefined) return
    if (held > 1) this.#held.set(client, held - 1)
    else this.#held.delete(client)
  }

  #overloaded(): Problem {
    const seconds = this.#options.longestWaitMs / 1000
    return new Problem(
      'overloaded',
      `every place at the engine is taken, and none would be free within ${seconds} s`,
      { retryAfter: Math.max(1, Math.ceil(seconds)) },
    )
  }
}
