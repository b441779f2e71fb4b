/** Limits on answers that clients read at their own pace: how many per client, for how long, and that they are read at all. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'

/** Who or what ended an answer before it was whole. */
export type EndedBy = 'client' | 'no progress' | 'stream time' | 'engine'

declare module 'fastify' {
  interface FastifyReply {
    /** Set where the answer was ended before it was whole. */
    endedBy: EndedBy | null
  }
}

export interface OpenAnswersOptions {
  /** Of one client (key or address) at once. */
  readonly perClient: number
  /** A client that reads nothing for this long is cut off. */
  readonly stallMs: number
  /** Whether other clients are queued for what slow ones hold: then clients that read nothing are cut off sooner. */
  readonly blocked: () => boolean
  /** Longest time for any answer, whatever its client does. */
  readonly longestMs: number
}

interface Open {
  readonly reply: FastifyReply
  readonly socket: Socket
  readonly since: number
  /** What the client had taken when it was last seen to take something, and when that was. */
  taken: number
  queued: number
  at: number
}

/** What the system's buffer takes at once: who leaves or pauses during it costs nothing. */
export const AT_ONCE = 64 * 1024
const LONGEST_BETWEEN_LOOKS_MS = 1000
/** Of the patience with who takes nothing, while others wait for what it holds. */
const SHARE_WHILE_BLOCKED = 1 / 6

export class OpenAnswers {
  readonly #options: OpenAnswersOptions
  readonly #open = new Set<Open>()
  readonly #ofClient = new Map<string, number>()
  readonly #looking: NodeJS.Timeout

  constructor(options: OpenAnswersOptions) {
    this.#options = options
    // one timer for all: an answer has none of its own
    const between = Math.min(LONGEST_BETWEEN_LOOKS_MS, options.stallMs / 4)
    this.#looking = setInterval(() => this.#look(), between).unref()
  }

  get count(): number {
    return this.#open.size
  }

  close(): void {
    clearInterval(this.#looking)
  }

  /**
   * Counts an answer that is longer than `AT_ONCE`, from just before it is sent until it is over.
   * @param body destroyed where it is refused
   * @throws Problem `too-many-requests`
   */
  begin(request: FastifyRequest, reply: FastifyReply, body?: Readable | Buffer): void {
    const stream = Buffer.isBuffer(body) ? undefined : body
    const { id } = request.client
    const before = this.#ofClient.get(id) ?? 0
    if (before >= this.#options.perClient) {
      stream?.destroy()
      throw new Problem(
        'too-many-requests',
        `${before} answers of this client are on their way and not taken yet, at most ${this.#options.perClient} may be at once`,
        { retryAfter: 1 },
      )
    }
    stream?.once('error', (error) => {
      if (reply.endedBy !== null) return
      reply.endedBy = 'engine'
      request.log.warn({ err: error }, 'an answer was broken off')
    })
    const { socket } = request.raw
    const now = performance.now()
    const open: Open = { reply, socket, since: now, ...progressOf(socket), at: now }
    this.#open.add(open)
    this.#ofClient.set(id, before + 1)
    reply.raw.once('close', () => {
      this.#open.delete(open)
      const left = this.#ofClient.get(id)! - 1
      if (left > 0) this.#ofClient.set(id, left)
      else this.#ofClient.delete(id)
    })
  }

  #look(): void {
    const now = performance.now()
    const stallMs = this.#options.stallMs * (this.#options.blocked() ? SHARE_WHILE_BLOCKED : 1)
    for (const open of this.#open) {
      const { reply, socket } = open
      if (socket.destroyed) {
        // behind another answer on its connection: Node tells only the first one that it is closed
        if (reply.raw.socket === null) reply.raw.emit('close')
        continue
      }
      const { taken, queued } = progressOf(socket)
      // with nothing to take it is the engine that is waited for
      if (taken !== open.taken || queued !== open.queued || !socket.writableLength) {
        Object.assign(open, { taken, queued, at: now })
      }
      if (now - open.at > stallMs) this.#cut(open, 'no progress')
      else if (now - open.since > this.#options.longestMs) this.#cut(open, 'stream time')
    }
  }

  #cut({ socket }: Open, by: EndedBy): void {
    // those behind it on its connection end with it
    for (const open of this.#open) if (open.socket === socket) open.reply.endedBy ??= by
    socket.destroy()
  }
}

/** How far the system has taken over what was written; within one piece by what Node's own timeout of sockets looks at. */
function progressOf(socket: Socket): { taken: number; queued: number } {
  const { _handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return { taken: socket.bytesWritten - socket.writableLength, queued: _handle?.writeQueueSize ?? 0 }
}
