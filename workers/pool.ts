import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'

/** Threads for work that is neither SQL nor I/O. They start on first use and leave when idle. */
export interface Workers {
  /**
   * Runs the exported function `name` of `workers/<task>/worker.ts` in a thread. The payload and the answer are
   * structured clones, except SharedArrayBuffers, which are shared.
   */
  run<T>(task: string, name: string, payload: unknown, signal?: AbortSignal): Promise<T>
  /**
   * One step of a request: `prepare` of the task turns what `read` gives into shared memory, kept by `key` and so
   * done once for equal keys; `answer` then works on it with the request's parameters. The key must name all that
   * the bytes depend on: version database, SQL and bound values.
   */
  step<T>(work: StepWork): Promise<T>
  close(): Promise<void>
}

export interface StepWork {
  task: string
  key: string
  read(): Promise<Uint8Array>
  parameters: Readonly<Record<string, unknown>>
  signal?: AbortSignal
}

export interface WorkersOptions {
  /** How many prepared universes are kept, the least used leaving first. */
  prepared?: number
  /** At most this many threads; default one less than the processors, as ClickHouse wants them too. */
  maxThreads?: number
  /** Milliseconds without work after which a thread leaves. */
  idleTimeout?: number
}

// Node before 22.18 does not run TypeScript by itself, and threads do not inherit every loader of their parent.
export const threadArguments: string[] = (process.features as { typescript?: unknown }).typescript
  ? []
  : ['--import', 'tsx']

/** Opens the pool; no thread is started yet, so a server that never needs one never pays for it. */
export function openWorkers(options: WorkersOptions = {}): Workers {
  let pool: Piscina | undefined
  let closed = false
  const open = () => {
    if (closed) throw new Error('The worker pool is closed')
    pool ??= new Piscina({
      minThreads: 0,
      maxThreads: options.maxThreads ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
      idleTimeout: options.idleTimeout ?? 60_000,
      execArgv: threadArguments,
    })
    return pool
  }
  const run = <T>(task: string, name: string, payload: unknown, signal?: AbortSignal): Promise<T> =>
    open().run(payload, { filename: new URL(`./${task}/worker.ts`, import.meta.url).href, name, signal })

  const kept = new Map<string, Promise<unknown>>()
  const prepare = ({ task, key, read }: StepWork): Promise<unknown> => {
    const name = `${task} ${key}`
    // Not bound to the signal of one request: others wait for the same preparation.
    const prepared = kept.get(name) ?? read().then((bytes) => run(task, 'prepare', bytes))
    kept.delete(name)
    kept.set(name, prepared)
    prepared.catch(() => kept.get(name) === prepared && kept.delete(name))
    for (const oldest of kept.keys()) {
      if (kept.size <= (options.prepared ?? 8)) break
      kept.delete(oldest)
    }
    return prepared
  }

  return {
    run,
    async step(work) {
      const prepared = await prepare(work)
      return run(work.task, 'answer', { prepared, parameters: work.parameters }, work.signal)
    },
    async close() {
      closed = true
      kept.clear()
      await pool?.close({ force: true })
      await pool?.destroy()
    },
  }
}
