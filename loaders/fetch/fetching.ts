import { type Config, ConfigError, camelCase } from '../../server/config/config.ts'
import { sourceSettings } from '../../server/config/settings.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { BadQuery } from '../../server/engine/errors.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import type { FetchDeclaration } from '../../sql/sources/fetch.ts'
import type { Progress } from '../lib/progress.ts'
import type { Source } from '../lib/source.ts'
import type { Fetching } from './collect.ts'
import type { SourceState } from './state.ts'

/** A source that can be fetched. */
export type FetchedSource = Source & { readonly fetch: FetchDeclaration }

export const canBeFetched = (source: Source): source is FetchedSource => source.fetch !== undefined

/** What ends the names of a source's own settings: `FDIC_FAILURES`. */
const settingsKey = (key: string): string => key.toUpperCase().replaceAll('-', '_')

/**
 * A setting that names no source would be passed over in silence.
 * @throws ConfigError
 */
export function checkSourceSettings(config: Config, sources: readonly Source[]): void {
  const known = new Set(sources.filter(canBeFetched).map(({ key }) => settingsKey(key)))
  for (const stem of Object.keys(sourceSettings) as (keyof typeof sourceSettings)[])
    for (const name of namesOf(config, stem))
      if (!known.has(name))
        throw new ConfigError(
          `${stem}${name} names no source that is fetched: expected one of ${[...known].map((key) => stem + key).join(', ')}`,
        )
}

const namesOf = (config: Config, stem: keyof typeof sourceSettings): Iterable<string> =>
  (stem === 'SOURCE_URL_' ? config.sourceUrl : config.sourceFrom).keys()

/** Settings that a source needs to be asked and that are empty, by name. */
export function lackingSettings({ fetch }: FetchedSource, config: Config): string[] {
  const inHeaders = Object.values(fetch.headers ?? {}).flatMap((value) =>
    [...value.matchAll(SETTING)].map(([, name]) => name!),
  )
  return [...new Set([...(fetch.needs ?? []), ...inHeaders])].filter((name) => settingOf(config, name) === '')
}

const SETTING = /\{([A-Z_]+)\}/g

function settingOf(config: Config, name: string): string {
  if (name.startsWith('SOURCE_URL_')) return config.sourceUrl.get(name.slice('SOURCE_URL_'.length)) ?? ''
  return String(config[camelCase(name) as keyof Config] ?? '')
}

/** A source with what the settings say of fetching it. */
export function fetchingOf(
  source: FetchedSource,
  config: Config,
  how: {
    state: SourceState
    folder: string
    progress: Progress
    now: Date
    among?: readonly string[]
    signal?: AbortSignal | undefined
  },
): Fetching {
  const { key, fetch } = source
  const { state, folder, progress, now, among = [], signal } = how
  const base = config.sourceUrl.get(settingsKey(key)) ?? fetch.base
  const fromYear = config.sourceFrom.get(settingsKey(key))
  const headers = Object.entries(fetch.headers ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(SETTING, (_, setting: string) => settingOf(config, setting)),
  ])
  const contact = config.fetchContact === '' ? 'loader' : `loader; ${config.fetchContact}`
  return {
    ...{ fetch, base, state, folder, progress },
    headers: { 'user-agent': `us-banking-query-server (${contact})`, ...Object.fromEntries(headers) },
    asked: {
      ...{ base, among },
      today: now.toISOString().slice(0, 10),
      ...(fromYear !== undefined && { fromYear }),
      had: (name) => state.get(name)?.lastNew ?? undefined,
    },
    times: {
      tries: config.fetchTries,
      pauseMs: config.fetchPauseMs,
      idleMs: config.fetchIdleSeconds * 1000,
      signal,
    },
  }
}

/**
 * What of a source's state is of files that the served version holds: after a restore, or with another DATA_DIR, what
 * was fetched once may be gone, and is asked for as if it had never been.
 */
export async function heldState(engine: Engine, source: string, state: SourceState): Promise<SourceState> {
  const served = await currentPublication(engine)
  if (!served || served.synthetic) return new Map()
  const rows = await engine.rows<{ sha256: string }>({
    database: served.database,
    sql: 'SELECT DISTINCT toString(sha256) AS sha256 FROM load_files WHERE source = {source:String}',
    params: { source },
  })
  const loaded = new Set(rows.map(({ sha256 }) => sha256))
  return new Map([...state].filter(([, { sha256, heldIn = sha256 }]) => loaded.has(heldIn)))
}

/** ClickHouse's code. */
const UNKNOWN_TABLE = 60

/** What the declaration of a source wants to know of the served version before it is asked: its `among`. */
export async function amongOf(engine: Engine, { fetch }: FetchedSource): Promise<string[]> {
  const served = fetch.among === undefined ? null : await currentPublication(engine)
  if (!served || served.synthetic) return []
  const asked = { database: served.database, sql: fetch.among! }
  const rows = await engine.rows<object>(asked).catch((error: unknown) => {
    // a version of an older program may lack the table
    if (error instanceof BadQuery && error.clickhouseCode === UNKNOWN_TABLE) return []
    throw error
  })
  return rows.map((row) => String(Object.values(row)[0]))
}
