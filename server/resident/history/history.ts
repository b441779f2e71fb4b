/**
 * All metrics of all quarters on the server's own disk, files of rows and files of columns for some years of a universe: a
 * series of one institution that the server's memory does not hold is read there, and a panel in Arrow made, without the
 * engine's planning. The engine answers what is not there, or not yet: docs/decisions/0005-resident-tables.md.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Universe } from '../../../sql/derive/universe.ts'
import type { Engine, Logger } from '../../engine/engine.ts'
import { ColumnMemory } from './column-memory.ts'
import { type DiskFile, type Span, UNFINISHED, WrongFile } from './disk.ts'
import { type Limits, limits } from './limits.ts'
import type { Looking, VersionFiles } from './partitions.ts'
import { VersionHistory } from './version.ts'

const MIB = 2 ** 20
/** How often a file is looked for that another process writes. */
const LOOK_MS = 1_000
/** Nobody writes on one that did not grow for so long. */
const ABANDONED_MS = 600_000

export interface HistoryOptions {
  readonly folder: string
  /** Disk space. */
  readonly mib: number
  /** Memory for columns that are asked for again and again. */
  readonly memoryMib: number
  /** Whether files are written, or those of another process looked for. */
  readonly writes: boolean
  readonly log: Logger
  /** How a panel is divided, where it is not as usual. */
  readonly limits?: Partial<Limits>
}

/** The files of one process: they are shared by data versions that have the same rows. */
export class History implements VersionFiles {
  readonly series = { read: 0, lost: 0 }
  readonly panels = { read: 0, lost: 0 }
  readonly limits: Limits
  readonly memory: ColumnMemory
  readonly #options: HistoryOptions
  readonly #files = new Map<string, DiskFile>()
  readonly #end = new AbortController()
  /** Files that could not be read and were written anew: once, as the disk may be at fault. */
  readonly #rewritten = new Set<string>()
  #current: Looking | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(options: HistoryOptions) {
    this.#options = options
    this.memory = new ColumnMemory(options.memoryMib * MIB)
    this.limits = { ...limits, ...options.limits }
  }

  /** That of a data version. Nothing is read before its `take`. */
  of(engine: Engine, database: string, universes: readonly Universe[]): VersionHistory {
    return new VersionHistory({ files: this, engine, database }, universes)
  }

  file<F extends DiskFile>({ name }: Span<F>): F | undefined {
    return this.#files.get(name) as F | undefined
  }

  /**
   * Opens the files of this version from now on, and writes those that are missing; those of other versions go. Ends when
   * all are open, or another version is taken. What fails is logged.
   */
  take(version: Looking): Promise<void> {
    this.#current = version
    this.#work = this.#work.then(() => this.#take(version))
    return this.#work
  }

  /** A file that cannot be read is not read again, and written anew. */
  lost(span: Span, error: unknown): void {
    span.counts.lost++
    const file = this.#files.get(span.name)
    if (!file) return
    this.#files.delete(span.name)
    file.drop()
    const { folder, writes, log } = this.#options
    log.warn({ err: error, file: span.name }, 'a file of the history cannot be read: the engine is asked')
    const version = this.#current
    if (!version || this.#rewritten.has(span.name)) return
    this.#rewritten.add(span.name)
    this.#work = this.#work
      .then(async () => {
        if (this.#isOver(version)) return
        if (writes) await rm(join(folder, span.name), { force: true })
        await this.#open(version, span)
      })
      .catch((error: unknown) => this.#failed(span, error))
  }

  /** Once all that is under way has ended. */
  async idle(): Promise<void> {
    for (let work: unknown; work !== this.#work; ) {
      work = this.#work
      await work
    }
  }

  async close(): Promise<void> {
    this.#current = undefined
    this.#end.abort(new Error('the server stops'))
    await this.idle()
    for (const file of this.#files.values()) file.drop()
    this.#files.clear()
  }

  #isOver = (version: Looking): boolean => this.#current !== version || this.#end.signal.aborted

  async #take(version: Looking): Promise<void> {
    if (this.#isOver(version)) return
    const { folder, mib, writes, log } = this.#options
    try {
      const spans = await version.look(mib * MIB)
      const names = new Set(spans.map(({ name }) => name))
      for (const [name, file] of this.#files) {
        if (names.has(name)) continue
        this.#files.delete(name)
        file.drop()
      }
      if (writes) await tidy(folder, names)
      for (const span of spans) {
        if (this.#isOver(version)) return
        await this.#open(version, span).catch((error: unknown) => this.#failed(span, error))
      }
    } catch (error) {
      if (!this.#isOver(version))
        log.warn({ err: error }, 'the history was not looked at: the engine is asked')
    }
  }

  #failed(span: Span, error: unknown): void {
    if (this.#end.signal.aborted) return
    const { log } = this.#options
    log.warn({ err: error, file: span.name }, 'a file of the history was not written: the engine is asked')
  }

  async #open(version: Looking, span: Span): Promise<void> {
    if (this.#files.has(span.name)) return
    const { folder, writes, log } = this.#options
    const path = join(folder, span.name)
    let file = await this.#opened(path, span)
    if (!file && writes) {
      const began = Date.now()
      file = await span.write(path, this.#end.signal)
      log.info({ file: span.name, milliseconds: Date.now() - began }, 'a file of the history was written')
    }
    while (!file) {
      await sleep(LOOK_MS, undefined, { signal: this.#end.signal })
      if (this.#isOver(version)) return
      file = await this.#opened(path, span)
    }
    this.#files.set(span.name, file)
  }

  async #opened(path: string, span: Span): Promise<DiskFile | undefined> {
    try {
      return await span.open(path)
    } catch (error) {
      if (!(error instanceof WrongFile)) throw error
      const { writes, log } = this.#options
      if (!writes) return undefined
      log.warn({ err: error, file: span.name }, 'a file of the history is wrong: it is written anew')
      await rm(path, { force: true })
      return undefined
    }
  }
}

/** Removes what no file of these names is, and what nobody goes on writing. */
async function tidy(folder: string, names: ReadonlySet<string>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (names.has(name)) continue
    const path = join(folder, name)
    if (name.endsWith(UNFINISHED)) {
      const written = await stat(path).catch(() => undefined)
      if (written && Date.now() - written.mtimeMs < ABANDONED_MS) continue
    }
    await rm(path, { force: true })
  }
}
