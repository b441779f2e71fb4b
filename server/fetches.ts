/** When each source was last checked for new files and how that went: in the control database, as it changes without a publish. */
import { hashOf } from '../sql/hash.ts'
import type { Engine } from './engine/engine.ts'

export interface SourceFetch {
  readonly source: string
  /** ISO 8601, UTC. */
  readonly lastAsked: string
  readonly lastNew: string | null
  readonly lastFailed: string | null
  readonly lastFailure: string | null
  /** Of the failures without a success since; null where the last asking went well. */
  readonly failingSince: string | null
}

/** The state of all sources that were ever asked. */
export interface Fetches {
  readonly sources: readonly SourceFetch[]
  /** Changes when any of it does: a part of ETags. */
  readonly tag: string
}

/** How stale it may be: however many requests come, the engine is asked once a second. */
const FRESH_MS = 1000
const PATIENCE_MS = 1000
const none: Fetches = { sources: [], tag: '' }

/**
 * A look at the state that asks the engine at most once a second. While the engine does not answer, the state is what
 * it last was.
 */
export function watchFetches(engine: Engine): () => Promise<Fetches> {
  let known = none
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<Fetches> | undefined
  return () => {
    if (performance.now() - readAt < FRESH_MS) return Promise.resolve(known)
    reading ??= readFetches(engine)
      .then(
        (fetches) => {
          known = fetches
          readAt = performance.now()
          return known
        },
        () => known,
      )
      .finally(() => {
        reading = undefined
      })
    return reading
  }
}

const time = (column: string, name: string) =>
  `if(isNull(${column}), NULL, formatDateTime(${column}, '%FT%TZ', 'UTC')) AS ${name}`

/** @throws what the engine throws */
export async function readFetches(engine: Engine): Promise<Fetches> {
  const sources = await engine.rows<SourceFetch>({
    database: engine.config.clickhouseDatabase,
    sql: `SELECT source, ${time('last_asked', 'lastAsked')}, ${time('last_new', 'lastNew')},
            ${time('last_failed', 'lastFailed')}, nullIf(last_failure, '') AS lastFailure,
            ${time('failing_since', 'failingSince')}
          FROM source_fetches FINAL WHERE name = '' ORDER BY source`,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return { sources, tag: hashOf(sources).slice(0, 16) }
}
