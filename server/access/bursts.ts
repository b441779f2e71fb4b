/** The burst limit: requests of each client in windows that begin with a request. */
import { LruMap } from 'toad-cache'

interface Window {
  began: number
  count: number
}

/** Where a client stands in its window. */
export interface Burst {
  readonly max: number
  readonly remaining: number
  /** Until the window is over, rounded up. */
  readonly seconds: number
  readonly isExceeded: boolean
}

const WINDOW_MS = 1000
/** More clients than this at once share the memory of the limit: the one longest unseen is forgotten. */
const MOST_CLIENTS = 50_000

export class Bursts {
  readonly #windows = new LruMap<Window>(MOST_CLIENTS)

  /** Counts a request. @param max requests that a window may have */
  count(client: string, max: number): Burst {
    const now = Date.now()
    let window = this.#windows.get(client)
    if (!window) {
      window = { began: now, count: 0 }
      this.#windows.set(client, window)
    } else if (now >= window.began + WINDOW_MS) {
      window.began = now
      window.count = 0
    }
    window.count++
    return {
      max,
      remaining: Math.max(0, max - window.count),
      seconds: Math.ceil((window.began + WINDOW_MS - now) / 1000),
      isExceeded: window.count > max,
    }
  }
}
