import { Connection, type Timed, type WireRequest, wire } from './connection.ts'

/** One cell's work for the load generator. */
export interface Job {
  readonly origin: string
  readonly requests: readonly WireRequest[]
  readonly connections: number
  /** No request is begun after this; those under way are waited for. */
  readonly seconds: number
  /** Whether each request is sent once at most, or the list again and again. */
  readonly once: boolean
}

/** Milliseconds, but for what says otherwise. */
export interface JobResult {
  readonly requests: number
  /** From the first request to the end of the last answer. */
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly firstByteP50: number
  /** Of a body, on average. */
  readonly bytes: number
  /** What went wrong, with how often. */
  readonly errors: Readonly<Record<string, number>>
}

/** However slow the server is, a request is not waited for longer. */
const LONGEST_MS = 60_000

/**
 * Asks over so many connections at once, each one request at a time. An error is: no answer, a cut one, a status
 * but 200, or another length than the same request had before.
 */
export async function runJob(job: Job): Promise<JobResult> {
  const origin = new URL(job.origin)
  const requests = job.requests.map((request) => wire(request, origin.host))
  const lengths = new Int32Array(requests.length).fill(-1)
  const answers: Timed[] = []
  const errors: Record<string, number> = {}
  const wrong = (what: string): void => {
    errors[what] = (errors[what] ?? 0) + 1
  }
  let next = 0
  const began = performance.now()
  const until = began + job.seconds * 1000
  let ended = began

  const one = async (): Promise<void> => {
    let connection = new Connection(origin)
    // a server may close a connection between answers; one that does nothing else must not keep this going
    let lost = 0
    while (performance.now() < until && lost < 10) {
      const turn = next++
      if (job.once && turn >= requests.length) break
      const at = turn % requests.length
      if (!connection.usable) connection = new Connection(origin)
      const patience = setTimeout(
        () => connection.close(`no answer within ${LONGEST_MS / 1000} s`),
        LONGEST_MS,
      )
      try {
        const timed = await connection.ask(requests[at]!)
        ended = performance.now()
        answers.push(timed)
        if (timed.status !== 200) wrong(`status ${timed.status}`)
        else if (lengths[at]! >= 0 && lengths[at] !== timed.bytes) wrong('another length than before')
        lengths[at] = timed.bytes
      } catch (error) {
        lost++
        wrong((error as Error).message)
      } finally {
        clearTimeout(patience)
      }
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: job.connections }, one))

  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const firsts = answers.map(({ firstByteMs }) => firstByteMs).sort((a, b) => a - b)
  return {
    requests: answers.length,
    seconds: (ended - began) / 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    firstByteP50: quantile(firsts, 0.5),
    bytes: answers.length === 0 ? 0 : answers.reduce((sum, { bytes }) => sum + bytes, 0) / answers.length,
    errors,
  }
}

/** The smallest value that so large a share does not exceed; 0 of nothing. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
