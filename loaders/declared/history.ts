import type { ClickHouseClient } from '@clickhouse/client'
import type { Reject } from '../lib/source.ts'
import type { StagedRows } from './editions.ts'
import { scratchOf } from './stage.ts'

/** `replaced_at` of an observation that is in force. Not further off: a mutation cannot read eleven digits of seconds. */
export const FOREVER = '2200-01-01 00:00:00.000'

interface Added {
  /** What became of the observations, in a sentence. */
  note: string
  /** What an older file says otherwise; the newer value stays. */
  rejects: Reject[]
}

/**
 * Adds the rows of an edition to its table. A value that differs from the one in force replaces it from now on, and the
 * older stays with the time that it was true. Adding the same twice changes nothing.
 * @param options.names of the files of the edition
 * @param options.force let an older file change what is known
 */
export async function addToHistory(
  client: ClickHouseClient,
  { table, relation: staged }: StagedRows,
  { fileSha256, names, force }: { fileSha256: string | null; names: readonly string[]; force: boolean },
): Promise<Added> {
  const { name } = table
  const { changes } = scratchOf(table)
  const query_params = {
    ...{ now: await moment(client, name), forever: FOREVER, sha: fileSha256 ?? '', force, names: [...names] },
    by_year: table.edition.span === 'year',
  }
  const run = (query: string, settings = {}) =>
    client.command({ query, query_params, clickhouse_settings: settings })
  await run(`CREATE OR REPLACE TABLE ${changes} ENGINE = Memory AS ${changesOf(name, staged)}`)
  const rejects = await client.query({
    query: `SELECT {names:Array(String)}[file + 1] AS member, line,
        concat('an older file than what is in force (known to ', toString(known_to), '): ', series, ' of ', toString(date),
          ' stays ', ifNull(toString(old), 'withdrawn'), ', not ', ifNull(toString(value), 'withdrawn')) AS reason,
        '' AS text
      FROM ${changes} WHERE revision > 0 AND older AND NOT {force:Bool} ORDER BY file, line`,
    query_params,
    format: 'JSONEachRow',
  })
  await run(
    `INSERT INTO ${name} (series, date, value, revision, learnt_at, replaced_at, watched_since, file_sha256)
      SELECT series, date, value, revision + 1, {now:DateTime64(3, 'UTC')}, {forever:DateTime64(3, 'UTC')},
        if(since = toDateTime64(0, 3, 'UTC'), {now:DateTime64(3, 'UTC')}, since), {sha:String}
      FROM ${changes} WHERE revision = 0 OR NOT older OR {force:Bool}`,
  )
  const answer = await client.query({
    query: `SELECT toUInt32(countIf(revision = 1)) AS added, toUInt32(countIf(revision > 1 AND value IS NOT NULL)) AS revised,
        toUInt32(countIf(value IS NULL)) AS withdrawn,
        (SELECT toUInt32(countIf(value IS NOT NULL)) FROM ${staged}) AS observations
      FROM ${name} WHERE learnt_at = {now:DateTime64(3, 'UTC')}`,
    query_params,
    format: 'JSONEachRow',
  })
  const [counts] = (await answer.json()) as [Counts]
  if (counts.revised + counts.withdrawn > 0)
    await run(
      `ALTER TABLE ${name} UPDATE replaced_at = {now:DateTime64(3, 'UTC')}
        WHERE replaced_at = {forever:DateTime64(3, 'UTC')} AND learnt_at < {now:DateTime64(3, 'UTC')}
          AND (series, date) IN (SELECT series, date FROM ${name} WHERE learnt_at = {now:DateTime64(3, 'UTC')} AND revision > 1)`,
      { mutations_sync: '1' },
    )
  return { note: sentence(counts), rejects: await rejects.json<Reject>() }
}

interface Counts {
  /** That the file publishes; missing ones are not counted. */
  observations: number
  added: number
  revised: number
  withdrawn: number
}

function sentence({ observations, added, revised, withdrawn }: Counts): string {
  const say = (n: number) => n.toLocaleString('en-US')
  return `${say(observations)} observations: ${say(added)} new, ${say(revised)} revised, ${say(withdrawn)} withdrawn`
}

/** What would change, with what is in force now: `revision` 0 where nothing is. */
function changesOf(name: string, staged: string): string {
  const ofFile = `series IN (SELECT DISTINCT series FROM ${staged})`
  return `
SELECT staged.series AS series, staged.date AS date, staged.value AS value, staged._file AS file, staged._line AS line,
  known.value AS old, known.revision AS revision, watched.since AS since,
  if({by_year:Bool}, spans.known_to_in_year, watched.known_to) AS known_to, ends.file_to < known_to AS older
FROM ${staged} AS staged
INNER JOIN (SELECT series, max(date) AS file_to FROM ${staged} WHERE value IS NOT NULL GROUP BY series) AS ends ON ends.series = staged.series
LEFT JOIN (SELECT series, date, value, revision FROM ${name} WHERE replaced_at = {forever:DateTime64(3, 'UTC')} AND ${ofFile}) AS known
  ON known.series = staged.series AND known.date = staged.date
LEFT JOIN (SELECT series, min(learnt_at) AS since, max(date) AS known_to FROM ${name} WHERE ${ofFile} GROUP BY series) AS watched
  ON watched.series = staged.series
LEFT JOIN (SELECT series, toYear(date) AS year, max(date) AS known_to_in_year FROM ${name} WHERE ${ofFile} GROUP BY series, year) AS spans
  ON spans.series = staged.series AND spans.year = toYear(ends.file_to)
WHERE (known.revision = 0 AND staged.value IS NOT NULL)
   OR (known.revision > 0 AND staged.value IS DISTINCT FROM known.value)`
}

/** Now, and later than anything that was learnt before. */
async function moment(client: ClickHouseClient, name: string): Promise<string> {
  const answer = await client.query({
    query: `SELECT toString(greatest(now64(3, 'UTC'), max(learnt_at) + toIntervalMillisecond(1))) AS now FROM ${name}`,
    format: 'JSONEachRow',
  })
  const [row] = (await answer.json()) as [{ now: string }]
  return row.now
}
