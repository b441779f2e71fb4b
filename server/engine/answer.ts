import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AnswerCut, EngineError, fromClickHouse } from './errors.ts'

type Controller = Dispatcher.DispatchController

const NOTHING = Buffer.alloc(0)
const CARRIAGE_RETURN = 13

/**
 * The body of a ClickHouse answer. ClickHouse can fail after it has sent 200: it then writes an exception block,
 * whose first lines hold the tag that the answer's header announced, and cuts the connection. The block is kept
 * back (it would tell SQL to a client) and becomes the stream's error.
 */
export class Answer extends Readable {
  readonly #controller: Controller
  readonly #marker: Buffer | null
  /** The end of the last chunk, where it may be the beginning of the marker. */
  #held: Buffer = NOTHING
  #exception: Buffer[] | null = null
  #over = false

  constructor(controller: Controller, exceptionTag: string | undefined) {
    super({ highWaterMark: 256 * 1024 })
    this.#controller = controller
    // it may fail before its reader listens, who is told when it begins to read
    this.on('error', () => {})
    this.#marker = exceptionTag ? Buffer.from(`\r\n__exception__\r\n${exceptionTag}`) : null
  }

  override _read(): void {
    this.#controller.resume()
  }

  /** A reader that goes away cancels the query: ClickHouse notices the closed connection. */
  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.#over) {
      this.#over = true
      this.#controller.abort(error ?? new AnswerCut('the answer was not wanted any more'))
    }
    callback(error)
  }

  add(chunk: Buffer): void {
    if (this.#exception) {
      this.#exception.push(chunk)
      return
    }
    const data = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = NOTHING
    if (!this.#marker) {
      this.#forward(data)
      return
    }
    const at = data.indexOf(this.#marker)
    if (at >= 0) {
      this.#exception = [data.subarray(at + this.#marker.length)]
      this.#forward(data.subarray(0, at))
      return
    }
    const keep = beginningOf(this.#marker, data)
    this.#held = data.subarray(data.length - keep)
    this.#forward(data.subarray(0, data.length - keep))
  }

  end(): void {
    this.#over = true
    if (this.#exception) this.destroy(this.#exceptionError())
    else {
      if (this.#held.length > 0) this.push(this.#held)
      this.push(null)
    }
  }

  fail(cause: Error): void {
    this.#over = true
    if (this.#exception) this.destroy(this.#exceptionError())
    else if (cause instanceof EngineError || cause.name === 'AbortError') this.destroy(cause)
    else this.destroy(new AnswerCut('the engine ended before its answer was whole', { cause }))
  }

  #forward(data: Buffer): void {
    if (data.length > 0 && !this.push(data)) this.#controller.pause()
  }

  #exceptionError(): Error {
    const text = Buffer.concat(this.#exception!).toString()
    return fromClickHouse(Number(/Code: (\d+)/.exec(text)?.[1] ?? 0), text)
  }
}

/** How many of the last bytes are a beginning of the marker. */
function beginningOf(marker: Buffer, data: Buffer): number {
  let at = data.indexOf(CARRIAGE_RETURN, Math.max(0, data.length - marker.length + 1))
  while (at >= 0) {
    if (data.subarray(at).equals(marker.subarray(0, data.length - at))) return data.length - at
    at = data.indexOf(CARRIAGE_RETURN, at + 1)
  }
  return 0
}
