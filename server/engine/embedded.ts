import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import { type EngineFile, enginePaths, readEngineFile, writeEngineFile } from './address.ts'
import { answers, type Child, Locked, startChild } from './child.ts'
import { Connection } from './connection.ts'
import type { Engine, EngineState, Logger, ReadQuery, ReadResult } from './engine.ts'
import { EngineStartError, EngineUnavailable } from './errors.ts'
import { asEngineError, isConnectionLoss } from './http.ts'

const PING_MS = 500
/** An engine that does not answer a ping for this long is stalled: requests are rejected until it answers again. */
const PING_PATIENCE_MS = 5_000
const LONGEST_PAUSE_MS = 10_000
/** An engine that ran this long did not fail at its start. */
const STABLE_MS = 60_000

/**
 * The embedded engine of one data folder. Several processes share it: one of them started it, the others found it
 * through `engine.json`. When it ends, for whatever reason, each of them tries to start it again, and the folder's
 * lock lets one do so.
 */
export class EmbeddedEngine implements Engine {
  readonly config: Config
  readonly #log: Logger
  readonly #starts: boolean
  #state: EngineState = 'starting'
  #connection: Connection | null = null
  #own: Child | null = null
  #connectedAt = 0
  #failures = 0
  #recovering: Promise<void> | null = null
  #pings: NodeJS.Timeout | undefined
  #pinging = false
  #closed = false
  readonly #closing = new AbortController()

  /** @param starts whether this process may start it; else it waits for another one to */
  constructor(config: Config, log: Logger, starts = true) {
    this.config = config
    this.#log = log
    this.#starts = starts
  }

  async open(): Promise<void> {
    await this.#connect()
    this.#pings = setInterval(() => void this.#ping(), PING_MS).unref()
  }

  read(query: ReadQuery): Promise<ReadResult> {
    return this.#using((connection) => connection.read(query))
  }

  rows<T>(query: Omit<ReadQuery, 'format'>): Promise<T[]> {
    return this.#using((connection) => connection.rows<T>(query))
  }

  loader(database?: string): ClickHouseClient {
    if (!this.#connection) throw new EngineUnavailable('the engine is not open')
    return this.#connection.loader(database)
  }

  state(): EngineState {
    return this.#state
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#state = 'down'
    this.#closing.abort()
    clearInterval(this.#pings)
    await this.#recovering
    await this.#connection?.close()
    const own = this.#own
    if (!own) return
    const { address } = enginePaths(this.config)
    const file = await readEngineFile(address)
    if (file?.pid === own.file.pid) await rm(address, { force: true })
    await own.stop()
  }

  async #using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#state === 'stalled') throw new EngineUnavailable('the engine does not answer')
    if (this.#state !== 'ready' || !this.#connection) {
      throw new EngineUnavailable(this.#closed ? 'the engine is closed' : 'the engine is starting again')
    }
    try {
      return await work(this.#connection)
    } catch (error) {
      if (isConnectionLoss(error)) void this.#ping()
      throw asEngineError(error)
    }
  }

  /** Attaches to the engine that answers for this folder, or starts it. */
  async #connect(): Promise<void> {
    const paths = enginePaths(this.config)
    const deadline = Date.now() + this.config.engineStartSeconds * 1000
    let portTaken = 0
    for (;;) {
      const found = await readEngineFile(paths.address)
      if (found && (await answers(found, 2_000))) return this.#use(found, null)
      if (!this.#starts) {
        if (this.#closed || Date.now() > deadline)
          throw new EngineStartError('NOT_READY', `no engine answers for DATA_DIR ${paths.root}`)
        await sleep(100)
        continue
      }
      try {
        const child = await startChild(this.config, this.#connection?.address ?? null)
        await writeEngineFile(paths.address, child.file)
        return this.#use(child.file, child)
      } catch (error) {
        if (error instanceof EngineStartError && error.code === 'PORT_IN_USE' && portTaken++ < 3) continue
        if (!(error instanceof Locked)) throw error
        if (this.#closed || Date.now() > deadline) {
          throw new EngineStartError(
            'DATA_DIR_IN_USE',
            `DATA_DIR ${paths.root} is in use by process ${error.pid ?? '(unknown)'}, an embedded ClickHouse that does ` +
              'not answer. End that process, or set another DATA_DIR.',
          )
        }
        await sleep(100)
      }
    }
  }

  #use(file: EngineFile, child: Child | null): void {
    const { url, reader, loader } = file
    const before = this.#connection
    if (!before || before.address.url !== url || before.address.loader.password !== loader.password) {
      this.#connection = new Connection({ url, reader, loader }, this.config)
      void before?.close()
    }
    this.#own = child
    this.#state = 'ready'
    this.#connectedAt = Date.now()
    this.#log.info(
      { url, pid: file.pid },
      child ? 'embedded ClickHouse started' : 'embedded ClickHouse found running',
    )
    child?.ended.then((words) => {
      if (this.#own !== child) return
      this.#own = null
      if (!this.#closed) this.#recover(words)
    })
  }

  async #ping(): Promise<void> {
    if (this.#closed || this.#recovering || !this.#connection || this.#pinging) return
    this.#pinging = true
    try {
      await this.#connection.ping(PING_PATIENCE_MS)
      this.#answered(true)
    } catch (error) {
      // slow is not dead: only a closed port, or one that another engine took, is
      const gone = isConnectionLoss(error) || error instanceof EngineUnavailable
      if (!gone) this.#answered(false)
      else if (!this.#closed && !(await answers(this.#connection.address, 2_000))) this.#recover('')
    } finally {
      this.#pinging = false
    }
  }

  #answered(inTime: boolean): void {
    if (this.#state === 'ready' && !inTime) {
      this.#state = 'stalled'
      this.#log.error({}, 'the embedded ClickHouse does not answer')
    } else if (this.#state === 'stalled' && inTime) {
      this.#state = 'ready'
      this.#log.info({}, 'the embedded ClickHouse answers again')
    }
  }

  #recover(lastWords: string): void {
    if (this.#recovering || this.#closed) return
    this.#state = 'down'
    if (Date.now() - this.#connectedAt > STABLE_MS) this.#failures = 0
    this.#log.error({ lastWords }, 'the embedded ClickHouse has ended: starting it again')
    this.#recovering = this.#reconnect().finally(() => {
      this.#recovering = null
    })
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed) {
      if (this.#failures > 0) {
        const pause = Math.min(LONGEST_PAUSE_MS, 100 * 2 ** this.#failures)
        await sleep(pause, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {})
        if (this.#closed) return
      }
      this.#failures++
      try {
        await this.#connect()
        return
      } catch (error) {
        this.#log.error({ error }, 'the embedded ClickHouse could not be started again')
      }
    }
  }
}
