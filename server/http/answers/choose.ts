import type { Format } from '../../formats/names.ts'
import type { Published } from '../../published.ts'
import type { Plan } from '../../query/plan.ts'
import { TableLost } from '../../resident/table.ts'
import type { Answering, Produced } from './answering.ts'
import { produceFromEngine } from './from-engine.ts'
import { produceFromFiles } from './from-files.ts'
import { produceFromMemory, rememberedOf } from './from-memory.ts'
import { type CompositeDeps, produceFromParts } from './from-parts.ts'
import { whole } from './read.ts'

/** How a plan is answered. */
export interface Choice {
  /**
   * Whose the bytes are: in Arrow those of the server's memory and of its files are others than the engine's. A file may be
   * there or not, so `produce` of `files` may throw `TableLost`: then somebody else is to be chosen.
   */
  readonly bytes: 'engine' | 'memory' | 'files'
  /** Without a query. */
  readonly atHand: boolean
  readonly produce: (deps: CompositeDeps, answering: Answering) => Promise<Produced>
}

/** Chooses who answers: other datasets whose parts it puts together, the server's memory, its files, or else the engine. */
export function choose(plan: Plan, format: Format, published: Published, mayBeLost = true): Choice {
  if (plan.query.dataset.parts) return { bytes: 'engine', atHand: false, produce: produceFromParts }
  const remembered = rememberedOf(plan, format, published)
  if (!remembered) {
    const panel = mayBeLost && plan.selection && published.resident.panel(plan.selection, format)
    if (!panel) return { bytes: 'engine', atHand: false, produce: produceFromEngine }
    const produce: Choice['produce'] = (deps, answering) => produceFromFiles(deps, answering, panel)
    return { bytes: format === 'arrow' ? 'files' : 'engine', atHand: false, produce }
  }
  return {
    bytes: format === 'arrow' ? 'memory' : 'engine',
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
