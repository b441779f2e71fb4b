import type { Produced } from '../answers/answering.ts'
import type { Facts } from './finished.ts'

/**
 * Where an answer came from, for metrics: kept bytes (`hit`), the query of an equal request (`shared`), a query of its
 * own (`miss`; `stream` when it is too long to be kept), a file (`file`), nowhere as the client has it
 * (`revalidated`), or none of these (`bypass`).
 */
export type CacheState = 'hit' | 'shared' | 'miss' | 'stream' | 'file' | 'revalidated' | 'bypass'

declare module 'fastify' {
  interface FastifyRequest {
    cacheState: CacheState
  }
}

/** A request that was read: enough to find its answer, or to have it produced. */
export interface Asked {
  /** What the answer is made from: equal while this is the same object. */
  readonly version: object
  /** Equal for equal bytes of one version. */
  readonly key: string
  readonly facts: Facts
  /** Whether `Accept` chose the format. */
  readonly negotiated: boolean
  /** It is made out of memory: where it is short, there is no query to share, to stream or to end when the client leaves. */
  readonly atHand: boolean
  produce(signal: AbortSignal): Promise<Produced>
}
