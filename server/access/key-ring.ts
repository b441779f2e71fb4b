import { timingSafeEqual } from 'node:crypto'
import type { Engine, Logger } from '../engine/engine.ts'
import type { Client } from './client.ts'
import { keysState, readKeys } from './key-store.ts'
import { digestOf } from './secret.ts'

interface Entry {
  readonly digest: Buffer
  readonly client: Client
  /** Milliseconds; of a key that was rotated. */
  readonly until: number
}

/**
 * The keys in force, in memory: a request costs a hash and no query. An engine that does not answer leaves them as
 * they were last known.
 */
export class KeyRing {
  readonly #engine: Engine
  #entries: ReadonlyMap<string, Entry> | null = null
  #state = ''

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
  async refresh(): Promise<void> {
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
