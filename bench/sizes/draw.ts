/** Numbers that look like chance and are the same for the same seed. */
export class Draw {
  #state: number

  constructor(...seed: readonly number[]) {
    this.#state = seed.reduce((state, part) => Math.imul(state ^ part, 0x9e3779b1) >>> 0, 0x12345678)
  }

  /** At least 0, less than 1. (Mulberry32.) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0, below `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }
}
