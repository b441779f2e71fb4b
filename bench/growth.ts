/** How the cost of a request grows with the history: the same requests to two servers, whose data differ in length alone. */
import { quartersBefore } from '../sql/quarter.ts'
import { LoadGenerator } from './load/generator.ts'
import { measure } from './measure.ts'
import { ours } from './peers/ours.ts'
import { rate, table } from './report.ts'
import { type Cell, errorCount } from './result.ts'
import { startOurServer } from './server.ts'
import { readUniverse, type Universe } from './universe.ts'
import { deal, workloads } from './workloads.ts'

/** Quarters of history on the two sides. */
export const histories = [8, 80] as const
const GROWING = ['W1', 'W2', 'W5', 'W7']
/** Quarters of W5: as many as the shorter side has, so that both answer the same. */
const SERIES = 8
const CONNECTIONS = [1, 16]
/** Each cell so often, in turns; the better one counts. */
const PASSES = 2

export interface GrowthOptions {
  /** Folder of the data of a history of so many quarters. */
  readonly folderOf: (quarters: number) => string
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface Growth {
  readonly cells: readonly (Cell & { readonly quarters: number })[]
  readonly text: string
  readonly failed: boolean
}

export async function growth({ folderOf, seconds, say }: GrowthOptions): Promise<Growth> {
  const load = new LoadGenerator()
  const closing: (() => Promise<void>)[] = []
  const cells: (Cell & { quarters: number })[] = []
  try {
    const sides = []
    for (const quarters of histories) {
      const server = await startOurServer({ dataDir: folderOf(quarters), quarters, say })
      closing.push(() => server.close())
      const contestant = ours(server)
      const universe = await readUniverse((path) =>
        fetch(server.origin + path, { headers: contestant.headers }),
      )
      sides.push({ quarters, contestant, universe: lastQuarters(universe) })
    }
    const chosen = workloads.filter(({ key }) => GROWING.includes(key))
    for (const workload of chosen)
      for (let pass = 0; pass < PASSES; pass++)
        for (const { quarters, contestant, universe } of sides) {
          const shares = deal(workload, universe, CONNECTIONS.length * PASSES)
          const base = { workload, format: 'json', contestant, state: 'new' } as const
          const bench = { load, universe, seconds }
          if (pass === 0)
            await measure({ ...bench, seconds: 1 }, { ...base, connections: 2, requests: shares.warmUp })
          for (const [i, connections] of CONNECTIONS.entries()) {
            const requests = shares.fresh[pass * CONNECTIONS.length + i]!
            const cell = await measure(bench, { ...base, connections, requests })
            say(`${workload.key} ${quarters} quarters ×${connections}: ${rate(cell.perSecond)}/s`)
            cells.push({ ...cell, quarters })
          }
        }
  } finally {
    load.close()
    for (const close of closing.reverse()) await close()
  }
  return { cells, text: growthTable(cells), failed: cells.some((cell) => errorCount(cell) > 0) }
}

/** Asks of either side for the same quarters. */
function lastQuarters(universe: Universe): Universe {
  return { ...universe, firstQuarter: quartersBefore(universe.asOf, SERIES - 1) }
}

function growthTable(cells: readonly (Cell & { quarters: number })[]): string {
  const [short, long] = histories
  const rows = GROWING.flatMap((workload) =>
    CONNECTIONS.map((connections) => {
      const best = (quarters: number, of: (cell: Cell) => number | null) => {
        const found = cells.filter(
          (cell) =>
            cell.workload === workload && cell.connections === connections && cell.quarters === quarters,
        )
        return Math.min(...found.map((cell) => of(cell) ?? Number.NaN))
      }
      const p50 = (quarters: number) => best(quarters, (cell) => cell.p50)
      const cpu = (quarters: number) => best(quarters, (cell) => cell.cpuMs)
      return [
        `${workload} ×${connections}`,
        p50(short).toFixed(2),
        p50(long).toFixed(2),
        (p50(long) / p50(short)).toFixed(2),
        cpu(short).toFixed(2),
        cpu(long).toFixed(2),
        (cpu(long) / cpu(short)).toFixed(2),
      ]
    }),
  )
  const head = [
    'new requests',
    `p50 ms, ${short}`,
    `p50 ms, ${long}`,
    'ratio',
    `CPU ms, ${short}`,
    `CPU ms, ${long}`,
    'ratio',
  ]
  return `${table(head, rows)}\n`
}
