import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Missing } from './contestant.ts'

/** A port of 127.0.0.1 that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export interface ServerProcess {
  readonly pid: number
  stop(): Promise<void>
}

/** Longest wait for a server that fills its memory at its start. */
const LONGEST_START_MS = 300_000
const LAST_WORDS = 2_000

/**
 * Starts a server and waits until it answers at an address.
 * @throws Missing with its last words where it ends or never answers
 */
export async function startServer(
  command: string,
  args: readonly string[],
  ready: string,
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<ServerProcess> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  const words = lastWords(child)
  let ended = false
  child.once('error', () => {
    ended = true
  })
  child.once('exit', () => {
    ended = true
  })
  const deadline = Date.now() + LONGEST_START_MS
  while (!(await answers(ready))) {
    if (!ended && Date.now() < deadline) {
      await sleep(100)
      continue
    }
    child.kill('SIGKILL')
    throw new Missing(`${command} ${ended ? 'ended' : 'did not answer'}: ${words()}`)
  }
  return {
    pid: child.pid!,
    async stop() {
      if (ended) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await exit
      clearTimeout(kill)
    },
  }
}

/** Runs a command to its end. @throws Missing with its last words */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; input?: NodeJS.ReadableStream } = {},
): Promise<string> {
  const child = spawn(command, args, {
    stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  const words = lastWords(child)
  let out = ''
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  if (options.input) {
    child.stdin!.on('error', () => {}) // it ended first: its exit tells
    options.input.pipe(child.stdin!)
  }
  const failed = await Promise.race([
    once(child, 'close').then(([code]) => (code === 0 ? null : `ended with ${code}: ${words()}`)),
    once(child, 'error').then(([error]) => (error as Error).message),
  ])
  if (failed !== null) throw new Missing(`${command} ${failed}`)
  return out
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )
}

function lastWords(child: ChildProcess): () => string {
  let words = ''
  for (const pipe of [child.stdout, child.stderr])
    pipe?.on('data', (chunk) => {
      words = (words + chunk).slice(-LAST_WORDS)
    })
  return () => words.trim().split('\n').slice(-5).join(' | ') || 'it said nothing'
}
