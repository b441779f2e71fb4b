import { timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Engine, Logger } from '../engine/engine.ts'
import type { Client } from './client.ts'
import { keysState, readKeys } from './key-store.ts'
import { digestOf } from './secret.ts'

/** Shortest time between two refreshes because of an unknown key, in milliseconds. */
const LOOK_MS = 1000

interface Entry {
  readonly digest: Buffer
  readonly client: Client
  /** Milliseconds; of a key that was rotated. */
  readonly until: number
}

/**
 * The valid keys, in memory: a request costs a hash and no query. While the engine does not answer they stay as they
 * were last known.
 */
export class KeyRing {
  readonly #engine: Engine
  #entries: ReadonlyMap<string, Entry> | null = null
  #state = ''
  #refreshing: Promise<void> = Promise.resolve()
  /** A pending refresh, shared by all who ask for one before it begins. */
  #next: Promise<void> | undefined
  /** On the clock of `performance.now()`: when the last of these began. */
  #looked = Number.NEGATIVE_INFINITY

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Whose key it is. It is found by its SHA-256, so that how long the search takes tells nothing of the keys there
   * are, and compared in constant time.
   */
  find(secret: string): Client | 'unknown' | 'keys-not-read' {
    if (!this.#entries) return 'keys-not-read'
    const digest = digestOf(secret)
    const entry = this.#entries.get(digest)
    if (!entry || !timingSafeEqual(entry.digest, Buffer.from(digest, 'hex'))) return 'unknown'
    return Date.now() < entry.until ? entry.client : 'unknown'
  }

  /** Reads the keys again when any of them was changed. @throws what the engine throws */
  refresh(): Promise<void> {
    // one after the other: what was read first must not be taken up last
    const refreshed = this.#refreshing.then(() => this.#refresh())
    this.#refreshing = refreshed.catch(() => {})
    return refreshed
  }

  /** Reads the keys again because of an unknown key, at most once a second for all such requests. */
  lookAgain(): Promise<void> {
    this.#next ??= this.#look()
    return this.#next
  }

  async #look(): Promise<void> {
    await wait(Math.max(0, this.#looked + LOOK_MS - performance.now()))
    this.#next = undefined
    this.#looked = performance.now()
    // while the engine is away the keys last known hold, and the watch tells of it
    await this.refresh().catch(() => {})
  }

  async #refresh(): Promise<void> {
    const state = await keysState(this.#engine)
    if (state === this.#state) return
    const entries = new Map<string, Entry>()
    for (const { id, name, plan, createdAt, digests } of await readKeys(this.#engine)) {
      const client = { id: `key:${id}`, plan, key: { id, name, createdAt } }
      for (const { sha256, until = Number.POSITIVE_INFINITY } of digests) {
        entries.set(sha256, { digest: Buffer.from(sha256, 'hex'), client, until })
      }
    }
    this.#entries = entries
    // asked before the keys were read: a change between the two is read again
    this.#state = state
  }

  /** Looks every so often, also while the engine is away. @returns stop */
  watch(intervalMs: number, log: Logger): () => void {
    let stopped = false
    let timer: NodeJS.Timeout
    let failing = false
    const look = async (): Promise<void> => {
      try {
        await this.refresh()
        failing = false
      } catch (error) {
        if (!failing && !stopped) log.warn({ error }, 'the API keys could not be read: those last known hold')
        failing = true
      }
      if (!stopped) timer = setTimeout(look, intervalMs).unref()
    }
    timer = setTimeout(look, 0).unref()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }
}
