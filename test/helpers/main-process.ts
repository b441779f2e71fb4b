import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

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
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', ...settings }
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
