import type { Format } from '../../formats/names.ts'
import type { Published } from '../../published.ts'
import type { Plan } from '../../query/plan.ts'
import { TableLost } from '../../resident/table.ts'
import type { Answering, Produced } from './answering.ts'
import { produceFromEngine } from './from-engine.ts'
import { produceFromMemory, rememberedOf } from './from-memory.ts'
import { type CompositeDeps, produceFromParts } from './from-parts.ts'
import { whole } from './read.ts'

/** How a plan is answered. */
export interface Choice {
  /** With the bytes of the server's memory, which in Arrow are not the engine's. */
  readonly fromMemory: boolean
  /** Without a query. */
  readonly atHand: boolean
  readonly produce: (deps: CompositeDeps, answering: Answering) => Promise<Produced>
}

/** Chooses who answers: other datasets whose parts it puts together, the server's memory, or else the engine. */
export function choose(plan: Plan, format: Format, published: Published): Choice {
  if (plan.query.dataset.parts) return { fromMemory: false, atHand: false, produce: produceFromParts }
  const remembered = rememberedOf(plan, format, published)
  if (!remembered) return { fromMemory: false, atHand: false, produce: produceFromEngine }
  return {
    fromMemory: true,
    atHand: remembered.atHand,
    async produce(deps, answering) {
      try {
        return await produceFromMemory(deps, answering, remembered)
      } catch (error) {
        if (!(error instanceof TableLost)) throw error
        const { headers, body } = await produceFromEngine(deps, answering)
        // an answer at hand is no stream
        return { headers, body: Buffer.isBuffer(body) ? body : await whole(body) }
      }
    },
  }
}
