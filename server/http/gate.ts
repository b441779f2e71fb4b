import { Problem } from '../errors.ts'

export interface GateOptions {
  /** Queries at once: the engine's throughput flattens at about 8 on 2 cores. */
  readonly slots: number
  /** Longest queueing time; a request expected to wait longer is rejected at once, which costs nothing. */
  readonly longestWaitMs: number
  /**
   * Requests of one client (key or address) that hold or await a place, streams to their end included. Places it has
   * fewer: one slot is always left to others, and of all slots and the room beside them as many as there are slots.
   */
  readonly perClient: number
  /** A place held longer than this belongs to a slow reader: its slot is given to others while its stream goes on. */
  readonly patienceMs?: number
}

export interface Entering {
  /** Whose request it is: a key or an address. The server's own work has none, and is limited by the queueing time alone. */
  readonly client?: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface Waiter {
  readonly client: string
  readonly enter: () => void
}

/** What one client has at the gate. */
interface Share {
  /** Holding or awaiting a place. */
  requests: number
  inside: number
  aside: number
}

const NOBODY = ''
/** Most requests in the queue, however short the expected wait: each of them costs memory. */
const MOST_WAITING = 1000
/** Weight of the newest interval between two turns in the running mean. */
const NEWEST = 0.1

/**
 * Admits a limited number of concurrent queries to the engine and bounds the queueing time of the others. Clients take
 * turns, so that one with a long queue does not keep out one with a single request.
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
  readonly #shares = new Map<string, Share>()
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

  /** Whether slow readers hold slots that others wait for, with no room beside them. */
  get blocked(): boolean {
    return this.#due.size > 0 && this.#waiting > 0
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
    const share = this.#count(client)
    try {
      if (this.#mayEnter(client)) this.#takeSlot(client)
      else await this.#wait(client, signal)
    } catch (error) {
      this.#uncount(client, share)
      throw error
    }
    return this.#place(client, share)
  }

  #place(client: string, share: Share): () => void {
    let state: 'inside' | 'aside' | 'left' = 'inside'
    const stepAside = (): void => {
      if (this.#aside >= this.#mostAside) {
        this.#due.add(stepAside)
        return
      }
      this.#due.delete(stepAside)
      state = 'aside'
      this.#aside++
      share.aside++
      this.#giveSlot(share)
    }
    const patience = setTimeout(stepAside, this.#options.patienceMs).unref()
    return () => {
      if (state === 'left') return
      clearTimeout(patience)
      this.#due.delete(stepAside)
      const was = state
      state = 'left'
      this.#uncount(client, share)
      if (was === 'inside') {
        this.#giveSlot(share)
        return
      }
      this.#aside--
      share.aside--
      const [due] = this.#due
      if (due) due()
      else this.#fill()
    }
  }

  /** Whether there is a slot, and one that this client may have. */
  #mayEnter(client: string): boolean {
    const { slots } = this.#options
    if (this.#inside >= slots) return false
    const share = client === NOBODY ? undefined : this.#shares.get(client)
    if (!share) return true
    return share.inside < Math.max(1, slots - 1) && share.inside + share.aside < slots
  }

  #takeSlot(client: string): void {
    this.#inside++
    const share = this.#shares.get(client)
    if (share) share.inside++
  }

  #giveSlot(share: Share): void {
    this.#inside--
    share.inside--
    this.#fill()
  }

  #wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    const { longestWaitMs } = this.#options
    const foreseen = (this.#before(client) + 1) * this.#interval
    if (this.#waiting >= MOST_WAITING || foreseen > longestWaitMs) throw this.#refusal(client)
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
      const deadline = setTimeout(() => giveUp(this.#refusal(client)), longestWaitMs)
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

  /** Gives free slots to the first waiters of the next clients that may have one. */
  #fill(): void {
    for (const [client, queue] of this.#queues) {
      if (this.#inside >= this.#options.slots) return
      if (!this.#mayEnter(client)) continue
      const waiter = queue.shift()!
      this.#queues.delete(client)
      // behind the others, where this loop comes to it again
      if (queue.length > 0) this.#queues.set(client, queue)
      this.#waiting--
      this.#measure()
      this.#takeSlot(client)
      waiter.enter()
    }
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

  #count(client: string): Share {
    const share = this.#shares.get(client) ?? { requests: 0, inside: 0, aside: 0 }
    // the server's own work has a share of its own each time, which nothing limits
    if (client === NOBODY) return share
    if (share.requests >= this.#options.perClient) {
      throw new Problem(
        'too-many-requests',
        `${share.requests} requests of this client are being answered, at most ${this.#options.perClient} may be at once`,
        { retryAfter: 1 },
      )
    }
    share.requests++
    this.#shares.set(client, share)
    return share
  }

  #uncount(client: string, share: Share): void {
    share.requests--
    if (share.requests === 0) this.#shares.delete(client)
  }

  /** Why there was no place: its own answers take all that one client may have, or those of all do. */
  #refusal(client: string): Problem {
    const retryAfter = Math.max(1, Math.ceil(this.#options.longestWaitMs / 1000))
    const share = this.#shares.get(client)
    if (share && this.#inside < this.#options.slots && !this.#mayEnter(client)) {
      return new Problem(
        'too-many-requests',
        `${share.inside + share.aside} answers of this client have places at the engine, as many as one client may have`,
        { retryAfter },
      )
    }
    return new Problem(
      'overloaded',
      `every place at the engine is taken, and none would be free within ${this.#options.longestWaitMs / 1000} s`,
      { retryAfter },
    )
  }
}
