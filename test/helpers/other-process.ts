import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'

export interface OtherProcess {
  child: ChildProcess
  /** Of the ClickHouse that it uses. */
  pid: number
  /** Whether it started that, rather than finding it. */
  started: boolean
  /** Its version database, for `build`. */
  database?: string
  end(): Promise<void>
  kill(): Promise<void>
}

/** Runs `engine-process.ts` on a data folder, and waits until it is ready. */
export async function otherProcess(t: Test, dataDir: string, task: 'hold' | 'build'): Promise<OtherProcess> {
  const script = join(import.meta.dirname, 'engine-process.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, task], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const line = await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    exit.then(([code]) => Promise.reject(new Error(`the other process ended with ${code}`))),
  ])
  return {
    child,
    ...(JSON.parse(String(line[0])) as { pid: number; started: boolean; database?: string }),
    async end() {
      child.stdin!.end()
      await exit
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
