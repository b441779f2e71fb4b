import { basename } from 'node:path'
import { beginBuild } from '../../server/engine/build.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { engineMemory } from '../../server/engine/profiles.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import type { ChangedBySource, Publishing } from '../../server/publishing.ts'
import { learntFrom, trainAndScore } from '../../server/training.ts'
import { wordsOf } from './errors.ts'
import {
  alreadyThere,
  type EditionOptions,
  type EditionOutcome,
  failure,
  type Load,
  loadAll,
  loadEdition,
} from './load-edition.ts'
import { entriesInForce } from './manifest.ts'
import { modest } from './modest.ts'
import { stoppable } from './progress.ts'
import type { Edition, ManifestEntry, Source, Unloadable } from './source.ts'

export interface LoadOutcome {
  source: string
  /** The version that was published; `null` when nothing changed. */
  dataVersion: string | null
  editions: EditionOutcome[]
  ignored: string[]
  seconds: number
}

export interface LoadOptions extends EditionOptions {
  publishing: Publishing
}

/** Files of one source. */
export interface LoadJob {
  source: Source
  paths: readonly string[]
  /** Files that could not be fetched; reported as failed. */
  missing?: readonly Unloadable[]
}

/** Loads the files of one source: see `runLoads`. */
export async function runLoad(
  engine: Engine,
  source: Source,
  paths: readonly string[],
  options: LoadOptions & Pick<LoadJob, 'missing'>,
): Promise<LoadOutcome> {
  const job = { source, paths, ...(options.missing && { missing: options.missing }) }
  const [outcome] = await runLoads(engine, [job], options)
  return outcome!
}

/** A job in progress. */
interface Work {
  source: Source
  /** Editions that are not served yet. */
  fresh: Edition[]
  outcome: LoadOutcome
}

/**
 * Loads files as one change of what is served: one build, one derivation, one publish. An edition that is not sound is
 * left out whole and reported; the sound ones are published. When nothing is left to load, nothing is built.
 *
 * An edition that failed in the midst of its change leaves the build in a state that nobody knows: the build is begun
 * again without it; where several were loaded at a time, first with one at a time, for one may have failed of what
 * another took.
 */
export async function runLoads(
  engine: Engine,
  jobs: readonly LoadJob[],
  options: LoadOptions,
): Promise<LoadOutcome[]> {
  const started = performance.now()
  const works: Work[] = []
  for (const job of jobs) {
    const work = begin(engine, job, options)
    works.push(await (jobs.length === 1 ? work : work.catch((error: unknown) => asFailed(job, error))))
  }
  const left = () => works.filter(({ fresh }) => fresh.length > 0)
  let atOnce = Number.POSITIVE_INFINITY
  while (left().length > 0 && !(await buildAndPublish(engine, left(), atOnce, options))) {
    atOnce = 1
    if (left().length > 0) options.progress.note('beginning again, without what cannot be loaded')
  }
  const seconds = Math.round(performance.now() - started) / 1000
  return works.map(({ outcome }) => ({ ...outcome, seconds }))
}

/** The outcome of a source whose files cannot even be read, when others are loaded with it. */
const asFailed = ({ source, paths }: LoadJob, error: unknown): Work => {
  const editions = paths.map((path) => failure({ name: basename(path), reason: wordsOf(error) }))
  return {
    source,
    fresh: [],
    outcome: { source: source.key, dataVersion: null, editions, ignored: [], seconds: 0 },
  }
}

async function begin(
  engine: Engine,
  { source, paths, missing = [] }: LoadJob,
  options: LoadOptions,
): Promise<Work> {
  const { editions, refused, ignored } = await source.discover([...paths], options.progress)
  for (const path of ignored) options.progress.note(`left alone: ${path} is no file of ${source.key}`)
  const outcomes = [...missing, ...refused].map((refusal) => failure(refusal))
  const fresh: Edition[] = []
  const served = options.force ? [] : await servedEntries(engine, source.key)
  for (const edition of editions) {
    const entry = await entryOf(edition, served)
    if (entry) outcomes.push(alreadyThere(edition, entry.report_date))
    else fresh.push(edition)
  }
  const outcome = { source: source.key, dataVersion: null, editions: outcomes, ignored, seconds: 0 }
  return { source, fresh, outcome }
}

/**
 * Runs the four steps of a change, and says in the outcomes what became of each edition.
 * @param atOnce most editions of a source at a time
 * @returns false where an edition spoilt the build: it is left out, and the others are to be loaded again
 */
async function buildAndPublish(
  engine: Engine,
  works: readonly Work[],
  atOnce: number,
  options: LoadOptions,
): Promise<boolean> {
  const { log, publishing, signal } = options
  const progress = stoppable(options.progress, signal)
  const { hooks, codeHashExtra, sqlFolder } = publishing
  const what = `load ${works.map(({ source }) => source.key).join(', ')}`
  const build = await beginBuild(engine, { synthetic: false, what, hooks, codeHashExtra, sqlFolder }, log)
  const loaded = new Map<Work, Load[]>()
  try {
    const editions = works.flatMap(({ fresh }) => fresh)
    progress.expect(
      editions.length,
      editions.reduce((sum, edition) => sum + edition.volume, 0),
    )
    for (const work of works) {
      const own = Math.min(work.source.atOnce ?? 1, work.fresh.length, atOnce)
      const client = modest(build.client, Math.floor(engineMemory(engine.config) / 2 / own))
      const load = (edition: Edition) =>
        loadEdition({ ...build, client }, work.source, edition, { ...options, progress })
      loaded.set(work, await loadAll(work.fresh, own, load))
      signal?.throwIfAborted()
    }
    const all = [...loaded.values()].flat()
    if (all.some(({ spoilt }) => spoilt)) {
      await build.discard()
      for (const [work, loads] of loaded) leaveOut(work, loads, atOnce > 1)
      return false
    }
    const published = all.filter(({ outcome }) => outcome.status === 'published')
    let dataVersion: string | null = null
    if (published.length > 0) {
      progress.step('deriving figures')
      await publishing.derive(build, changedBy(loaded), progress)
      if (engine.config.train === 'auto' && works.some(({ source }) => learntFrom.includes(source.key))) {
        progress.step('training the failure model')
        await trainAndScore(build, (step, done) => progress.step(step, done))
      }
      progress.step('publishing')
      dataVersion = (await build.publish()).dataVersion
    } else await build.discard()
    for (const [work, loads] of loaded) {
      work.fresh = []
      work.outcome.editions.push(...loads.map(({ outcome }) => outcome))
      if (loads.some((load) => published.includes(load))) work.outcome.dataVersion = dataVersion
    }
    return true
  } catch (error) {
    await build.discard().catch(() => {})
    throw error
  }
}

/** Removes failed editions from a job; one that spoilt the build while others were loading is retried by itself. */
function leaveOut(work: Work, loads: readonly Load[], besideOthers: boolean): void {
  const several = besideOthers && Math.min(work.source.atOnce ?? 1, loads.length) > 1
  const over = ({ outcome, spoilt }: Load) => outcome.status === 'failed' && !(spoilt && several)
  work.outcome.editions.push(...loads.filter(over).map(({ outcome }) => outcome))
  work.fresh = work.fresh.filter((_, k) => !over(loads[k]!))
}

/** By source, the quarters of which filings were published. */
function changedBy(loaded: ReadonlyMap<Work, Load[]>): ChangedBySource {
  const of = ({ source }: Work, loads: Load[]) => [
    source.key,
    [...new Set(loads.flatMap(({ changed }) => changed))].sort(),
  ]
  return Object.fromEntries([...loaded].map(([work, loads]) => of(work, loads)))
}

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
