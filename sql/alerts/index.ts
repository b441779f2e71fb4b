/** The relation `alerts` of a data version: what is worth telling whoever watches an institution, found once for all of them. */

import type { ClickHouseClient } from '@clickhouse/client'
import { hashOf } from '../hash.ts'
import { quoted } from '../quoted.ts'
import { type Making, makeSteps } from '../steps/steps.ts'
import { universes } from '../universes/index.ts'
import { FIGURES, figureKinds, figuresSql, figuresTable } from './figures.ts'
import { filingKinds } from './filings.ts'
import { happeningKinds } from './happenings.ts'
import { type AlertKind, kindSql } from './types.ts'

/** Every way to find alerts. Another one is a type in `types.ts`, and a line here. */
const kinds: readonly AlertKind[] = [...figureKinds, ...happeningKinds, ...filingKinds]

const ROOT = '/api/v1'
/** When each alert that ever was here became known; NULL is with the publication of this data version. */
const MOMENTS = 'alert_moments'
const MOMENT = `Nullable(DateTime64(3, 'UTC'))`

const alertsTable = `(
  alert UInt64, known_at ${MOMENT}, type LowCardinality(String), entity LowCardinality(String), entity_id UInt32, legal_name String,
  subject String, period LowCardinality(String), date Date32, value Nullable(Float64), before Nullable(Float64), change Nullable(Float64),
  threshold Nullable(Float64), percentile Nullable(Float64), unit LowCardinality(Nullable(String)), sentence String, link String
) ENGINE = MergeTree ORDER BY (entity, entity_id, type, subject, period) SETTINGS index_granularity = 512`

const momentsTable = (definition: string) =>
  `${definition} TABLE ${definition === 'CREATE' ? 'IF NOT EXISTS ' : ''}${MOMENTS} (alert UInt64, known_at ${MOMENT}) ENGINE = MergeTree ORDER BY alert`
/** What became known with the version that this one was cloned from did so when that one was published. */
const known = `ifNull(m.known_at, {before:${MOMENT}})`

const names = [
  ...universes.map(
    ({ entity, id, tables }) =>
      `SELECT ${quoted(entity)} AS kind, ${id} AS id, legal_name FROM ${tables.directory}`,
  ),
  `SELECT k.1 AS kind, rssd_id AS id, legal_name FROM institution_names ARRAY JOIN [('bank', 0), ('holding_company', 0)] AS k`,
].join(' UNION ALL ')

const alertsSql = (of: readonly AlertKind[]): string => `INSERT INTO alerts
SELECT f.alert, if(m.alert = 0, NULL, ${known}), type, entity, entity_id, n.name, subject, period, date, value, before, change, threshold, percentile, unit, sentence, link
FROM (
  SELECT *, sipHash64(type, entity, entity_id, subject, period) AS alert FROM (${of.map((kind) => kindSql(kind, ROOT)).join('\nUNION ALL\n')})
  ORDER BY alert LIMIT 1 BY alert
) AS f
LEFT ANY JOIN ${MOMENTS} AS m ON m.alert = f.alert
LEFT ANY JOIN (SELECT kind, id, any(legal_name) AS name FROM (${names}) WHERE legal_name != '' GROUP BY kind, id) AS n ON n.kind = f.entity AND n.id = f.entity_id`

const momentsSql = `${momentsTable('CREATE OR REPLACE')} AS
SELECT m.alert AS alert, ${known} AS known_at FROM ${MOMENTS} AS m
UNION ALL SELECT alert, known_at FROM alerts WHERE alert NOT IN (SELECT alert FROM ${MOMENTS})`

/**
 * Makes the table `alerts` after links, events, registrants and insiders. An alert is the same in every data version by its type, institution, subject
 * and period; when it became known is carried over, even where versions in between did not have it.
 * The beginning of a demo has none: the whole follows at once.
 * @param before ISO 8601: when the version that this one was cloned from was published
 */
export async function writeAlerts(making: Making, before: string | null): Promise<void> {
  const { client } = making
  const parameters = { before: before === null ? null : before.replace('T', ' ').replace('Z', '') }
  const [held] = await Promise.all([rowsOf(client), client.command({ query: momentsTable('CREATE') })])
  const nothing = !universes.every(({ tables }) => held.has(tables.figures)) || (await isBeginning(client))
  const found = kinds.filter(({ reads }) => reads.every((table) => table === FIGURES || held.get(table)))
  const fill = [
    ...[figuresTable, ...universes.map(figuresSql), alertsSql(found)],
    ...[`DROP TABLE ${FIGURES} SYNC`, momentsSql],
  ]
  const made = await makeSteps(making, [
    { name: 'alerts', makes: { alerts: alertsTable }, fill: nothing ? [] : fill, parameters },
  ])
  if (made || nothing || !(await anyUndated(client))) return
  // those that are as they were became known with the version before
  for (const table of ['alerts', MOMENTS]) {
    await client.command({
      query: `ALTER TABLE ${table} UPDATE known_at = {before:${MOMENT}} WHERE known_at IS NULL`,
      query_params: parameters,
      clickhouse_settings: { mutations_sync: '1' },
    })
  }
  making.changes?.written()
}

async function anyUndated(client: ClickHouseClient): Promise<boolean> {
  const query = `SELECT count() > 0 AS any FROM ${MOMENTS} WHERE known_at IS NULL`
  const found = await client.query({ query, format: 'JSONEachRow' })
  return Boolean((await found.json<{ any: number | boolean }>())[0]!.any)
}

/** Whether quarters that were read have no figures yet: what is compared is of another version. */
async function isBeginning(client: ClickHouseClient): Promise<boolean> {
  const behind = universes.map(
    ({ tables }) =>
      `(SELECT uniqExact(report_date) FROM ${tables.filings}) > (SELECT uniqExact(report_date) FROM ${tables.figures})`,
  )
  const found = await client.query({
    query: `SELECT ${behind.join(' OR ')} AS behind`,
    format: 'JSONEachRow',
  })
  return Boolean((await found.json<{ behind: number | boolean }>())[0]!.behind)
}

async function rowsOf(client: ClickHouseClient): Promise<Map<string, number>> {
  const found = await client.query({
    query:
      'SELECT name, toUInt32(least(ifNull(total_rows, 0), 1)) AS rows FROM system.tables WHERE database = currentDatabase()',
    format: 'JSONEachRow',
  })
  return new Map((await found.json<{ name: string; rows: number }>()).map(({ name, rows }) => [name, rows]))
}

/** Changes when what makes the tables does. */
export const alertsHash: string = hashOf([
  alertsTable,
  momentsSql,
  alertsSql(kinds),
  universes.map(figuresSql),
])
