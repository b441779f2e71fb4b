import type { Engine, Logger } from '../../server/engine/engine.ts'
import { type Build, beginBuild, currentPublication } from '../../server/engine/versions.ts'
import { LoadError, wordsOf } from './errors.ts'
import { entriesInForce, entryInForce, type ManifestEntry, record } from './manifest.ts'
import type { Progress } from './progress.ts'
import type { Edition, Refusal, Source } from './source.ts'

export interface EditionOutcome {
  name: string
  reportDate: string | null
  status: 'published' | 'already-there' | 'failed'
  rowsRead: number
  rowsKept: number
  rowsRejected: number
  /** Why it failed. */
  reason?: string
  notes: string[]
}

export interface LoadOutcome {
  source: string
  /** The version that was published; `null` when nothing changed. */
  dataVersion: string | null
  editions: EditionOutcome[]
  ignored: string[]
  seconds: number
}

/** What turns loaded rows into what is served; `server/` and `sql/` give theirs. */
export interface Publishing {
  derive(build: Build, changed: 'all' | string[], progress: Progress): Promise<unknown>
  hooks?: readonly ((build: Build) => Promise<void>)[]
  codeHashExtra?: string
  /** Of migrations and views, where they are not the project's. */
  sqlFolder?: string
}

export interface LoadOptions {
  force?: boolean
  progress: Progress
  log: Logger
  publishing: Publishing
  /** What could not be had of what was wanted; reported as failed. */
  missing?: readonly Refusal[]
}

/**
 * Loads the files at `paths` as one change of what is served: one build, one derivation, one publish. An edition
 * that is not sound is left out whole and reported; the sound ones are published. When nothing is left to
 * load, nothing is built.
 */
export async function runLoad(
  engine: Engine,
  source: Source,
  paths: string[],
  options: LoadOptions,
): Promise<LoadOutcome> {
  const started = performance.now()
  const { editions, refused, ignored } = await source.discover(paths, options.progress)
  for (const path of ignored) options.progress.note(`left alone: ${path} is no file of ${source.key}`)
  const outcomes = [...(options.missing ?? []), ...refused].map((refusal) => failure(refusal))
  const fresh: Edition[] = []
  const served = options.force ? [] : await servedEntries(engine, source.key)
  for (const edition of editions) {
    const entry = await entryOf(edition, served)
    if (entry) outcomes.push(alreadyThere(edition, entry.report_date))
    else fresh.push(edition)
  }
  const dataVersion =
    fresh.length > 0 ? await buildAndPublish(engine, source, fresh, outcomes, options) : null
  const seconds = Math.round(performance.now() - started) / 1000
  return { source: source.key, dataVersion, editions: outcomes, ignored, seconds }
}

/** Runs the four steps of a change; returns the version, or `null` where no edition changed anything. */
async function buildAndPublish(
  engine: Engine,
  source: Source,
  editions: Edition[],
  outcomes: EditionOutcome[],
  { force = false, progress, log, publishing }: LoadOptions,
): Promise<string | null> {
  const { hooks, codeHashExtra, sqlFolder } = publishing
  const options = { synthetic: false, what: `load ${source.key}`, hooks, codeHashExtra, sqlFolder }
  const build = await beginBuild(engine, options, log)
  let changed: 'all' | Set<string> = new Set()
  let loadedAny = false
  try {
    progress.expect(
      editions.length,
      editions.reduce((sum, edition) => sum + edition.volume, 0),
    )
    const loads = await loadAll(build, source, editions, force, progress)
    for (const { outcome, changed: quarters } of loads) {
      outcomes.push(outcome)
      if (outcome.status !== 'published') continue
      loadedAny = true
      if (quarters === 'all') changed = 'all'
      else if (changed !== 'all') for (const quarter of quarters) changed.add(quarter)
    }
    if (!loadedAny) {
      await build.discard()
      return null
    }
    progress.step('deriving figures')
    await publishing.derive(build, changed === 'all' ? 'all' : [...changed].sort(), progress)
  } catch (error) {
    await build.discard().catch(() => {})
    throw error
  }
  progress.step('publishing')
  return (await build.publish()).dataVersion
}

interface Load {
  outcome: EditionOutcome
  changed: 'all' | string[]
}

/**
 * Loads the editions, as many at a time as the source allows; those of one report date keep their order, since the
 * later replaces the earlier. What ends the build waits for what is under way.
 */
async function loadAll(
  build: Build,
  source: Source,
  editions: readonly Edition[],
  force: boolean,
  progress: Progress,
): Promise<Load[]> {
  const loads: Load[] = []
  const dates = new Set(editions.map(({ reportDate }) => reportDate))
  const groups = [...dates].map((date) =>
    [...editions.keys()].filter((k) => editions[k]!.reportDate === date),
  )
  let failed = false
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      for (const k of group) {
        if (failed) return
        loads[k] = await loadOne(build, source, editions[k]!, force, progress)
      }
    }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: source.atOnce ?? 1 }, () =>
      worker().catch((error: unknown) => {
        failed = true
        throw error
      }),
    ),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return loads
}

async function loadOne(
  build: Build,
  source: Source,
  edition: Edition,
  force: boolean,
  progress: Progress,
): Promise<Load> {
  const { client } = build
  const inForce = (reportDate: string | null) => entryInForce(client, source.key, reportDate)
  progress.begin(edition.name)
  try {
    const loaded = await source.load(edition, { client, force, progress, inForce })
    if (loaded.status === 'already-there')
      return { outcome: alreadyThere(edition, loaded.reportDate), changed: [] }
    await record(client, source.key, edition, loaded)
    const outcome: EditionOutcome = {
      name: edition.name,
      reportDate: loaded.reportDate,
      status: 'published',
      rowsRead: loaded.rowsRead,
      rowsKept: loaded.rowsKept,
      rowsRejected: loaded.rejects.length,
      notes: loaded.notes,
    }
    for (const note of loaded.notes) progress.note(`${edition.name}: ${note}`)
    for (const { member, line, reason } of loaded.rejects.slice(0, REJECTS_SHOWN))
      progress.note(`rejected: ${member || edition.name}, line ${line}: ${reason}`)
    if (loaded.rejects.length > REJECTS_SHOWN)
      progress.note(`… and ${loaded.rejects.length - REJECTS_SHOWN} more, all in load_rejects`)
    return { outcome, changed: loaded.changed }
  } catch (error) {
    // A fault of the file concerns this edition; any other fault concerns the build.
    if (!(error instanceof LoadError)) throw error
    progress.note(`not loaded: ${error.message}`)
    return {
      outcome: failure({ name: edition.name, reason: error.message }, edition.reportDate),
      changed: [],
    }
  } finally {
    progress.end()
  }
}

const REJECTS_SHOWN = 20

async function servedEntries(engine: Engine, source: string): Promise<ManifestEntry[]> {
  const served = await currentPublication(engine)
  if (!served || served.synthetic) return []
  // A version that an older program published may lack the manifest's newer columns: then look inside the build.
  return entriesInForce(engine.loader(served.database), source).catch(() => [])
}

async function entryOf(edition: Edition, served: ManifestEntry[]): Promise<ManifestEntry | undefined> {
  if (served.length === 0) return undefined
  const sha256 = await edition.sha256()
  return served.find((entry) => entry.sha256 === sha256)
}

const none = { rowsRead: 0, rowsKept: 0, rowsRejected: 0, notes: [] as string[] }

function failure({ name, reason }: Refusal, reportDate: string | null = null): EditionOutcome {
  return { ...none, name, reportDate, status: 'failed', reason: wordsOf(reason) }
}

function alreadyThere({ name }: Edition, reportDate: string | null): EditionOutcome {
  return { ...none, name, reportDate, status: 'already-there' }
}
