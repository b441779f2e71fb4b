/** The run: for each workload and format, the contestants in turn, so that a noisy minute falls on all of them. */
import { differences } from './answers.ts'
import { decode } from './decode.ts'
import type { WireRequest } from './load/connection.ts'
import { LoadGenerator } from './load/generator.ts'
import { type Bench, measure } from './measure.ts'
import type { Contestant, Row } from './peers/contestant.ts'
import type { Finished } from './peers/finished-bytes.ts'
import type { Format } from './question.ts'
import { type Cell, errorCount } from './result.ts'
import type { Universe } from './universe.ts'
import type { Workload } from './workload.ts'
import { deal } from './workloads.ts'

export interface RunOptions {
  readonly universe: Universe
  readonly workloads: readonly Workload[]
  /** The first is the one whose answers the others' are compared with. */
  readonly contestants: readonly Contestant[]
  /** Makes the limit, which needs our answers first; left out, there is none. */
  readonly limit?: (answers: readonly Finished[]) => Promise<Contestant>
  readonly connections: readonly number[]
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface RunReport {
  readonly cells: readonly Cell[]
  readonly differing: readonly string[]
}

export async function run(options: RunOptions): Promise<RunReport> {
  const { universe, seconds, say } = options
  const bench: Bench = { load: new LoadGenerator(), universe, seconds }
  const cells: Cell[] = []
  const differing: string[] = []
  const finished: Finished[] = []
  const turns = options.workloads.flatMap((workload) =>
    workload.formats.map((format) => ({ workload, format })),
  )
  try {
    const fitting = new Map<string, Contestant[]>()
    for (const { workload, format } of turns) {
      const agreeing = await compare(options, workload, format, finished, (difference) => {
        differing.push(difference)
        say(`DIFFERENT ${difference}`)
      })
      fitting.set(`${workload.key} ${format}`, agreeing)
    }
    const limit = await options.limit?.(finished)
    try {
      for (const { workload, format } of turns) {
        const contestants = fitting.get(`${workload.key} ${format}`)!
        for await (const cell of cellsOf(bench, options, workload, format, contestants, limit)) {
          cells.push(cell)
          say(lineOf(cell))
        }
      }
    } finally {
      await limit?.close()
    }
  } finally {
    bench.load.close()
  }
  return { cells, differing }
}

/** The contestants that answer a workload in a format, and answer it as ours does. */
async function compare(
  { contestants, universe }: RunOptions,
  workload: Workload,
  format: Format,
  finished: Finished[],
  different: (difference: string) => void,
): Promise<Contestant[]> {
  const fitting: Contestant[] = []
  const { compared } = deal(workload, universe, 1)
  const expected = new Map<number, Row[]>()
  for (const contestant of contestants) {
    if (workload.only && !workload.only.includes(contestant.name)) continue
    const faults: string[] = []
    let offered = true
    for (const i of compared) {
      const question = workload.ask(universe, i)
      const request = contestant.ask(question, format, workload.key)
      offered &&= request !== null
      if (!request) break
      const bytes = await answerOf(contestant, request).catch((error: Error) => error)
      if (bytes instanceof Error) {
        faults.push(bytes.message)
        break
      }
      if (contestant === contestants[0] && i === compared[0]) {
        finished.push({ key: workload.key, format, body: bytes })
      }
      const rows = decode(contestant, question, format, bytes)
      if (contestant === contestants[0]) expected.set(i, rows)
      else faults.push(...differences(question, expected.get(i) ?? [], rows))
    }
    for (const fault of faults.slice(0, 3))
      different(`${contestant.name} ${workload.key} ${format}: ${fault}`)
    if (offered && faults.length === 0) fitting.push(contestant)
  }
  return fitting
}

/** @throws Error with the status or what else went wrong */
async function answerOf({ origin }: Contestant, request: WireRequest): Promise<Buffer> {
  const { path, method = 'GET', headers, body } = request
  const send = () => fetch(origin + path, { method, headers, body })
  // a connection kept from before may have been closed meanwhile
  const answer = await send().catch(send)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`status ${answer.status}: ${bytes.toString('utf8', 0, 300)}`)
  return bytes
}

async function* cellsOf(
  bench: Bench,
  { connections, universe }: RunOptions,
  workload: Workload,
  format: Format,
  contestants: readonly Contestant[],
  limit: Contestant | undefined,
): AsyncGenerator<Cell> {
  const { warmUp, seen, fresh } = deal(workload, universe, connections.length)
  for (const contestant of limit ? [...contestants, limit] : contestants) {
    const base = { workload, format, contestant }
    if (contestant !== limit) {
      if (workload.ofOtherFiles) await contestant.readFiles?.()
      const few = { ...bench, seconds: Math.min(1, bench.seconds / 3) }
      await measure(few, { ...base, state: 'new', connections: 2, requests: warmUp })
      for (const [i, count] of connections.entries())
        yield await measure(bench, { ...base, state: 'new', connections: count, requests: fresh[i]! })
    }
    if (!contestant.keeps) continue
    for (const count of connections)
      yield await measure(bench, { ...base, state: 'seen', connections: count, requests: seen })
  }
}

function lineOf(cell: Cell): string {
  const errors = errorCount(cell)
  return [
    `${cell.workload} ${cell.format}`.padEnd(9),
    cell.contestant.padEnd(11),
    cell.state.padEnd(5),
    `×${cell.connections}`.padEnd(4),
    `${cell.perSecond.toFixed(cell.perSecond < 100 ? 1 : 0)}/s`.padStart(10),
    `p50 ${cell.p50.toFixed(2)} ms`.padStart(15),
    `p99 ${cell.p99.toFixed(2)} ms`.padStart(16),
    errors > 0 ? `  ERRORS ${JSON.stringify(cell.errors)}` : '',
  ].join(' ')
}
