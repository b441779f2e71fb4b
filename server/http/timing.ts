import type { ReadQuery, ReadResult } from '../engine/engine.ts'
import type { Entering, Gate } from './gate.ts'

/** One piece of the work for a request. */
export interface Part {
  readonly name: 'gate' | 'engine'
  /** On the clock of `performance.now()`. */
  readonly start: number
  readonly milliseconds: number
}

/** What one request cost, recorded while it is answered and read when it is finished. */
export class Timing {
  readonly parts: Part[] = []
  /** Whether a query was sent to the engine, even if it has not answered yet. */
  asked = false
  /** Rows in the answer; 0 where none was made. */
  rows = 0
  /** Rows that the engine read, as far as it had when its answer began: all of them for a small answer. */
  rowsRead = 0

  /** Milliseconds during which any part of this name was running; parts that overlap count once. */
  of(name: Part['name']): number {
    let sum = 0
    let end = 0
    for (const part of this.parts) {
      if (part.name !== name) continue
      const until = part.start + part.milliseconds
      if (until > end) sum += until - Math.max(part.start, end)
      end = Math.max(end, until)
    }
    return sum
  }

  /** Waits for a place in the gate. */
  async enter(gate: Pick<Gate, 'enter'>, entering?: Entering): Promise<() => void> {
    const start = performance.now()
    try {
      return await gate.enter(entering)
    } finally {
      this.#add('gate', start)
    }
  }

  /** Reads: the engine's time is up to the first bytes of its answer, as the rest waits for the client as well. */
  async read(engine: Reader, query: ReadQuery): Promise<ReadResult> {
    const start = performance.now()
    this.asked = true
    try {
      const result = await engine.read(query)
      this.rowsRead += result.summary.readRows
      return result
    } finally {
      this.#add('engine', start)
    }
  }

  /** In the order of their starts, though the first to start may end last. */
  #add(name: Part['name'], start: number): void {
    let at = this.parts.length
    while (at > 0 && this.parts[at - 1]!.start > start) at--
    this.parts.splice(at, 0, { name, start, milliseconds: performance.now() - start })
  }
}

interface Reader {
  read(query: ReadQuery): Promise<ReadResult>
}

/**
 * The value of `Server-Timing`, as far as the answer's headers can know it.
 * https://www.w3.org/TR/server-timing/: durations in milliseconds.
 * @param total since the request began
 */
export function serverTiming(timing: Timing | null, cache: string, total: number): string {
  const state = cache === 'bypass' ? '' : `cache;desc=${cache}, `
  const parts =
    timing === null || timing.parts.length === 0
      ? ''
      : `gate;dur=${ms(timing, 'gate')}, engine;dur=${ms(timing, 'engine')}, `
  return `${state}${parts}total;dur=${total.toFixed(2)}`
}

const ms = (timing: Timing, name: Part['name']): string => timing.of(name).toFixed(2)
