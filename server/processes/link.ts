/** Calls between the process that leads and one that answers, both ways over Node's channel. */

/** What a side does for the other, by name. */
export type Duties = Readonly<Record<string, (...values: never[]) => unknown>>

interface Channel {
  send?(message: unknown): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
}

type Message =
  | { readonly calls: readonly (readonly [id: number, name: string, values: readonly unknown[]])[] }
  | { readonly answers: readonly (readonly [id: number, value: unknown, failure?: string])[] }

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * One end of the channel. Calls and answers of one turn of the event loop go as one message: a message costs some ten
 * times what lies in it.
 */
export class Link {
  readonly #channel: Channel
  readonly #duties: Duties
  readonly #waiting = new Map<number, Waiting>()
  #calls: [number, string, unknown[]][] = []
  #answers: [number, unknown, string?][] = []
  #sending = false
  #next = 0
  #closed: Error | null = null

  constructor(channel: Channel, duties: Duties) {
    this.#channel = channel
    this.#duties = duties
    channel.on('message', (message) => this.#received(message as Message))
  }

  /** Asks the other side. @throws Error with its words where it fails there, or where it has ended */
  call<T>(name: string, ...values: unknown[]): Promise<T> {
    if (this.#closed) return Promise.reject(this.#closed)
    const id = this.#next++
    this.#calls.push([id, name, values])
    this.#sendSoon()
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
    })
  }

  /** The other side has ended: what was asked of it fails. */
  close(error: Error): void {
    this.#closed = error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #received(message: Message): void {
    if ('calls' in message) for (const [id, name, values] of message.calls) void this.#do(id, name, values)
    if ('answers' in message)
      for (const [id, value, failure] of message.answers) {
        const waiting = this.#waiting.get(id)
        this.#waiting.delete(id)
        if (failure === undefined) waiting?.resolve(value)
        else waiting?.reject(new Error(failure))
      }
  }

  async #do(id: number, name: string, values: readonly unknown[]): Promise<void> {
    try {
      this.#answers.push([id, await this.#duties[name]!(...(values as never[]))])
    } catch (error) {
      this.#answers.push([id, null, error instanceof Error ? error.message : String(error)])
    }
    this.#sendSoon()
  }

  #sendSoon(): void {
    if (this.#sending) return
    this.#sending = true
    setImmediate(() => {
      this.#sending = false
      const [calls, answers] = [this.#calls, this.#answers]
      this.#calls = []
      this.#answers = []
      if (this.#closed) return
      if (calls.length > 0) this.#channel.send?.({ calls })
      if (answers.length > 0) this.#channel.send?.({ answers })
    })
  }
}
