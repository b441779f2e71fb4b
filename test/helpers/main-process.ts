import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { unhurried } from './engine.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** `npm start` as a process of its own. */
export interface MainProcess {
  readonly child: ChildProcess
  /** The first place of all that it has written, on both streams, that matches; waits for it. */
  until(pattern: RegExp, seconds?: number): Promise<RegExpExecArray>
  /** Everything that it has written so far. */
  written(): string
  /** Its exit code, once it has ended; null where a signal ended it. */
  exited(): Promise<number | null>
}

/** Starts the server on a free port of this machine, with these settings. It is killed when the test ends. */
export function startMain(t: Test, settings: Readonly<Record<string, string>>): MainProcess {
  // not more quarters than the tests' universe has: else the server builds them
  const usual = { HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', DEMO_QUARTERS: '8', ...unhurried }
  const env = { ...process.env, ...usual, ...settings }
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let text = ''
  const add = (chunk: Buffer): void => {
    text += chunk
  }
  child.stderr.on('data', add)
  child.stdout.on('data', add)
  let closed = false
  // after the last byte of both streams, unlike its exit
  const close = once(child, 'close').then(([code]) => {
    closed = true
    return code as number | null
  })
  return {
    child,
    async until(pattern, seconds = 60) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(50)) {
        const match = pattern.exec(text)
        if (match) return match
        if (closed) break
      }
      throw new Error(`${pattern} was not written:\n${text}`)
    },
    written: () => text,
    exited: () => close,
  }
}

/** On Linux, the processes whose command is the server and whose parent is this one: those of PROCESSES. */
export const answerersOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return (
          Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/main.ts')
        )
      } catch {
        return false
      }
    })
