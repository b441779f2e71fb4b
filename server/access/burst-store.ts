import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LruMap } from 'toad-cache'

interface Window {
  began: number
  count: number
}

/** More clients than this at once share the memory of the limit: the one longest unseen is forgotten. */
export const MOST_CLIENTS = 50_000

/**
 * Requests of each client in windows that begin with a request. The store of the library hands out the record that it
 * goes on to count in, so that requests that come at once would all see the count of the last one.
 */
export class BurstStore implements FastifyRateLimitStore {
  readonly #windows = new LruMap<Window>(MOST_CLIENTS)

  incr(
    client: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    windowMs = 1000,
  ): void {
    const now = Date.now()
    let window = this.#windows.get(client)
    if (!window) {
      window = { began: now, count: 0 }
      this.#windows.set(client, window)
    } else if (now >= window.began + windowMs) {
      window.began = now
      window.count = 0
    }
    window.count++
    callback(null, { current: window.count, ttl: window.began + windowMs - now })
  }

  child(): this {
    return this
  }
}
