/** A result as markdown tables. */
import { type Cell, errorCount, type Result, type State } from './result.ts'

/** A rate or a ratio in two digits, or more where it has them before the point. */
export const rate = (value: number): string =>
  value >= 99.5 ? Math.round(value).toLocaleString('en') : value.toPrecision(2)

export function find(
  cells: readonly Cell[],
  wanted: Partial<Pick<Cell, 'workload' | 'format' | 'contestant' | 'state' | 'connections'>>,
): Cell | undefined {
  return cells.find((cell) =>
    Object.entries(wanted).every(([name, value]) => cell[name as keyof Cell] === value),
  )
}

interface Column {
  readonly workload: string
  readonly format: Cell['format']
}

const formats = ['json', 'arrow', 'csv']

/** The workloads of a result, JSON first, in the order in which they were asked. */
function columnsOf(cells: readonly Cell[]): Column[] {
  const seen = new Map(cells.map(({ workload, format }) => [`${workload} ${format}`, { workload, format }]))
  return [...seen.values()].sort((a, b) => formats.indexOf(a.format) - formats.indexOf(b.format))
}

const titleOf = ({ workload, format }: Column): string =>
  format === 'json' ? workload : `${workload} ${format === 'csv' ? 'CSV' : 'Arrow'}`

export function markdown(result: Result): string {
  const { data, machine, cells } = result
  const parts = [
    `# Bench of ${result.madeAt.slice(0, 10)}`,
    `Commit ${result.commit}, Node ${machine.node}, ${machine.cores} cores that servers and load generator share (${machine.cpu}, ${machine.memoryGb} GB). Data: ${data.quarters} quarters, ${data.banks.toLocaleString('en')} banks in the latest, ${data.filings.toLocaleString('en')} filings, ${data.panelRows.toLocaleString('en')} rows in W6 (${data.version}). ${result.secondsACell} s a cell. Read ratios, not absolutes.`,
    `${Object.entries(result.workloads)
      .map(([key, title]) => `**${key}** ${title}`)
      .join('. ')}.`,
    '## Requests a second',
    '1 · 16 connections; a dash where it is not offered or was not asked. “New”: requests that were never asked since the publish. “Seen”: asked before.',
    rateTable(result),
    '## Ratios',
    'Of requests a second, in the same run: ours over the best peer, and seen before over the limit.',
    ratioTable(result),
    '## CPU a request',
    'Milliseconds of all the processes of a contestant, the lower of 1 and 16 connections: what a busy machine hardly changes.',
    cpuTable(result),
    '## This server in detail',
    detailTable(cells.filter(({ contestant }) => contestant === 'ours')),
  ]
  const errors = cells.filter((cell) => errorCount(cell) > 0)
  parts.push('## Errors', errors.length === 0 ? 'None.' : errors.map(errorLine).join('\n'))
  if (result.differing.length > 0)
    parts.push('## Answers that differ', result.differing.map((line) => `- ${line}`).join('\n'))
  const missing = Object.entries(result.missing)
  if (missing.length > 0)
    parts.push('## Missing', missing.map(([name, why]) => `- ${name}: ${why}`).join('\n'))
  return `${parts.join('\n\n')}\n`
}

function rateTable({ cells, contestants }: Result): string {
  const columns = columnsOf(cells)
  const rows = Object.entries(contestants).flatMap(([contestant, title]) =>
    (['new', 'seen'] as const)
      .filter((state) => find(cells, { contestant, state }))
      .map((state) => [
        contestant === 'ours' ? `**${title}, ${state}**` : title,
        ...columns.map((column) => both(cells, { ...column, contestant, state })),
      ]),
  )
  return table(['', ...columns.map(titleOf)], rows)
}

function cpuTable({ cells, contestants }: Result): string {
  const columns = columnsOf(cells)
  const rows = Object.entries(contestants).flatMap(([contestant, title]) =>
    (['new', 'seen'] as const)
      .filter((state) => find(cells, { contestant, state }))
      .map((state) => [
        contestant === 'ours' ? `**${title}, ${state}**` : title,
        ...columns.map((column) => {
          const costs = connectionsOf(cells).flatMap(
            (connections) => find(cells, { ...column, contestant, state, connections })?.cpuMs ?? [],
          )
          return costs.length === 0 ? '–' : cost(Math.min(...costs))
        }),
      ]),
  )
  return table(['', ...columns.map(titleOf)], rows)
}

const cost = (ms: number): string => (ms >= 10 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(2))

function both(cells: readonly Cell[], wanted: Partial<Cell>): string {
  const found = connectionsOf(cells).map((connections) => find(cells, { ...wanted, connections }))
  if (found.every((cell) => cell === undefined)) return '–'
  return found.map((cell) => (cell ? rate(cell.perSecond) : '–')).join(' · ')
}

const connectionsOf = (cells: readonly Cell[]): number[] =>
  [...new Set(cells.map(({ connections }) => connections))].sort((a, b) => a - b)

/** The best peer's cell: the limit is none, and what a peer has seen before it does not know. */
function bestPeer(cells: readonly Cell[], column: Column, connections: number): Cell | undefined {
  return cells
    .filter(
      (cell) =>
        cell.workload === column.workload &&
        cell.format === column.format &&
        cell.connections === connections &&
        cell.contestant !== 'ours' &&
        cell.contestant !== 'limit',
    )
    .sort((a, b) => b.perSecond - a.perSecond)[0]
}

function ratioTable({ cells }: Result): string {
  const columns = columnsOf(cells)
  const over = (state: State, of: (column: Column, connections: number) => Cell | undefined) =>
    columns.map((column) =>
      connectionsOf(cells)
        .map((connections) => {
          const own = find(cells, { ...column, contestant: 'ours', state, connections })
          const other = of(column, connections)
          return own && other ? rate(own.perSecond / other.perSecond) : '–'
        })
        .join(' · '),
    )
  const peer = (column: Column, connections: number) => bestPeer(cells, column, connections)
  const limit = (column: Column, connections: number) =>
    find(cells, { ...column, contestant: 'limit', connections })
  const engine = (column: Column, connections: number) =>
    find(cells, { ...column, contestant: 'clickhouse', connections })
  return table(
    ['', ...columns.map(titleOf)],
    [
      ['best peer', ...columns.map((column) => peer(column, connectionsOf(cells)[0]!)?.contestant ?? '–')],
      ['new, over the best peer', ...over('new', peer)],
      ['seen, over the best peer', ...over('seen', peer)],
      ['new, over the plain engine', ...over('new', engine)],
      ['seen, over the limit', ...over('seen', limit)],
    ],
  )
}

function detailTable(cells: readonly Cell[]): string {
  const number = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits))
  return table(
    [
      '',
      'connections',
      'requests',
      'a second',
      'p50 ms',
      'p99 ms',
      'first byte ms',
      'KB',
      'CPU ms',
      'server MB',
      'with engine MB',
    ],
    cells.map((cell) => [
      `${titleOf(cell)} ${cell.state}`,
      String(cell.connections),
      String(cell.requests),
      rate(cell.perSecond),
      cell.p50.toFixed(2),
      cell.p99.toFixed(2),
      cell.firstByteP50.toFixed(2),
      (cell.bytes / 1024).toFixed(1),
      number(cell.cpuMs, 2),
      number(cell.serverMb, 0),
      number(cell.allMb, 0),
    ]),
  )
}

const errorLine = (cell: Cell): string =>
  `- ${cell.contestant} ${titleOf(cell)} ${cell.state} ×${cell.connections}: ${JSON.stringify(cell.errors)}`

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
