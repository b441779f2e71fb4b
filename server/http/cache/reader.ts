import { Readable } from 'node:stream'

const PIECE = 256 * 1024

/** Bytes as they are added, at the pace of who reads them. */
export class Reader extends Readable {
  readonly #onDrained: () => void
  readonly #onClosed: () => void
  readonly #queue: Buffer[] = []
  #wanted = false
  #finished = false

  /** @param options.onDrained all that was added is read, and more is wanted */
  constructor(options: { onDrained: () => void; onClosed: () => void }) {
    super({ highWaterMark: PIECE })
    this.#onDrained = options.onDrained
    this.#onClosed = options.onClosed
  }

  /** Whether there is more than the reader wants at the moment. */
  get backlog(): boolean {
    return this.#queue.length > 0
  }

  add(chunk: Buffer): void {
    this.#queue.push(chunk)
    this.#flow()
  }

  /** Nothing is added any more. @param whole all that was added: what is not read yet is read from there */
  finish(whole?: Buffer): void {
    this.#finished = true
    if (whole) {
      const unread = this.#queue.reduce((sum, { length }) => sum + length, 0)
      this.#queue.length = 0
      for (let at = whole.length - unread; at < whole.length; at += PIECE) {
        this.#queue.push(whole.subarray(at, at + PIECE))
      }
    }
    this.#flow()
  }

  override _read(): void {
    this.#wanted = true
    this.#flow()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#queue.length = 0
    this.#onClosed()
    done(error)
  }

  #flow(): void {
    while (this.#wanted && this.#queue.length > 0) this.#wanted = this.push(this.#queue.shift())
    if (this.#queue.length > 0 || this.destroyed) return
    if (this.#finished) this.push(null)
    else if (this.#wanted) this.#onDrained()
  }
}
