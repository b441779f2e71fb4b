/** The answers kept of one data version: by query, and by URL as it was written. */
import type { FastifyRequest } from 'fastify'
import type { Budget } from './budget.ts'
import type { Finished } from './finished.ts'

/** Of all URLs together: a request for many metrics has a long one, and reading it again costs more than its answer. */
const MOST_URL_CHARACTERS = 8 * 2 ** 20
/** What an entry takes beside its text, in characters. */
const URL_OVERHEAD = 100

export class Store {
  readonly #budget: Budget
  readonly #answers = new Map<string, Finished>()
  /** Keys by URL; where `Accept` chose the format, by both. */
  readonly #urls = new Map<string, string>()
  #urlCharacters = 0
  #size = 0

  constructor(budget: Budget) {
    this.#budget = budget
    budget.onPressure = () => this.#shrink()
  }

  /** Bytes of all answers. */
  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#answers.size
  }

  get(key: string): Finished | undefined {
    const finished = this.#answers.get(key)
    if (finished) finished.used = true
    return finished
  }

  /** The answer that the same text led to before. */
  byUrl({ url, headers }: FastifyRequest['raw']): Finished | undefined {
    const key = this.#urls.get(url!) ?? this.#urls.get(`${headers.accept ?? ''} ${url}`)
    return key === undefined ? undefined : this.get(key)
  }

  /** Remembers what a URL led to. @param negotiated whether `Accept` chose the format */
  remember(key: string, { url, headers }: FastifyRequest['raw'], negotiated: boolean): void {
    const text = negotiated ? `${headers.accept ?? ''} ${url}` : url!
    if (this.#urls.has(text)) return
    this.#urls.set(text, key)
    this.#urlCharacters += text.length + URL_OVERHEAD
    if (this.#urlCharacters <= MOST_URL_CHARACTERS) return
    for (const oldest of this.#urls.keys()) {
      if (this.#urlCharacters <= MOST_URL_CHARACTERS) return
      this.#urls.delete(oldest)
      this.#urlCharacters -= oldest.length + URL_OVERHEAD
    }
  }

  /** Keeps an answer, and drops others where there is no room. */
  keep(key: string, finished: Finished): void {
    if (this.#answers.has(key) || finished.size > this.#budget.limit / 2) return
    this.#answers.set(key, finished)
    this.#size += finished.size
    finished.keep((bytes) => {
      this.#size += bytes
      this.#shrink()
    })
    this.#shrink()
  }

  /** Drops all: what is being sent is memory until it was. */
  clear(): void {
    for (const finished of this.#answers.values()) finished.drop()
    this.#answers.clear()
    this.#urls.clear()
    this.#size = 0
  }

  /** The clock rule: what was asked for since the last round is passed over once; what is sent would give no room. */
  #shrink(): void {
    if (!this.#budget.exceeded) return
    for (const [key, finished] of this.#answers) {
      if (!this.#budget.exceeded) return
      if (finished.held) continue
      this.#answers.delete(key)
      if (finished.used) {
        finished.used = false
        this.#answers.set(key, finished)
      } else {
        this.#size -= finished.size
        finished.drop()
      }
    }
  }
}
