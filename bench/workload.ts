/** What a workload declares. */
import type { Format, Question } from './question.ts'
import type { Universe } from './universe.ts'

export interface Workload {
  readonly key: string
  readonly title: string
  readonly formats: readonly Format[]
  /** The i-th request; no two of them are the same. */
  ask(universe: Universe, i: number): Question
  /** How many different ones there are. */
  most(universe: Universe): number
  /** How many are asked over and over where answers are asked that were seen before. */
  readonly seen: number
  /** Whether the peers read for it what they just read for another one, and this server other files: see bench/README.md. */
  readonly ofOtherFiles?: boolean
  /** Whether it asks about families: bench/families. */
  readonly ofFamily?: boolean
  /** Contestants that are asked it; all where left out. */
  readonly only?: readonly string[]
}
