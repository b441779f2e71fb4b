import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { OurServer } from './peers/ours.ts'

const main = join(import.meta.dirname, '../server/main.ts')

export interface ServerOptions {
  /** Where its engine keeps the data; a demo universe is built there where there is none. */
  readonly dataDir: string
  readonly quarters: number
  /** Arguments of Node, such as those of its profiler. */
  readonly nodeArgs?: readonly string[]
  /** Further environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly say: (line: string) => void
}

/**
 * Settings under which the bench measures, beside the defaults: what limits a client, and what gives up on a slow
 * machine, must not be what is measured. Uses are counted all the same.
 */
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  ALLOWANCE_PREMIUM: '1000000000',
  BURST_PREMIUM: '1000000000',
  MAX_WAIT_MS: '60000',
  QUERY_SECONDS: '600',
  MAX_EVENT_LOOP_DELAY_MS: '0',
}

/** Starts this project's server as `npm start` does, and waits until it is ready and knows the bench's key. */
export async function startOurServer(options: ServerOptions): Promise<OurServer> {
  const { dataDir, quarters, nodeArgs = [], say } = options
  const own = { DATA_DIR: dataDir, DEMO_QUARTERS: String(quarters) }
  const env = { ...process.env, ...settings, ...own, ...options.env }
  const child = spawn(process.execPath, ['--import', 'tsx', ...nodeArgs, main], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env,
  })
  const close = async (): Promise<void> => {
    if (child.exitCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  try {
    const origin = await readyAddress(child, say)
    const { id, key } = await keys(env, 'create', '--plan', 'premium', '--name', 'bench')
    await known(origin, key!)
    await wholeDemo(origin, key!, quarters)
    if ((env as NodeJS.ProcessEnv).HISTORY_MIB !== '0') await wholeHistory(origin, key!, say)
    return {
      origin,
      pid: child.pid!,
      key: key!,
      history: join(dataDir, 'history'),
      async close() {
        await keys(env, 'revoke', id!)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function keys(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Record<string, string>> {
  const cli = join(import.meta.dirname, '../server/access/cli.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', cli, ...args, '--json'],
    { env },
  )
  return JSON.parse(stdout)
}

/** Waits until the server has taken up a key that was just made. */
async function known(origin: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  for (let turn = 0; turn < 100; turn++) {
    const { status } = await fetch(`${origin}/api/v1/screeners/panel/?metrics=roa&limit=1`, { headers })
    if (status === 200) return
    if (status !== 401) throw new Error(`the bench's key was answered with status ${status}`)
    await sleep(100)
  }
  throw new Error('the server did not take up the bench’s key')
}

/** Waits while the server answers from the latest quarters of a demo whose others it is still building. */
async function wholeDemo(origin: string, key: string, quarters: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/reference/quarters/`, { headers })
    const { data, meta } = (await answer.json()) as { data?: unknown[]; meta?: { synthetic: boolean } }
    // of real data there may be none
    if (answer.status === 503 || meta?.synthetic === false || (data?.length ?? 0) >= quarters) return
    if (answer.status !== 200) throw new Error(`the quarters held were asked with status ${answer.status}`)
    await sleep(1000)
  }
}

/** The history of 100 quarters is written within some minutes of CPU. */
const MOST_WAITED_MS = 1_800_000

/**
 * Waits while the server writes files of its history: those of text are the last, and once all are there, a panel in CSV
 * takes no time of the engine's.
 */
async function wholeHistory(origin: string, key: string, say: (line: string) => void): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const began = Date.now()
  for (let turn = 1; Date.now() - began < MOST_WAITED_MS; turn++) {
    // no row has it, and it was not asked before
    const query = `format=csv&fields=rssd_id&max_total_assets=-${turn}`
    const answer = await fetch(`${origin}/api/v1/screeners/panel/?${query}`, { headers })
    await answer.arrayBuffer()
    const engine = /engine;dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '')?.[1]
    if (answer.status !== 200 || Number(engine) === 0) return
    if (turn === 1) say('waiting for the files of the history')
    await sleep(1000)
  }
  say('the files of the history are not all there: the engine answers in their place')
}

/** The address in the server's greeting; what it says before, such as the progress of a build, is passed on. */
async function readyAddress(child: ChildProcess, say: (line: string) => void): Promise<string> {
  const lines = createInterface({ input: child.stderr! })
  const last: string[] = []
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code}: ${last.slice(-5).join(' | ')}`)),
    )
    lines.on('line', (line) => {
      if (line.trim() === '') return
      last.push(line)
      const address = /^Ready in .*?: (http[^ ]+) /.exec(line)?.[1]
      if (address) resolve(address)
      else say(line)
    })
  })
}
