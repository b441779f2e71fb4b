import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process that holds the lock of builds. */
export interface Holder {
  pid: number
  /** When the process began, in the kernel's own measure: tells it from a later one with the same pid. */
  started: string
  /** Machine, its boot, and its pid namespace: where the pid can be asked about. */
  place: string
  host: string
  what: string
  /** Whoever does not yield may take the lock from it. */
  yields?: boolean
}

/** This process. @param what words for others that wait, such as `load ffiec-call-report` */
export function thisHolder(what: string, yields = false): Holder {
  const started = startOf(process.pid) ?? ''
  return { pid: process.pid, started, place: PLACE, host: hostname(), what, ...(yields && { yields }) }
}

/** Whether the holder's process lives; null where that cannot be known from here. */
export function isAlive(holder: Holder): boolean | null {
  if (holder.place !== PLACE) return null
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const started = startOf(holder.pid)
  return started === null || holder.started === '' || started === holder.started
}

const PLACE = [
  hostname(),
  fact(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  fact(pidSpace),
]
  .filter((part) => part !== '')
  .join(' ')

function pidSpace(): string {
  return readlinkSync('/proc/self/ns/pid')
}

function startOf(pid: number): string | null {
  // the command's name, in parentheses, may hold spaces; start time is field 22
  const stat = fact(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function fact(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
