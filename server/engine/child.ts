import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { type Address, credentials, type EngineFile, enginePaths } from './address.ts'
import { configXml, type Element, usersXml } from './config-xml.ts'
import { EngineStartError } from './errors.ts'
import { findLibraries } from './library.ts'
import { patience } from './patience.ts'

const LAST_LINES = 20
const LOCKED = 75

/** The folder's lock is held: somebody else is starting the engine, runs it, or has not ended it yet. */
export class Locked extends Error {
  readonly pid: number | null
  constructor(pid: number | null) {
    super('the engine of this data folder is running')
    this.pid = pid
  }
}

/** An embedded engine that this process started. */
export interface Child {
  file: EngineFile
  /** Settles when the process has ended, however it did; with what it wrote last. */
  ended: Promise<string>
  stop(): Promise<void>
}

/**
 * Starts the embedded engine of the data folder and waits until it answers.
 * @param previous its address and passwords are used again if possible, so that other processes' connections and
 *   a running loader's client go on after a crash
 * @param amongOthers configuration of an engine that is one of several servers and talks to them: their addresses and its port
 * @throws Locked when another starter was first; EngineStartError otherwise
 */
export async function startChild(
  config: Config,
  previous: Address | null,
  amongOthers?: Element,
): Promise<Child> {
  const libraries = findLibraries()
  const paths = enginePaths(config)
  await mkdir(paths.folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new EngineStartError(
      'DATA_DIR_UNUSABLE',
      `DATA_DIR ${paths.root} cannot be written (${cause.code}): expected a folder of this user`,
      { cause },
    )
  })
  const reader = previous?.reader ?? { name: 'reader', password: newSecret() }
  const loader = previous?.loader ?? { name: 'loader', password: newSecret() }
  const port = (previous && (await freePort(Number(new URL(previous.url).port)))) || (await freePort(0))
  const address = { url: `http://127.0.0.1:${port}`, reader, loader }

  const child = spawn(process.execPath, [join(import.meta.dirname, 'child.mjs')], {
    // its own process group: an interrupt at the terminal must not kill it before the server has drained
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH,
      TZ: 'UTC',
      ENGINE_START: JSON.stringify({
        libraries,
        port,
        listen: amongOthers ? ['HTTP', 'TCP'] : ['HTTP'],
        lockFile: paths.lock,
        dataDir: paths.data,
        configFile: paths.config,
        files: {
          [paths.config]: configXml(config, paths, amongOthers),
          [paths.users]: usersXml(
            config,
            { reader: reader.password, loader: loader.password },
            amongOthers !== undefined,
          ),
        },
      }),
    },
  })
  child.stdin!.on('error', () => {}) // it ended first: `exit` tells
  const lastWords = keepLastLines(child)
  let running = true
  const ended = new Promise<string>((resolve) => {
    const settle = () => {
      running = false
      resolve(lastWords())
    }
    child.once('close', settle)
    child.once('error', settle)
  })
  const deadline = Date.now() + config.engineStartSeconds * 1000
  // to connect costs a tenth of a request, and the engine needs the processor itself
  while (running && !((await listens(port!)) && (await answers(address, 1_000)))) {
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new EngineStartError(
        'NOT_READY',
        `The embedded ClickHouse did not answer within ${config.engineStartSeconds} s (ENGINE_START_SECONDS). ` +
          `Its log: ${paths.log}`,
      )
    }
    await Promise.race([sleep(10), ended])
  }
  if (!running) {
    if (child.exitCode === LOCKED) throw new Locked(await lockHolder(paths.lock))
    throw startFailure(config, child.exitCode, child.signalCode, await ended)
  }
  // from here on the engine must not keep alive a process that has nothing else to do
  child.unref()
  for (const pipe of [child.stdin, child.stderr]) (pipe as unknown as { unref(): void }).unref()

  return {
    file: { ...address, pid: child.pid!, backups: paths.backups },
    ended,
    async stop() {
      child.ref()
      child.stdin!.end()
      // idle connections of others hold it up; killing loses nothing that was acknowledged
      for (const [seconds, signal] of [
        [3, 'SIGTERM'],
        [3, 'SIGKILL'],
      ] as const) {
        const pause = AbortSignal.timeout(seconds * 1000)
        await Promise.race([ended, sleep(seconds * 1000 + 10, undefined, { signal: pause }).catch(() => {})])
        if (!running) return
        child.kill(signal)
      }
      await ended
    },
  }
}

/** Whether the engine at this address is ours: it answers, and knows the user. */
export async function answers(address: Address, timeoutMs: number): Promise<boolean> {
  const { signal, stop } = patience(timeoutMs)
  try {
    const response = await fetch(address.url, {
      method: 'POST',
      body: 'SELECT 1',
      headers: { ...credentials(address.loader), connection: 'close' },
      signal,
    })
    return response.ok && (await response.text()) === '1\n'
  } catch {
    return false
  } finally {
    stop()
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const tell = (there: boolean) => () => {
      socket.destroy()
      resolve(there)
    }
    socket.once('connect', tell(true)).once('error', tell(false))
  })

async function lockHolder(path: string): Promise<number | null> {
  return Number(await readFile(path, 'utf8').catch(() => '')) || null
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The port if nobody listens on it (0: any); null otherwise. */
function freePort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address() as { port: number }
      server.close(() => resolve(taken))
    })
  })
}

function keepLastLines(child: ChildProcess): () => string {
  let lines: string[] = []
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lines = `${lines.join('\n')}${text}`.split('\n').slice(-LAST_LINES)
  })
  return () => lines.join('\n').trim()
}

function startFailure(
  config: Config,
  code: number | null,
  signal: string | null,
  words: string,
): EngineStartError {
  const { root, data, log } = enginePaths(config)
  if (/Code: 76\b|Another server instance in same directory/.test(words)) {
    return new EngineStartError(
      'DATA_DIR_IN_USE',
      `DATA_DIR ${root} is in use by another ClickHouse, which this project did not start. Stop it, or set another ` +
        'DATA_DIR.',
    )
  }
  if (/Address already in use/i.test(words)) {
    return new EngineStartError('PORT_IN_USE', 'The embedded ClickHouse found its port taken.')
  }
  if (/No space left on device|ENOSPC|Code: 243\b/.test(words)) {
    return new EngineStartError('DISK_FULL', `No space is left on the disk of DATA_DIR ${root}.`)
  }
  if (/Load job '|Cannot parse definition|Cannot attach|while loading database/.test(words)) {
    return new EngineStartError(
      'DATA_DAMAGED',
      `DATA_DIR ${root} is damaged: ClickHouse cannot load its files. Move ${data} away and restore a backup ` +
        `(docs/operating.md, Damage). It said:\n${words}\nIts log: ${log}`,
    )
  }
  if (/Permission denied|EACCES/.test(words)) {
    return new EngineStartError(
      'DATA_DIR_UNUSABLE',
      `DATA_DIR ${root} holds files that this user cannot use:\n${words}`,
    )
  }
  return new EngineStartError(
    'DIED',
    `The embedded ClickHouse ended before it was ready (${signal ?? `exit code ${code}`}). ` +
      `${words ? `It said:\n${words}\n` : ''}Its log: ${log}`,
  )
}
