import net from 'node:net'

/** A request as the load generator sends it. */
export interface WireRequest {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What is known of an answer that was read to its end; the bytes are those of the body alone. */
export interface Timed {
  readonly status: number
  readonly bytes: number
  readonly firstByteMs: number
  readonly ms: number
}

/** The bytes of a request, made once and sent any number of times. */
export function wire({ path, method = 'GET', headers = {}, body = '' }: WireRequest, host: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== '') lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const BUFFER_BYTES = 1 << 18

/**
 * One kept-alive HTTP/1.1 connection that counts the bytes of an answer and throws them away: on a machine that it
 * shares with the server, a client that keeps or decodes bodies would be most of what is measured.
 */
export class Connection {
  readonly #socket: net.Socket
  readonly #answer = new AnswerReader()
  #sentAt = 0
  #firstAt = 0
  #waiting: { resolve(timed: Timed): void; reject(error: Error): void } | undefined
  #lost: Error | undefined

  constructor(origin: URL) {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
    this.#socket = net.connect({
      host: origin.hostname,
      port: Number(origin.port),
      noDelay: true,
      onread: {
        buffer,
        callback: (length, bytes) => {
          this.#take(Buffer.from(bytes.buffer, bytes.byteOffset, length))
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the connection was cut before the answer ended')))
  }

  /** Whether it can be asked again. */
  get usable(): boolean {
    return this.#lost === undefined
  }

  /** Sends a request and waits for the end of its answer. Rejects where the connection ends before. */
  ask(request: string): Promise<Timed> {
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#answer.reset()
      this.#firstAt = 0
      this.#sentAt = performance.now()
      this.#socket.write(request)
    })
  }

  /** @param why what a request that is under way is told */
  close(why = 'closed'): void {
    this.#fail(new Error(why))
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (!this.#waiting) return
    try {
      const ended = this.#answer.read(chunk)
      if (this.#firstAt === 0 && this.#answer.bytes > 0) this.#firstAt = performance.now()
      if (!ended) return
    } catch (error) {
      this.#fail(error as Error)
      this.#socket.destroy()
      return
    }
    const { status, bytes, closes } = this.#answer
    const now = performance.now()
    const { resolve } = this.#waiting
    this.#waiting = undefined
    if (closes) this.close()
    resolve({ status, bytes, ms: now - this.#sentAt, firstByteMs: (this.#firstAt || now) - this.#sentAt })
  }

  #fail(error: Error): void {
    this.#lost ??= error
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(error)
  }
}

/** Follows one HTTP/1.1 answer to its end, by `content-length` or chunked framing. */
class AnswerReader {
  status = 0
  bytes = 0
  /** Whether the server ends the connection after this answer. */
  closes = false
  #state: 'head' | 'body' | 'size' | 'chunk' | 'trailer' = 'head'
  #left = 0
  #text = ''

  reset(): void {
    this.status = this.bytes = this.#left = 0
    this.closes = false
    this.#state = 'head'
    this.#text = ''
  }

  /** @returns whether the answer ended with these bytes */
  read(chunk: Buffer): boolean {
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'body' || this.#state === 'chunk') {
        const taken = Math.min(this.#left, chunk.length - at)
        // a chunk's last two bytes are its line end
        if (this.#state === 'body') this.bytes += taken
        else this.bytes += Math.max(0, Math.min(taken, this.#left - 2))
        this.#left -= taken
        at += taken
        if (this.#left > 0) continue
        if (this.#state === 'body') return true
        this.#state = 'size'
        continue
      }
      const end = chunk.indexOf(10, at)
      this.#text += chunk.toString('latin1', at, end < 0 ? chunk.length : end + 1)
      if (end < 0) return false
      at = end + 1
      if (this.#line()) return true
    }
    return false
  }

  /** One line of a head, a chunk's size or a trailer is there. */
  #line(): boolean {
    if (this.#state === 'head') {
      if (!this.#text.endsWith('\r\n\r\n')) return false
      return this.#head()
    }
    const line = this.#text.trim()
    this.#text = ''
    if (this.#state === 'trailer') return line === ''
    const size = Number.parseInt(line, 16)
    if (!Number.isInteger(size)) throw new Error(`“${line.slice(0, 40)}” is not the size of a chunk`)
    this.#state = size === 0 ? 'trailer' : 'chunk'
    this.#left = size + 2
    return false
  }

  #head(): boolean {
    const head = this.#text
    this.#text = ''
    this.status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0)
    if (this.status === 0) throw new Error('the answer is not HTTP/1.1')
    this.closes = /\r\nconnection: *close/i.test(head)
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#state = 'size'
      return false
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined)
      throw new Error('the answer has neither content-length nor chunks: its end cannot be known')
    this.#left = Number(length)
    this.#state = 'body'
    return this.#left === 0
  }
}
