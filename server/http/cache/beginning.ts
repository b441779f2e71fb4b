import type { Produced } from '../answers/answering.ts'
import type { Asked } from './asked.ts'

/** What was begun is taken first, and made again after that. */
export function beginning(begun: Produced | undefined, produce: Asked['produce']) {
  let left = begun
  return {
    produce(signal: AbortSignal): Promise<Produced> {
      const taken = left
      left = undefined
      return taken ? Promise.resolve(taken) : produce(signal)
    },
    /** Nobody takes it any more. */
    leave(): void {
      if (left && !Buffer.isBuffer(left.body)) left.body.destroy()
    },
  }
}
