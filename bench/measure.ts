import type { LoadGenerator } from './load/generator.ts'
import type { Contestant } from './peers/contestant.ts'
import { watch } from './processes.ts'
import type { Format } from './question.ts'
import type { Cell, State } from './result.ts'
import type { Universe } from './universe.ts'
import type { Workload } from './workload.ts'

/** Everything that is the same for the cells of one workload and format. */
export interface Bench {
  readonly load: LoadGenerator
  readonly universe: Universe
  readonly seconds: number
}

export interface CellPlan {
  readonly workload: Workload
  readonly format: Format
  readonly contestant: Contestant
  readonly state: State
  readonly connections: number
  /** Which of the workload's requests are sent. */
  readonly requests: readonly number[]
}

/** Measures one cell: new requests once each, seen ones again and again after each was asked before. */
export async function measure(bench: Bench, plan: CellPlan): Promise<Cell> {
  const { workload, format, contestant, state, connections } = plan
  const { load, universe, seconds } = bench
  const requests = plan.requests.map((i) => contestant.ask(workload.ask(universe, i), format, workload.key)!)
  const job = { origin: contestant.origin, requests, connections }
  if (state === 'seen') {
    // twice: what is kept on its second asking only is kept then
    for (let turn = 0; turn < 2; turn++) await load.run({ ...job, connections: 1, seconds: 30, once: true })
  }
  const { result, usage } = await watch(contestant.pids, () =>
    load.run({ ...job, seconds, once: state === 'new' }),
  )
  const each = (total: number | undefined): number | null =>
    total === undefined || result.requests === 0 ? null : total / result.requests
  return {
    workload: workload.key,
    format,
    contestant: contestant.name,
    state,
    connections,
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    max: result.max,
    firstByteP50: result.firstByteP50,
    bytes: result.bytes,
    cpuMs: each(usage?.cpuMs),
    serverMb: usage?.ownMb ?? null,
    allMb: usage?.allMb ?? null,
    errors: result.errors,
  }
}
