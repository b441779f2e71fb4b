import type { Readable } from 'node:stream'
import type { Workers } from '../../../workers/pool.ts'
import type { Asking } from '../../catalog/define.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Fetches } from '../../fetches.ts'
import type { Format } from '../../formats/names.ts'
import type { Published } from '../../published.ts'
import type { Plan } from '../../query/plan.ts'
import type { Gate } from '../gate.ts'
import type { LeftOut } from '../left-out.ts'
import type { Timing } from '../timing.ts'

export interface AnswerDeps {
  readonly engine: Engine
  readonly workers: Workers
  readonly gate: Gate
}

/** One planned request and the context of its answer. */
export interface Answering {
  readonly plan: Plan
  readonly format: Format
  readonly published: Published
  readonly signal: AbortSignal
  /** Whose request it is, for the limits of each client. */
  readonly client: string
  readonly timing: Timing
  /** The state of fetching from each source, for datasets that show it. */
  readonly fetches?: Fetches | undefined
  /** Who asks, for a dataset that belongs to a key. */
  readonly asking?: Asking | undefined
  /** Parts of a composite that who asks does not read. */
  readonly leftOut: readonly LeftOut[]
}

/** A finished or streamed answer, independent of the client: what a cache can keep and several clients can receive. */
export interface Produced {
  /** Names in lower case. Those of the transfer (length, encoding, ETag) are not among them. */
  readonly headers: Record<string, string>
  readonly body: Readable | Buffer
  /** It was made of memory in a moment: to make a long one anew costs less than to collect it. */
  readonly atHand?: boolean
}

/** Results of steps by name, which the plan's statements bind. */
export type StepResults = Readonly<Record<string, unknown>>
