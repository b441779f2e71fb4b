/**
 * Columns of files that panels ask for again and again, in memory whole as they lie in the file: to gather values out of it
 * costs a fraction of a read for each year and run. Bounded: what nobody asked for a while makes room, nothing else does, as
 * to hold one column after the other would cost more than it saves.
 */
import type { Values } from '../arrow-columns.ts'
import type { OpenColumn } from './column-file.ts'

interface Held {
  readonly values: Values
  readonly bytes: number
  /** When it was asked for last. */
  at: number
}

/** What is asked for once may never be again, and to hold it costs more than to read a part of it. */
const ASKED = 2
const WHILE_MS = 30_000

export class ColumnMemory {
  readonly #room: number
  /** The one that was not asked for the longest comes first. */
  readonly #held = new Map<OpenColumn, Held>()
  readonly #asked = new WeakMap<OpenColumn, number>()
  #bytes = 0

  /** @param room bytes */
  constructor(room: number) {
    this.#room = room
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes
  }

  /** The values of a column by the rows of its file. */
  get(column: OpenColumn): Values | undefined {
    const held = this.#held.get(column)
    if (!held) return undefined
    this.#held.delete(column)
    this.#held.set(column, held)
    held.at = performance.now()
    return held.values
  }

  /** Whether a column that is not held is to be, now that it is asked for. */
  wants(column: OpenColumn, bytes: number): boolean {
    const asked = (this.#asked.get(column) ?? 0) + 1
    this.#asked.set(column, asked)
    return asked >= ASKED && this.#makeRoom(bytes)
  }

  hold(column: OpenColumn, values: Values, bytes: number): void {
    this.#drop(column)
    if (!this.#makeRoom(bytes)) return
    this.#held.set(column, { values, bytes, at: performance.now() })
    this.#bytes += bytes
  }

  #makeRoom(bytes: number): boolean {
    const since = performance.now() - WHILE_MS
    for (const [column, { at }] of this.#held) {
      if (this.#bytes + bytes <= this.#room || at > since) break
      this.#drop(column)
    }
    return this.#bytes + bytes <= this.#room
  }

  #drop(column: OpenColumn): void {
    const held = this.#held.get(column)
    if (!held) return
    this.#held.delete(column)
    this.#asked.delete(column)
    this.#bytes -= held.bytes
  }
}
