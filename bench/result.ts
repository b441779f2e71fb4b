/** What a run leaves behind: the cells, and under what they were measured. */
import { execFile } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { promisify } from 'node:util'
import type { Format } from './question.ts'

/** `new`: never asked since the publish. `seen`: asked before. */
export type State = 'new' | 'seen'

export interface Cell {
  readonly workload: string
  readonly format: Format
  readonly contestant: string
  readonly state: State
  readonly connections: number
  readonly requests: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly firstByteP50: number
  /** Of an answer's body. */
  readonly bytes: number
  /** CPU time of all the contestant's processes, milliseconds a request; null where it cannot be had. */
  readonly cpuMs: number | null
  /** Most memory of the first process, and of all; MB. */
  readonly serverMb: number | null
  readonly allMb: number | null
  readonly errors: Readonly<Record<string, number>>
}

export interface Result {
  readonly madeAt: string
  readonly commit: string
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly memoryGb: number
    readonly node: string
  }
  readonly data: {
    readonly version: string
    readonly quarters: number
    readonly banks: number
    readonly filings: number
    /** Rows of W6. */
    readonly panelRows: number
  }
  readonly secondsACell: number
  readonly workloads: Readonly<Record<string, string>>
  readonly contestants: Readonly<Record<string, string>>
  /** Contestants that did not take part, and why. */
  readonly missing: Readonly<Record<string, string>>
  /** Answers that differ from ours: `contestant workload: difference`. Such cells are not timed. */
  readonly differing: readonly string[]
  readonly cells: readonly Cell[]
}

/** Where and with what code a result is made. */
export async function circumstances(): Promise<Pick<Result, 'madeAt' | 'commit' | 'machine'>> {
  const git = (...args: string[]) =>
    promisify(execFile)('git', args, { cwd: import.meta.dirname }).then(
      ({ stdout }) => stdout.trim(),
      () => 'unknown',
    )
  const changed = (await git('status', '--porcelain', '--untracked-files=no')) !== ''
  return {
    madeAt: new Date().toISOString(),
    commit: `${await git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`,
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
  }
}

export const errorCount = ({ errors }: Cell): number => Object.values(errors).reduce((sum, n) => sum + n, 0)
