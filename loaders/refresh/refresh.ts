import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { takeBuildLock } from '../../server/engine/build-lock.ts'
import { prepareControl } from '../../server/engine/control.ts'
import type { Engine, Logger } from '../../server/engine/engine.ts'
import type { Publishing } from '../../server/publishing.ts'
import { type Collected, collect } from '../fetch/collect.ts'
import { amongOf, type FetchedSource, fetchingOf, heldState, lackingSettings } from '../fetch/fetching.ts'
import { recordFetch } from '../fetch/record.ts'
import { type Came, readState, type SourceState } from '../fetch/state.ts'
import { wordsOf } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import { type LoadOutcome, runLoads } from '../lib/run.ts'
import type { Unloadable } from '../lib/source.ts'

export interface RefreshOptions {
  sources: readonly FetchedSource[]
  progress: Progress
  log: Logger
  publishing: Publishing
  signal?: AbortSignal | undefined
  /** Stands for the clock, in tests. */
  now?: () => Date
}

/** What became of one source. */
export interface SourceReport {
  source: string
  status: 'published' | 'unchanged' | 'failed' | 'not-asked'
  /** Names of the files that were new. */
  fetched: string[]
  unchanged: number
  failed: Unloadable[]
  /** Why it was not asked. */
  reason?: string
  rowsKept: number
}

export interface RefreshOutcome {
  /** The version that was published; `null` when nothing changed. */
  dataVersion: string | null
  sources: SourceReport[]
  seconds: number
}

/** Publishers that are asked at a time: one that is slow does not hold up the others. */
const AT_ONCE = 4
/** The beginning of a file that nobody went on with for so long is of no use. */
const OLD_MS = 7 * 86_400_000

interface Asking {
  source: FetchedSource
  state: SourceState
  collected: Collected
  folder: string
}

/**
 * Asks sources for what is new, loads what changed as one build, and publishes it once. What fails is told, written
 * down, and tried again the next time; it never stops the others. One refresh runs at a time, wherever it is started.
 * @throws BuildLocked where another one does not end
 */
export async function refresh(engine: Engine, options: RefreshOptions): Promise<RefreshOutcome> {
  const { sources, log, signal, progress, now = () => new Date() } = options
  const started = performance.now()
  await prepareControl(engine, options.publishing.sqlFolder)
  const waitSeconds = engine.config.buildWaitSeconds
  const lock = await takeBuildLock(
    engine.loader(),
    { what: 'a refresh', waitSeconds, kind: 'refresh', signal },
    log,
  )
  try {
    const reports = new Map<string, SourceReport>()
    const asked: Asking[] = []
    await eachOf(sources, AT_ONCE, async (source) => {
      const lacking = lackingSettings(source, engine.config)
      if (lacking.length > 0) {
        const reason = `${lacking.join(' and ')} ${lacking.length === 1 ? 'is' : 'are'} not set`
        reports.set(source.key, { ...nothing(source.key), status: 'not-asked', reason })
        progress.note(`${source.key} is not asked: ${reason}`)
      } else asked.push(await ask(engine, source, options, now()))
    })
    const loads = await load(engine, asked, options)
    for (const asking of asked) {
      const { key } = asking.source
      const loaded = loads.get(key)
      const came = await recordFetch(engine, { ...asking, loaded, now: now() })
      reports.set(key, reportOf(asking, came, loaded))
      await rmFiles(asking)
    }
    return {
      dataVersion: [...loads.values()].find(({ dataVersion }) => dataVersion !== null)?.dataVersion ?? null,
      sources: sources.map(({ key }) => reports.get(key)!),
      seconds: Math.round(performance.now() - started) / 1000,
    }
  } finally {
    await lock.release()
  }
}

async function ask(
  engine: Engine,
  source: FetchedSource,
  { progress, signal }: RefreshOptions,
  now: Date,
): Promise<Asking> {
  const { key, fetch } = source
  const folder = join(engine.config.dataDir, 'fetched', key)
  await mkdir(folder, { recursive: true })
  await dropOld(folder, now)
  const state = await readState(engine, key)
  const known = await heldState(engine, key, state)
  if (fetch.note) progress.note(`${key}: ${fetch.note}`)
  const among = await amongOf(engine, source)
  const how = { state: known, folder, progress, now, among, signal }
  const fetching = fetchingOf(source, engine.config, how)
  try {
    return { source, state, folder, collected: await collect(fetching) }
  } catch (error) {
    signal?.throwIfAborted()
    // such as a full disk
    progress.note(`${key}: ${wordsOf(error)}`)
    const failed = [{ name: key, reason: 'what came could not be kept' }]
    return { source, state, folder, collected: { files: [], same: [], failed } }
  }
}

/** Loads what is new of all of them. A fault of the whole build is one of each of its sources. */
async function load(
  engine: Engine,
  asked: readonly Asking[],
  { progress, log, publishing, signal }: RefreshOptions,
): Promise<Map<string, LoadOutcome>> {
  const jobs = asked
    .filter(({ collected }) => collected.files.length > 0)
    .map(({ source, collected }) => ({ source, paths: collected.files.map(({ path }) => path) }))
  if (jobs.length === 0) return new Map()
  try {
    const outcomes = await runLoads(engine, jobs, { progress, log, publishing, signal })
    return new Map(outcomes.map((outcome) => [outcome.source, outcome]))
  } catch (error) {
    signal?.throwIfAborted()
    progress.note(`nothing was loaded: ${wordsOf(error)}`)
    return new Map(jobs.map(({ source, paths }) => [source.key, failedWhole(source.key, paths)]))
  }
}

/** What the fault says is told to whoever runs the refresh, and shown to nobody else. */
const NOT_PUBLISHED = 'nothing was published, for no fault of the file'

const failedWhole = (source: string, paths: readonly string[]): LoadOutcome => ({
  ...{ source, dataVersion: null, ignored: [], seconds: 0 },
  editions: paths.map((path) => ({
    ...{ name: basename(path), reportDate: null, status: 'failed', reason: NOT_PUBLISHED },
    ...{ rowsRead: 0, rowsKept: 0, rowsRejected: 0, notes: [] },
  })),
})

function reportOf({ source, collected }: Asking, came: readonly Came[], loaded?: LoadOutcome): SourceReport {
  const failed = came.flatMap((one) =>
    one.came === 'failed' ? [{ name: one.name, reason: one.reason }] : [],
  )
  const isNew = loaded?.editions.some(({ status }) => status === 'published') ?? false
  return {
    source: source.key,
    status: failed.length > 0 ? 'failed' : isNew ? 'published' : 'unchanged',
    fetched: collected.files.map(({ name }) => name),
    unchanged: collected.same.length,
    failed,
    rowsKept: (loaded?.editions ?? []).reduce((sum, { rowsKept }) => sum + rowsKept, 0),
  }
}

const nothing = (source: string) => ({ source, fetched: [], unchanged: 0, failed: [], rowsKept: 0 })

async function rmFiles({ collected }: Asking): Promise<void> {
  for (const { path } of collected.files) await rm(path, { force: true })
}

async function dropOld(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // the clock of the files, not that of a test
    const { mtimeMs } = await stat(path)
    if (now.getTime() - mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Calls `work` for each, some at a time; the first fault ends it once those under way have ended. */
async function eachOf<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all]
  const ends = await Promise.allSettled(
    Array.from({ length: atOnce }, async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        try {
          await work(one)
        } catch (error) {
          queue.length = 0
          throw error
        }
      }
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
