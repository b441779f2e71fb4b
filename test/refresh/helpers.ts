import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import tap, { type Test } from 'tap'
import { type Collected, collect } from '../../loaders/fetch/collect.ts'
import { canBeFetched, type FetchedSource, fetchingOf } from '../../loaders/fetch/fetching.ts'
import type { SourceState } from '../../loaders/fetch/state.ts'
import { type Progress, silent } from '../../loaders/lib/progress.ts'
import type { Source } from '../../loaders/lib/source.ts'
import { type RefreshOptions, refresh } from '../../loaders/refresh/refresh.ts'
import { findSource } from '../../loaders/sources.ts'
import { readConfig } from '../../server/config/config.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { readFetches } from '../../server/fetches.ts'
import { memoryLog, sqlFolder, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { servedRows } from '../loaders/helpers.ts'
import { type Answer, replay } from '../rates/replay.ts'

/** Faults are met again soon. */
export const quick = { FETCH_PAUSE_MS: '2', FETCH_TRIES: '2', FETCH_IDLE_SECONDS: '1' }

/** A source of the project by its key, or one of a test, that can be fetched. */
export function fetched(source: string | Source): FetchedSource {
  const found = typeof source === 'string' ? findSource(source)! : source
  if (!canBeFetched(found)) throw new Error(`${found.key} cannot be fetched`)
  return found
}

/** Asks the addresses of a source, and loads nothing. */
export async function collected(
  t: Test,
  source: string | Source,
  env: Record<string, string>,
  how: { state?: SourceState; now?: Date; progress?: Progress; folder?: string; signal?: AbortSignal } = {},
): Promise<Collected> {
  const { state = new Map(), now = new Date(), progress = silent, signal } = how
  const folder = how.folder ?? (await temporaryFolder(t))
  const config = readConfig({ ...quick, ...env })
  return collect(fetchingOf(fetched(source), config, { state, folder, progress, now, signal }))
}

let shared: Promise<{ engine: Engine; sqlFolder: string }> | undefined
let databases = 0

/** One engine for all tests of a file: each has a control database and a data folder of its own. */
async function ownPartOfEngine(
  t: Test,
  env: Record<string, string>,
): Promise<{ engine: Engine; sqlFolder: string }> {
  shared ??= (async () => ({
    engine: (await testEngine(tap)).engine,
    sqlFolder: await sqlFolder(tap, { 'views/.keep': '' }),
  }))()
  const { engine, sqlFolder: folder } = await shared
  databases += 1
  const config = readConfig({
    ...quick,
    ...{ DATA_DIR: await temporaryFolder(t), CLICKHOUSE_DATABASE: `banking${databases}` },
    ...env,
  })
  const own: Engine = {
    config,
    read: (query) => engine.read(query),
    rows: (query) => engine.rows(query),
    loader: (database = config.clickhouseDatabase) => engine.loader(database),
    state: () => engine.state(),
    close: async () => {},
  }
  return { engine: own, sqlFolder: folder }
}

/** Sources that are refreshed from a replay into a real engine with the project's tables and no derived figures. */
export async function refreshEngine(
  t: Test,
  keys: readonly (string | Source)[],
  answer: Answer,
  env: Record<string, string> = {},
) {
  const { url, asked } = await replay(t, answer)
  const sources = keys.map(fetched)
  const bases = sources.map(({ key }) => [`SOURCE_URL_${key.toUpperCase().replaceAll('-', '_')}`, url])
  const { engine, sqlFolder: folder } = await ownPartOfEngine(t, { ...Object.fromEntries(bases), ...env })
  const publishing = { derive: async () => {}, sqlFolder: folder }
  const notes: string[] = []
  const progress = { ...silent, note: (text: string) => void notes.push(text) }
  return {
    ...{ engine, url, asked, notes, publishing },
    refresh: (options: Partial<RefreshOptions> = {}) =>
      refresh(engine, { sources, progress, log: memoryLog(), publishing, ...options }),
    rows: <T>(sql: string) => servedRows<T>(engine, sql),
    /** What is known of a source. */
    state: async (key: string) => (await readFetches(engine)).sources.find(({ source }) => source === key),
    /** Published versions so far. */
    published: async () =>
      (
        await engine.rows<{ n: number }>({
          database: engine.config.clickhouseDatabase,
          sql: 'SELECT toUInt32(count()) AS n FROM publications',
        })
      )[0]!.n,
  }
}

/** Serves texts by path, with an ETag of each, and 304 for who has it. `asked` counts bodies that were sent. */
export function shelf(files: Map<string, string | Buffer>): Answer & { sent: string[] } {
  const sent: string[] = []
  const answer: Answer = (request, response) => {
    const body = files.get(pathOf(request))
    if (body === undefined) return void response.writeHead(404).end()
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 12)}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    sent.push(request.url!)
    response.writeHead(200, { etag }).end(body)
  }
  return Object.assign(answer, { sent })
}

export const pathOf = (request: IncomingMessage): string => new URL(request.url!, 'http://x').pathname
