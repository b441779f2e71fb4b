/**
 * Memory for answers: those that are kept, those on their way to clients (though they may be kept no more), and what is
 * being collected to be kept.
 */
export class Budget {
  readonly limit: number
  #collecting = 0
  #finished = 0
  #held = 0
  #unread = 0
  /** Makes room among what is kept. */
  onPressure = (): void => {}

  constructor(limit: number) {
    this.limit = limit
  }

  /** Whether less is to be kept. */
  get exceeded(): boolean {
    return this.#collecting + this.#finished > this.limit
  }

  /** At most half goes to what is collected or sent, lest the kept be driven out by what may never be kept. */
  collect(bytes: number): boolean {
    if (!this.mayHold(bytes)) return false
    this.#collecting += bytes
    this.onPressure()
    return true
  }

  release(bytes: number): void {
    this.#collecting -= bytes
  }

  /** Whether so many bytes more may be held for clients that take them at their own pace. */
  mayHold(bytes: number): boolean {
    return this.#collecting + this.#held + bytes <= this.limit / 2
  }

  /** Counts what clients were given of answers that are still being made, until they have read it. */
  unread(bytes: number): void {
    this.#unread += bytes
  }

  /** Whether clients leave so much unread that others are given little before they ask. @param own not of others */
  crowded(own: number): boolean {
    return this.#unread - own > this.limit / 4
  }

  /** Counts finished answers. @param held those of them that are being sent */
  count(finished: number, held: number): void {
    this.#finished += finished
    this.#held += held
  }
}
