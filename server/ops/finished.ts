import type { ClientPlan } from '../access/plans.ts'
import type { ProblemCode } from '../errors.ts'
import type { CacheState } from '../http/cache/asked.ts'
import type { EndedBy } from '../http/open-answers.ts'
import type { Timing } from '../http/timing.ts'

/** A finished request. */
export interface Finished {
  /** Key of the dataset; `other` for documents, health and what is not there. */
  readonly dataset: string
  /** As sent; for an answer that was cut off, the status it is counted as. */
  readonly status: number
  readonly endedBy: EndedBy | null
  readonly cache: CacheState
  readonly milliseconds: number
  readonly bytes: number
  readonly timing: Timing | null
  readonly problem: ProblemCode | null
  /** Of the client; undefined where the request could not be read. */
  readonly plan: ClientPlan | undefined
  /** Whether it took one from the allowance of the day. */
  readonly counted: boolean
}
