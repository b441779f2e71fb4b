import type { Engine } from '../../server/engine/engine.ts'
import type { Validators } from './validators.ts'

/** What became of asking for a file of a source, or for the source as a whole (name `''`). Times are ISO, UTC. */
export interface FetchState extends Validators {
  name: string
  lastAsked: string
  lastNew: string | null
  lastFailed: string | null
  lastFailure: string
  failingSince: string | null
  /** Of the file that was loaded; '' before. */
  sha256: string
  /** Of the edition that it was loaded in: another one where that is of several files. */
  heldIn?: string
  edition?: string
}

/** States by name. */
export type SourceState = ReadonlyMap<string, FetchState>

const time = (column: string) =>
  `if(isNull(${column}), NULL, formatDateTime(${column}, '%FT%TZ', 'UTC')) AS ${column}_at`

/** What is known of a source's files. */
export async function readState(engine: Engine, source: string): Promise<SourceState> {
  const rows = await engine.rows<Record<string, string | null>>({
    database: engine.config.clickhouseDatabase,
    sql: `SELECT name, ${['last_asked', 'last_new', 'last_failed', 'failing_since'].map(time).join(', ')},
            last_failure, etag, last_modified, edition, toString(bytes) AS size, sha256, held_in
          FROM source_fetches FINAL WHERE source = {source:String}`,
    params: { source },
  })
  return new Map(
    rows.map((row) => [
      row.name!,
      {
        name: row.name!,
        lastAsked: row.last_asked_at!,
        lastNew: row.last_new_at ?? null,
        lastFailed: row.last_failed_at ?? null,
        lastFailure: row.last_failure!,
        failingSince: row.failing_since_at ?? null,
        sha256: row.sha256!,
        ...(row.held_in && { heldIn: row.held_in }),
        ...(row.etag && { etag: row.etag }),
        ...(row.last_modified && { lastModified: row.last_modified }),
        ...(row.edition && { edition: row.edition }),
        ...(row.size !== '0' && { bytes: Number(row.size) }),
      },
    ]),
  )
}

export async function writeState(
  engine: Engine,
  source: string,
  states: readonly FetchState[],
): Promise<void> {
  if (states.length === 0) return
  const stamp = (text: string | null) => text?.replace('T', ' ').replace('Z', '') ?? null
  await engine.loader().insert({
    table: 'source_fetches',
    columns: { except: ['written_at'] },
    format: 'JSONEachRow',
    values: states.map((state) => ({
      source,
      name: state.name,
      last_asked: stamp(state.lastAsked),
      last_new: stamp(state.lastNew),
      last_failed: stamp(state.lastFailed),
      last_failure: state.lastFailure,
      failing_since: stamp(state.failingSince),
      etag: state.etag ?? '',
      last_modified: state.lastModified ?? '',
      edition: state.edition ?? '',
      bytes: state.bytes ?? 0,
      sha256: state.sha256,
      held_in: state.heldIn ?? '',
    })),
  })
}

/** What came of asking once. */
export type Came =
  | ({ came: 'new'; name: string; sha256: string; heldIn: string; edition?: string } & Validators)
  | ({ came: 'same'; name: string; sha256?: string; edition?: string } & Validators)
  | { came: 'failed'; name: string; reason: string }

/** The state after `came` at `now`. What failed keeps what was known of the file that is loaded. */
export function stateAfter(before: FetchState | undefined, came: Came, now: string): FetchState {
  const base = before ?? {
    ...{ name: came.name, lastAsked: now, lastNew: null, lastFailed: null, lastFailure: '' },
    ...{ failingSince: null, sha256: '' },
  }
  if (came.came === 'failed')
    return {
      ...base,
      ...{
        lastAsked: now,
        lastFailed: now,
        lastFailure: came.reason,
        failingSince: base.failingSince ?? now,
      },
    }
  const { came: outcome, ...known } = came
  return { ...base, ...known, lastAsked: now, failingSince: null, ...(outcome === 'new' && { lastNew: now }) }
}
