import type { ClickHouseClient } from '@clickhouse/client'
import type { Reject } from '../source.ts'
import { CHANGED, STAGED } from './stage.ts'

/** `replaced_at` of an observation that is in force. Not further off: a mutation cannot read eleven digits of seconds. */
export const FOREVER = '2200-01-01 00:00:00.000'

export interface StoreOptions {
  fileSha256: string
  /**
   * What tells an older file: one that ends before the newest day known. `history`: of the whole series, for files
   * that always hold all of it. `year`: of the calendar year that the file ends in, for files of a year.
   */
  span: 'history' | 'year'
  /** Let an older file change what is known. */
  force: boolean
}

export interface Stored {
  /** Observations that the file publishes (missing ones not counted). */
  observations: number
  added: number
  revised: number
  withdrawn: number
  /** What an older file says otherwise; the newer value stays. */
  rejects: Reject[]
}

/**
 * Adds what STAGED knows to `observations`. A value that differs from the one in force replaces it from now on, and
 * the older stays with the time that it was true. Storing the same twice changes nothing.
 */
export async function storeStaged(client: ClickHouseClient, options: StoreOptions): Promise<Stored> {
  const query_params = {
    now: await moment(client),
    forever: FOREVER,
    sha: options.fileSha256,
    force: options.force,
    by_year: options.span === 'year',
  }
  await client.command({ query: `CREATE TABLE ${CHANGED} ENGINE = Memory AS ${CHANGES}`, query_params })
  const rejects = await client.query({
    query: `SELECT '' AS member, line,
        concat('an older file than what is in force (known to ', toString(known_to), '): ', series, ' of ', toString(date),
          ' stays ', ifNull(toString(old), 'withdrawn'), ', not ', ifNull(toString(value), 'withdrawn')) AS reason,
        '' AS text
      FROM ${CHANGED} WHERE revision > 0 AND older AND NOT {force:Bool} ORDER BY line`,
    query_params,
    format: 'JSONEachRow',
  })
  await client.command({
    query: `INSERT INTO observations (series, date, value, revision, learnt_at, replaced_at, watched_since, file_sha256)
      SELECT series, date, value, revision + 1, {now:DateTime64(3, 'UTC')}, {forever:DateTime64(3, 'UTC')},
        if(since = toDateTime64(0, 3, 'UTC'), {now:DateTime64(3, 'UTC')}, since), {sha:String}
      FROM ${CHANGED} WHERE revision = 0 OR NOT older OR {force:Bool}`,
    query_params,
  })
  const answer = await client.query({
    query: `SELECT toUInt32(countIf(revision = 1)) AS added, toUInt32(countIf(revision > 1 AND value IS NOT NULL)) AS revised,
        toUInt32(countIf(value IS NULL)) AS withdrawn,
        (SELECT toUInt32(countIf(value IS NOT NULL)) FROM ${STAGED}) AS observations
      FROM observations WHERE learnt_at = {now:DateTime64(3, 'UTC')}`,
    query_params,
    format: 'JSONEachRow',
  })
  const [counts] = (await answer.json()) as [Omit<Stored, 'rejects'>]
  if (counts.revised + counts.withdrawn > 0) {
    await client.command({
      query: `ALTER TABLE observations UPDATE replaced_at = {now:DateTime64(3, 'UTC')}
        WHERE replaced_at = {forever:DateTime64(3, 'UTC')} AND learnt_at < {now:DateTime64(3, 'UTC')}
          AND (series, date) IN (SELECT series, date FROM observations WHERE learnt_at = {now:DateTime64(3, 'UTC')} AND revision > 1)`,
      query_params,
      clickhouse_settings: { mutations_sync: '1' },
    })
  }
  return { ...counts, rejects: await rejects.json<Reject>() }
}

const OF_FILE = `series IN (SELECT DISTINCT series FROM ${STAGED})`

/** What would change, with what is in force now: `revision` 0 where nothing is. */
const CHANGES = `
SELECT staged.series AS series, staged.date AS date, staged.value AS value, staged.line AS line,
  known.value AS old, known.revision AS revision, watched.since AS since,
  if({by_year:Bool}, spans.known_to_in_year, watched.known_to) AS known_to, ends.file_to < known_to AS older
FROM ${STAGED} AS staged
INNER JOIN (SELECT series, max(date) AS file_to FROM ${STAGED} WHERE value IS NOT NULL GROUP BY series) AS ends ON ends.series = staged.series
LEFT JOIN (SELECT series, date, value, revision FROM observations WHERE replaced_at = {forever:DateTime64(3, 'UTC')} AND ${OF_FILE}) AS known
  ON known.series = staged.series AND known.date = staged.date
LEFT JOIN (SELECT series, min(learnt_at) AS since, max(date) AS known_to FROM observations WHERE ${OF_FILE} GROUP BY series) AS watched
  ON watched.series = staged.series
LEFT JOIN (SELECT series, toYear(date) AS year, max(date) AS known_to_in_year FROM observations WHERE ${OF_FILE} GROUP BY series, year) AS spans
  ON spans.series = staged.series AND spans.year = toYear(ends.file_to)
WHERE (known.revision = 0 AND staged.value IS NOT NULL)
   OR (known.revision > 0 AND staged.value IS DISTINCT FROM known.value)`

/** Now, and later than anything that was learnt before. */
async function moment(client: ClickHouseClient): Promise<string> {
  const answer = await client.query({
    query: `SELECT toString(greatest(now64(3, 'UTC'), max(learnt_at) + toIntervalMillisecond(1))) AS now FROM observations`,
    format: 'JSONEachRow',
  })
  const [row] = (await answer.json()) as [{ now: string }]
  return row.now
}
