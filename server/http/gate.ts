import { Problem } from '../errors.ts'

/**
 * Lets so many queries at once to the engine, whose throughput flattens at about 8 on 2 cores, and queues the
 * rest in order. Beyond `most` in the queue a request is `overloaded` at once, which costs nothing.
 */
export class Gate {
  readonly #slots: number
  readonly #most: number
  #inside = 0
  readonly #waiting: { enter: () => void; leave: () => void }[] = []

  constructor(slots: number, most = 1000) {
    this.#slots = slots
    this.#most = most
  }

  get inside(): number {
    return this.#inside
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Waits for a slot. @returns what gives it back; calling it twice is harmless. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    if (this.#inside < this.#slots) this.#inside++
    else await this.#wait(signal)
    let held = true
    return () => {
      if (!held) return
      held = false
      const next = this.#waiting.shift()
      if (next) next.enter()
      else this.#inside--
    }
  }

  #wait(signal?: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#most) {
      throw new Problem('overloaded', 'too many queries are waiting for the engine', { retryAfter: 2 })
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1)
        reject(signal!.reason)
      }
      const place = {
        enter: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
        leave: onAbort,
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(place)
    })
  }
}
