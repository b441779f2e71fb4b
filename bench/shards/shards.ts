/** What each workload costs the servers of a cluster: the same universe on one server, on two shards and on four. */
import { join } from 'node:path'
import { credentials } from '../../server/engine/address.ts'
import { ours } from '../peers/ours.ts'
import { table } from '../report.ts'
import { startOurServer } from '../server.ts'
import { readUniverse } from '../universe.ts'
import type { Workload } from '../workload.ts'
import { workloads } from '../workloads.ts'
import { type ClusterNode, startCluster } from './nodes.ts'

export const shardCounts = [1, 2, 4] as const

/** Requests of each workload, after as many that warm up. */
const REQUESTS = 12

export interface ShardsOptions {
  readonly folder: string
  readonly quarters: number
  readonly only: readonly string[] | undefined
  readonly say: (line: string) => void
}

/** The counters of one server since its start. */
interface Counted {
  /** Processor time of its queries, in microseconds. */
  readonly cpu: number
  /** Bytes that it received, of requests and of other servers. */
  readonly received: number
  readonly rows: number
}

/** A request of a workload over so many shards: the servers' means. */
export interface ShardCell {
  readonly workload: string
  readonly shards: number
  /** Milliseconds of processor time, of all servers and of the one that has most. */
  readonly cpu: number
  readonly busiest: number
  /** Kilobytes that servers received. */
  readonly received: number
  /** Rows that were read, of all servers. */
  readonly rows: number
  readonly milliseconds: number
}

export async function shards({ folder, quarters, only, say }: ShardsOptions): Promise<ShardCell[]> {
  const chosen = workloads.filter(({ key }) => !only || only.includes(key))
  const cells: ShardCell[] = []
  for (const count of shardCounts) {
    say(`${count} shards`)
    const cluster = await startCluster({
      shards: count,
      folder: async (n) => join(folder, `${count}-shards`, `server-${n + 1}`),
    })
    // answers from memory would cost the servers nothing
    const env = { ...cluster.env, RESIDENT_MIB: '0', HISTORY_MIB: '0', CACHE_MIB: '0' }
    const server = await startOurServer({
      dataDir: join(folder, `${count}-shards`, 'api'),
      quarters,
      env,
      say,
    })
    try {
      const contestant = ours(server)
      const get = (path: string) => fetch(server.origin + path, { headers: contestant.headers })
      const universe = await readUniverse(get)
      for (const workload of chosen) {
        const paths = Array.from(
          { length: Math.min(2 * REQUESTS, workload.most(universe)) },
          (_, i) => contestant.ask!(workload.ask(universe, i), 'json', workload.key)!.path,
        )
        const half = Math.ceil(paths.length / 2)
        await inTurn(get, paths.slice(0, half))
        cells.push(await measured(workload, cluster.nodes, get, paths.slice(half)))
        say(JSON.stringify(cells.at(-1)))
      }
    } finally {
      await server.close()
      for (const node of cluster.nodes) await node.stop()
    }
  }
  return cells
}

type Get = (path: string) => Promise<Response>

async function inTurn(get: Get, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const answer = await get(path)
    const { byteLength } = await answer.arrayBuffer()
    if (!answer.ok || byteLength === 0) throw new Error(`${path}: ${answer.status}`)
  }
}

async function measured(
  { key }: Workload,
  nodes: readonly ClusterNode[],
  get: Get,
  paths: readonly string[],
): Promise<ShardCell> {
  const before = await Promise.all(nodes.map(countersOf))
  const started = performance.now()
  await inTurn(get, paths)
  const milliseconds = (performance.now() - started) / paths.length
  const after = await Promise.all(nodes.map(countersOf))
  const each = (name: keyof Counted) =>
    nodes.map((_, n) => (after[n]![name] - before[n]![name]) / paths.length)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const cpu = each('cpu').map((microseconds) => microseconds / 1000)
  return {
    workload: key,
    shards: nodes.length,
    cpu: sum(cpu),
    busiest: Math.max(...cpu),
    received: sum(each('received')) / 1000,
    rows: sum(each('rows')),
    milliseconds,
  }
}

/** Its own look at them is in them, a few kilobytes and microseconds. */
async function countersOf({ address }: ClusterNode): Promise<Counted> {
  const answer = await fetch(address.url, {
    method: 'POST',
    headers: credentials(address.loader),
    body: `SELECT toFloat64(sumIf(value, event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds'))) AS cpu,
             toFloat64(sumIf(value, event = 'NetworkReceiveBytes')) AS received, toFloat64(sumIf(value, event = 'SelectedRows')) AS rows
           FROM system.events FORMAT JSONEachRow`,
  })
  return (await answer.json()) as Counted
}

export function shardsMarkdown(cells: readonly ShardCell[], quarters: number): string {
  const names = [...new Set(cells.map(({ workload }) => workload))]
  const of = (workload: string, count: number) =>
    cells.find((cell) => cell.workload === workload && cell.shards === count)
  const row = (workload: string, value: (cell: ShardCell) => string) => [
    workload,
    ...shardCounts.map((count) => {
      const cell = of(workload, count)
      return cell ? value(cell) : ''
    }),
  ]
  const head = (what: string) => [
    what,
    ...shardCounts.map((count) => `${count} shard${count === 1 ? '' : 's'}`),
  ]
  const section = (what: string, value: (cell: ShardCell) => string) =>
    table(
      head(what),
      names.map((name) => row(name, value)),
    )
  return [
    '# What a cluster costs',
    '',
    `A demo of ${quarters} quarters; embedded engines on one machine as servers, nothing answered from memory or the files of the`,
    'history, one request at a time. Means of a request, as the servers count them.',
    '',
    section(
      'CPU of all servers · of the busiest, ms',
      ({ cpu, busiest }) => `${cpu.toFixed(1)} · ${busiest.toFixed(1)}`,
    ),
    '',
    section('received by servers, kB', ({ received }) => received.toFixed(1)),
    '',
    section('rows read', ({ rows }) => Math.round(rows).toLocaleString('en-US')),
    '',
    section('clock, ms', ({ milliseconds }) => milliseconds.toFixed(1)),
    '',
  ].join('\n')
}
