import type { ClickHouseClient } from '@clickhouse/client'
import type { Build } from '../../server/engine/build.ts'
import type { Logger } from '../../server/engine/engine.ts'
import { EngineError } from '../../server/engine/errors.ts'
import { isConnectionLoss } from '../../server/engine/http.ts'
import { isoDateOf } from './dates.ts'
import { LoadError, wordsOf } from './errors.ts'
import { limits, within } from './limits.ts'
import { entryInForce, record } from './manifest.ts'
import type { Progress } from './progress.ts'
import type { Edition, Source, Unloadable } from './source.ts'

export interface EditionOutcome {
  name: string
  reportDate: string | null
  status: 'published' | 'already-there' | 'failed'
  /** Under which the manifest has it, where it was published. */
  sha256?: string
  rowsRead: number
  rowsKept: number
  rowsRejected: number
  /** Why it failed. */
  reason?: string
  /** The reason speaks of the service's own parts: it is for whoever runs the load, and for nobody else. */
  inner?: boolean
  notes: string[]
}

export interface EditionOptions {
  force?: boolean
  /** Take an edition that lacks parts. */
  partial?: boolean
  progress: Progress
  log: Logger
  /** Ends the load at its next step: what was built is dropped, and what is served stays. */
  signal?: AbortSignal | undefined
}

/** The result of loading one edition into a build. */
export interface Load {
  outcome: EditionOutcome
  changed: string[]
  /** It failed for another reason than a fault in its file: what it had changed is unknown. */
  spoilt?: boolean
}

const REJECTS_SHOWN = 20

/** Loads one edition into a build. @throws what would meet every other edition too: the build is lost */
export async function loadEdition(
  { client }: Pick<Build, 'client'>,
  source: Source,
  edition: Edition,
  { force = false, partial = false, progress, log, signal }: EditionOptions,
): Promise<Load> {
  const inForce = (reportDate: string | null) => entryInForce(client, source.key, reportDate)
  let over = false
  try {
    progress.begin(edition.name)
    checkDate(edition)
    const loaded = await source.load(edition, { client, force, partial, progress, inForce })
    over = true
    if (loaded.status === 'already-there')
      return { outcome: alreadyThere(edition, loaded.reportDate), changed: [] }
    checkDate({ name: edition.name, reportDate: loaded.reportDate })
    within(edition.name, loaded.rejects.length, 'rows that cannot be kept', limits.rejects)
    const sha256 = await record(client, source.key, edition, loaded)
    const outcome: EditionOutcome = {
      name: edition.name,
      sha256,
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
    signal?.throwIfAborted()
    if (await concernsAll(error, client)) throw error
    const inner = !(error instanceof LoadError)
    const reason = inner ? `${edition.name}: cannot be loaded: ${wordsOf(error)}` : error.message
    if (inner) log.warn({ err: error }, reason)
    progress.note(`not loaded: ${reason}`)
    const outcome = failure({ name: edition.name, reason }, edition.reportDate)
    return { outcome: inner ? { ...outcome, inner } : outcome, changed: [], spoilt: over || inner }
  } finally {
    progress.end()
  }
}

/** @throws LoadError for a report date before 1970 or in the future */
function checkDate({ name, reportDate }: Pick<Edition, 'name' | 'reportDate'>): void {
  const today = new Date().toISOString().slice(0, 10)
  if (reportDate === null) return
  if (isoDateOf(reportDate) !== reportDate || reportDate < '1970-01-01' || reportDate > today)
    throw new LoadError(`${name}: says that it is of ${reportDate}, expected a day from 1970 to today`)
}

/**
 * Whether an error would hit every other edition too: the engine or the build is lost, or the disk is full. Any other,
 * such as a parser that gives up or a query that runs out of memory, is caused by the edition; so is a connection closed
 * by an engine that still answers.
 */
async function concernsAll(error: unknown, client: ClickHouseClient): Promise<boolean> {
  const { code, type } = error as { code?: unknown; type?: unknown }
  if (isConnectionLoss(error)) return !(await client.ping()).success
  return (
    error instanceof EngineError ||
    code === 'ENOSPC' ||
    type === 'NOT_ENOUGH_SPACE' ||
    type === 'UNKNOWN_DATABASE'
  )
}

/**
 * Loads the editions, so many at a time; those of one report date keep their order, since the later replaces the
 * earlier. What ends the build waits for what is under way.
 */
export async function loadAll(
  editions: readonly Edition[],
  atOnce: number,
  load: (edition: Edition) => Promise<Load>,
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
        loads[k] = await load(editions[k]!)
      }
    }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: atOnce }, () =>
      worker().catch((error: unknown) => {
        failed = true
        throw error
      }),
    ),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return loads
}

const none = { rowsRead: 0, rowsKept: 0, rowsRejected: 0, notes: [] as string[] }

export function failure({ name, reason }: Unloadable, reportDate: string | null = null): EditionOutcome {
  return { ...none, name, reportDate, status: 'failed', reason: wordsOf(reason) }
}

export function alreadyThere({ name }: Edition, reportDate: string | null): EditionOutcome {
  return { ...none, name, reportDate, status: 'already-there' }
}
