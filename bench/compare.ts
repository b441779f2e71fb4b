/** Two results side by side: what became faster, what slower. */

import { find, rate, table } from './report.ts'
import { type Cell, errorCount, type Result } from './result.ts'

/** On a machine that does other things too, less than this says nothing. */
const NOISE = 1.4

/** @returns markdown: of each cell of ours in both results, the rates, their ratio and that of the CPU time */
export function compareResults(before: Result, after: Result): string {
  const ours = after.cells.filter(({ contestant }) => contestant === 'ours')
  const rows: string[][] = []
  for (const cell of ours) {
    const { workload, format, contestant, state, connections } = cell
    const earlier = find(before.cells, { workload, format, contestant, state, connections })
    if (!earlier) continue
    const ratio = cell.perSecond / earlier.perSecond
    // how the machine was: both runs asked the same of an engine that did not change
    const machine = machineRatio(before, after, cell)
    rows.push([
      `${workload} ${format} ${state} ×${connections}`,
      rate(earlier.perSecond),
      rate(cell.perSecond),
      ratio.toFixed(2),
      machine === undefined ? '–' : (ratio / machine).toFixed(2),
      ratioOf(cell.cpuMs, earlier.cpuMs),
      ratioOf(cell.serverMb, earlier.serverMb),
      verdict(ratio / (machine ?? 1), errorCount(cell)),
    ])
  }
  const note =
    before.data.version === after.data.version && before.data.quarters === after.data.quarters
      ? ''
      : `The data differ: ${before.data.quarters} quarters of ${before.data.version}, ${after.data.quarters} of ${after.data.version}.\n\n`
  return `${before.commit} (${before.machine.node}) → ${after.commit} (${after.machine.node})\n\n${note}${table(
    ['', 'before', 'after', 'ratio', 'to the plain engine', 'CPU', 'memory', ''],
    rows,
  )}\n`
}

function machineRatio(
  before: Result,
  after: Result,
  { workload, format, connections }: Cell,
): number | undefined {
  const of = (result: Result) =>
    find(result.cells, { workload, format, connections, contestant: 'clickhouse' })?.perSecond
  const [was, is] = [of(before), of(after)]
  return was && is ? is / was : undefined
}

const ratioOf = (after: number | null, before: number | null): string =>
  after === null || !before ? '–' : (after / before).toFixed(2)

function verdict(ratio: number, errors: number): string {
  if (errors > 0) return `**${errors} errors**`
  if (ratio >= NOISE) return 'faster'
  return ratio <= 1 / NOISE ? '**slower**' : ''
}
