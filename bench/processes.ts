import { readdir, readFile } from 'node:fs/promises'

/** What the processes of a contestant use, as Linux counts it. */
export interface Usage {
  /** CPU time since each began. */
  readonly cpuMs: number
  /** Resident memory of the first process alone: of ours, the server without its engine. */
  readonly ownMb: number
  /** Of all of them, shared pages counted once. */
  readonly allMb: number
}

const TICK_MS = 10
const PAGE_MB = 4096 / 2 ** 20

/** The processes and all their descendants; null where there is no /proc. */
export async function usageOf(roots: readonly number[]): Promise<Usage | null> {
  const stats = await statistics()
  if (!stats) return null
  const found = new Set(roots)
  // children come after their parents in no particular order: until nothing is added
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent } of stats.values()) if (found.has(parent)) found.add(pid)
  }
  let cpuMs = 0
  let own = 0
  let privately = 0
  let shared = 0
  for (const pid of found) {
    const stat = stats.get(pid)
    const memory = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined)
    if (!stat || memory === undefined) continue
    const [, resident = 0, common = 0] = memory.split(' ').map(Number)
    cpuMs += stat.ticks * TICK_MS
    privately += resident - common
    shared = Math.max(shared, common)
    if (pid === roots[0]) own = resident
  }
  return { cpuMs, ownMb: own * PAGE_MB, allMb: (privately + shared) * PAGE_MB }
}

async function statistics() {
  const names = await readdir('/proc').catch(() => undefined)
  if (!names) return undefined
  const stats = new Map<number, { pid: number; parent: number; ticks: number }>()
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined)
    if (text === undefined) continue
    // the command's name stands in parentheses and may hold spaces
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    stats.set(Number(name), {
      pid: Number(name),
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
    })
  }
  return stats
}

/** Watches processes while something runs: CPU time used meanwhile, and the most memory seen. */
export async function watch<T>(
  roots: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; usage: Usage | null }> {
  const before = await usageOf(roots)
  let most = before
  const look = async (): Promise<void> => {
    const now = await usageOf(roots)
    if (!now || !most) return
    most = {
      cpuMs: now.cpuMs,
      ownMb: Math.max(most.ownMb, now.ownMb),
      allMb: Math.max(most.allMb, now.allMb),
    }
  }
  const timer = setInterval(() => void look(), 250)
  const result = await work()
  clearInterval(timer)
  await look()
  return { result, usage: before && most && { ...most, cpuMs: most.cpuMs - before.cpuMs } }
}
