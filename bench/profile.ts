/** Where the server's time and memory go under one workload: its own profiles, summed by function and by part. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LoadGenerator } from './load/generator.ts'
import { measure } from './measure.ts'
import { ours } from './peers/ours.ts'
import type { Cell, State } from './result.ts'
import { startOurServer } from './server.ts'
import { readUniverse } from './universe.ts'
import type { Workload } from './workload.ts'
import { deal } from './workloads.ts'

export interface ProfileOptions {
  readonly dataDir: string
  readonly quarters: number
  readonly workload: Workload
  readonly state: State
  readonly seconds: number
  readonly say: (line: string) => void
}

const CONNECTIONS = 4
const SHOWN = 5

/** @returns markdown: the functions and the parts of the server that take most of its CPU, and of what is allocated */
export async function profile(options: ProfileOptions): Promise<string> {
  const { dataDir, quarters, workload, state, seconds, say } = options
  const folder = await mkdtemp(join(tmpdir(), 'bench-profile-'))
  const nodeArgs = ['--import', join(import.meta.dirname, 'profiler.ts')]
  const load = new LoadGenerator()
  try {
    const server = await startOurServer({
      ...{ dataDir, quarters, say, nodeArgs },
      env: { BENCH_PROFILES: folder },
    })
    try {
      const contestant = ours(server)
      const universe = await readUniverse((path) =>
        fetch(server.origin + path, { headers: contestant.headers }),
      )
      const { seen, warmUp, fresh } = deal(workload, universe, 1)
      const bench = { load, universe, seconds }
      const plan = { workload, format: workload.formats[0]!, contestant, state, connections: CONNECTIONS }
      await measure({ ...bench, seconds: 2 }, { ...plan, state: 'new', requests: warmUp })
      const requests = state === 'seen' ? seen : fresh[0]!
      process.kill(server.pid, 'SIGUSR2')
      const cell = await measure(bench, { ...plan, requests })
      process.kill(server.pid, 'SIGUSR2')
      const { cpu, heap } = await profiles(folder)
      return text(options, cell, cpuTimes(cpu), heapSizes(heap))
    } finally {
      await server.close()
    }
  } finally {
    load.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function text({ workload, state }: ProfileOptions, cell: Cell, times: Weighed, sizes: Weighed): string {
  const own = times.reduce((sum, { weight }) => sum + weight, 0) / 1000 / cell.requests
  const allocated = sizes.reduce((sum, { weight }) => sum + weight, 0) / cell.requests
  return [
    `## ${workload.key} ${state}: ${workload.title}`,
    '',
    `${cell.requests} requests over ${CONNECTIONS} connections; server and engine used ${cell.cpuMs?.toFixed(2) ?? '?'} ms of CPU for each, the server's own thread ${own.toFixed(2)} ms of it.`,
    `- CPU by part: ${shares(times)}.`,
    `- CPU by function: ${functions(times)}.`,
    `- Allocated in JavaScript: about ${(allocated / 1024).toFixed(0)} KB a request; by part: ${shares(sizes)}.`,
    `- Allocated by function: ${functions(sizes)}.`,
  ].join('\n')
}

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}
interface HeapNode {
  readonly callFrame: Frame
  readonly selfSize: number
  readonly children: readonly HeapNode[]
}
interface HeapProfile {
  readonly head: HeapNode
}

const LONGEST_WAIT_MS = 30_000

/** What the profiler wrote, once it has. */
async function profiles(folder: string): Promise<{ cpu: CpuProfile; heap: HeapProfile }> {
  const deadline = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const written = await readFile(join(folder, 'profiles.json'), 'utf8').catch(() => undefined)
    if (written !== undefined) return JSON.parse(written)
    if (Date.now() > deadline) throw new Error('the profiler wrote nothing')
    await sleep(100)
  }
}

type Weighed = readonly { readonly frame: Frame; readonly weight: number }[]

/** Time a function itself ran; idle time is none. */
function cpuTimes({ nodes, samples, timeDeltas }: CpuProfile): Weighed {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const weights = new Map<string, { frame: Frame; weight: number }>()
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)!
    if (['(idle)', '(program)', '(root)'].includes(frame.functionName)) continue
    add(weights, frame, timeDeltas[i] ?? 0)
  }
  return [...weights.values()].sort((a, b) => b.weight - a.weight)
}

function heapSizes({ head }: HeapProfile): Weighed {
  const weights = new Map<string, { frame: Frame; weight: number }>()
  const visit = (node: HeapNode): void => {
    if (node.selfSize > 0) add(weights, node.callFrame, node.selfSize)
    for (const child of node.children) visit(child)
  }
  visit(head)
  return [...weights.values()].sort((a, b) => b.weight - a.weight)
}

function add(weights: Map<string, { frame: Frame; weight: number }>, frame: Frame, weight: number): void {
  const key = `${frame.functionName} ${frame.url} ${frame.lineNumber}`
  const known = weights.get(key)
  if (known) known.weight += weight
  else weights.set(key, { frame, weight })
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** `server/query`, `fastify`, `node:internal/streams`, `(garbage collector)`. */
function partOf({ functionName, url }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url)
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  return library ?? path.split('/').slice(0, 2).join('/')
}

/** The file of this project's own functions, the part of others. */
function placeOf(frame: Frame): string {
  const own = frame.url.startsWith('file:') && !frame.url.includes('/node_modules/')
  return own ? relative(root, fileURLToPath(frame.url)) : partOf(frame)
}

function shares(weighed: Weighed): string {
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const parts = new Map<string, number>()
  for (const { frame, weight } of weighed) parts.set(partOf(frame), (parts.get(partOf(frame)) ?? 0) + weight)
  return [...parts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([part, weight]) => `${part} ${percent(weight, all)}`)
    .join(', ')
}

function functions(weighed: Weighed): string {
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0)
  return weighed
    .slice(0, SHOWN)
    .map(
      ({ frame, weight }) =>
        `${frame.functionName || '(anonymous)'} of ${placeOf(frame)} ${percent(weight, all)}`,
    )
    .join(', ')
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`
