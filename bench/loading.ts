/** How long real quarters take to load and to derive, and how that grows with their number. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Progress, silent } from '../loaders/lib/progress.ts'
import type { Engine } from '../server/engine/engine.ts'
import { currentPublication } from '../server/engine/publications.ts'
import { publishing } from '../server/publishing.ts'
import { inEmptyHistory, load } from './histories.ts'
import { type Usage, watch } from './processes.ts'
import { asOfAnotherDate, before, consecutiveQuarters, type RealQuarter } from './quarters.ts'
import { table } from './report.ts'

const SOURCE = 'ffiec-call-report'
/** So many quarters' worth beyond the real ones. */
const MOST = 38

export interface Loading {
  readonly quarters: number
  readonly filings: number
  /** Values, one a filing, schedule and item. */
  readonly items: number
  /** Uncompressed. */
  readonly megabytes: number
  /** Reading, splitting, typing, publishing: all but to derive. */
  readonly loadSeconds: number
  readonly deriveSeconds: number
  readonly cpuSeconds: number | null
  readonly peakMb: number | null
}

export interface LoadingReport {
  readonly loadings: readonly Loading[]
  readonly text: string
}

/** Loads 1 quarter, all real ones and 38 quarters' worth, each into an empty folder. */
export async function loading(folder: string, say: (line: string) => void): Promise<LoadingReport> {
  const zips = (await readdir(folder)).filter((name) => /\.zip$/i.test(name))
  const real = await consecutiveQuarters(folder, zips)
  if (real.length === 0) throw new Error(`${folder}: expected zips "FFIEC CDR Call Bulk All Schedules …"`)
  say(`${real.length} quarters, ${real[0]!.reportDate} to ${real.at(-1)!.reportDate}`)
  const scratch = await mkdtemp(join(tmpdir(), 'bench-quarters-'))
  const loadings: Loading[] = []
  try {
    for (const count of [...new Set([1, real.length, Math.max(MOST, real.length)])]) {
      const newest = real.slice(-count).map(({ path }) => path)
      const paths = [...newest, ...(await earlier(real, count - newest.length, scratch))]
      const one = await loadAll(paths)
      loadings.push(one)
      say(
        `${count} quarters: loaded in ${one.loadSeconds.toFixed(1)} s, derived in ${one.deriveSeconds.toFixed(1)} s`,
      )
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return { loadings, text: loadingTable(loadings) }
}

/** The real quarters again, under the dates before the oldest of them. */
async function earlier(real: readonly RealQuarter[], count: number, root: string): Promise<string[]> {
  const folders: string[] = []
  let date = real[0]!.reportDate
  for (let i = 0; i < count; i++) {
    date = before(date)
    folders.push(await asOfAnotherDate(real[i % real.length]!, date, root))
  }
  return folders
}

async function loadAll(paths: string[]): Promise<Loading> {
  return inEmptyHistory(async (engine) => {
    const { result, usage } = await watch([process.pid], () => timed(engine, paths))
    return { ...result, cpuSeconds: seconds(usage), peakMb: usage?.allMb ?? null }
  })
}

const seconds = (usage: Usage | null): number | null => (usage ? usage.cpuMs / 1000 : null)

async function timed(engine: Engine, paths: string[]): Promise<Omit<Loading, 'cpuSeconds' | 'peakMb'>> {
  let bytes = 0
  let deriveMs = 0
  const progress: Progress = {
    ...silent,
    expect: (_, expected) => {
      bytes = expected
    },
  }
  const began = performance.now()
  const outcome = await load(engine, SOURCE, paths, {
    progress,
    publishing: {
      ...publishing,
      async derive(build, changed, itsProgress) {
        const from = performance.now()
        await publishing.derive(build, changed, itsProgress)
        deriveMs = performance.now() - from
      },
    },
  })
  const all = (performance.now() - began) / 1000
  const publication = await currentPublication(engine)
  const [held] = await engine.rows<{ filings: number; items: number }>({
    database: publication!.database,
    sql: 'SELECT toFloat64(sum(filers)) AS filings, toFloat64(sum(items)) AS items FROM quarters',
  })
  return {
    quarters: outcome.editions.length,
    ...held!,
    megabytes: bytes / 1e6,
    loadSeconds: all - deriveMs / 1000,
    deriveSeconds: deriveMs / 1000,
  }
}

function loadingTable(loadings: readonly Loading[]): string {
  const rows = loadings.map((one) => {
    const all = one.loadSeconds + one.deriveSeconds
    return [
      String(one.quarters),
      one.filings.toLocaleString('en'),
      (one.items / 1e6).toFixed(1),
      one.megabytes.toFixed(0),
      one.loadSeconds.toFixed(1),
      one.deriveSeconds.toFixed(1),
      (one.items / 1e6 / one.loadSeconds).toFixed(2),
      (one.megabytes / one.loadSeconds).toFixed(1),
      (all / one.quarters).toFixed(1),
      one.cpuSeconds === null ? '–' : (one.cpuSeconds / one.quarters).toFixed(1),
      one.peakMb === null ? '–' : one.peakMb.toFixed(0),
    ]
  })
  return `${table(
    [
      'quarters',
      'filings',
      'M items',
      'MB of files',
      'load s',
      'derive s',
      'M items a second, load',
      'MB a second, load',
      's a quarter, both',
      'CPU s a quarter',
      'peak MB',
    ],
    rows,
  )}\n`
}
