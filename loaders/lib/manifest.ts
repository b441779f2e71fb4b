import type { ClickHouseClient } from '@clickhouse/client'
import type { Edition, Loaded, ManifestEntry, Reject } from './source.ts'

const COLUMNS = `name, sha256, content_sha256, report_date, part, toString(loaded_at) AS loaded_at,
  toFloat64(rows_kept) AS rows_kept`

/** What is in force of a source for one report date (`null`: a source without report dates). */
export async function entryInForce(client: ClickHouseClient, source: string, reportDate: string | null) {
  const entries = await entriesInForce(client, source)
  return entries.find((entry) => entry.report_date === reportDate) ?? null
}

/** All that is in force of a source, oldest load first. */
export async function entriesInForce(client: ClickHouseClient, source: string): Promise<ManifestEntry[]> {
  const answer = await client.query({
    query: `SELECT ${COLUMNS} FROM load_files WHERE source = {source:String} AND in_force ORDER BY load_files.loaded_at`,
    query_params: { source },
    format: 'JSONEachRow',
  })
  return answer.json<ManifestEntry>()
}

/** Writes an edition and what was refused of it down, and takes the one that it replaces out of force. Returns its SHA-256. */
export async function record(
  client: ClickHouseClient,
  source: string,
  edition: Edition,
  loaded: Loaded,
): Promise<string> {
  const sha256 = (await edition.sha256()) ?? loaded.contentSha256
  if (loaded.replaces !== 'nothing') await retire(client, source, loaded)
  await client.insert({
    table: 'load_files',
    format: 'JSONEachRow',
    values: [
      {
        source,
        name: edition.name,
        sha256,
        content_sha256: loaded.contentSha256,
        bytes: edition.bytes,
        report_date: loaded.reportDate,
        part: loaded.part ?? '',
        loaded_at: new Date().toISOString().replace('T', ' ').slice(0, -1),
        rows_read: loaded.rowsRead,
        rows_kept: loaded.rowsKept,
        rows_rejected: loaded.rejects.length,
        in_force: true,
      },
    ],
  })
  await recordRejects(client, source, edition.name, sha256, loaded.rejects)
  return sha256
}

/** Takes what an edition replaces out of force. */
async function retire(
  client: ClickHouseClient,
  source: string,
  { reportDate, replaces, part = '' }: Loaded,
): Promise<void> {
  const replaced = (entry: ManifestEntry) =>
    replaces === 'part' ? entry.part === part : entry.report_date === reportDate
  // A mutation rewrites parts and is waited for, so it is not sent for nothing.
  if (!(await entriesInForce(client, source)).some(replaced)) return
  await client.command({
    query: `ALTER TABLE load_files UPDATE in_force = false WHERE source = {source:String} AND in_force AND
      ${replaces === 'part' ? 'part = {part:String}' : 'report_date IS NOT DISTINCT FROM {reportDate:Nullable(Date)}'}`,
    query_params: { source, reportDate, part },
    clickhouse_settings: { mutations_sync: '1' },
  })
}

async function recordRejects(
  client: ClickHouseClient,
  source: string,
  fileName: string,
  sha256: string,
  rejects: Reject[],
): Promise<void> {
  if (rejects.length === 0) return
  // A file loaded again by force would else list its rejects twice.
  await client.command({
    query: 'DELETE FROM load_rejects WHERE source = {source:String} AND file_sha256 = {sha256:String}',
    query_params: { source, sha256 },
  })
  await client.insert({
    table: 'load_rejects',
    format: 'JSONEachRow',
    values: rejects.map((reject) => ({ source, file_sha256: sha256, file_name: fileName, ...reject })),
  })
}
