import type { ClickHouseClient } from '@clickhouse/client'
import { hashOf } from '../hash.ts'
import type { Making } from '../steps/steps.ts'
import { Span } from './spans.ts'
import type { Universe } from './universe.ts'

/**
 * One part holds one file: the tables have hundreds of columns, and a clone of the version links every file.
 */
const compact = 'min_bytes_for_wide_part = 1000000000000, min_rows_for_wide_part = 1000000000000'

/**
 * To open a part costs a long read more than the rows in it, so there are few; each is written whole when one of its
 * quarters changes, and as one block, which has to fit into memory.
 */
export const orderSpan = new Span(5)
export const rowSpan = new Span(3)

/** Definitions of tables: each with what follows its name in CREATE TABLE. */
export type Definitions = Readonly<Record<string, string>>

/** A table with one partition a quarter, which is what is replaced at a time. */
export const quarterly = (columns: readonly string[], order: string, settings = ''): string =>
  `(report_date Date, ${columns.join(', ')}) ENGINE = MergeTree PARTITION BY report_date ORDER BY ${order}${settings && ` SETTINGS ${settings}`}`

/** What tells which quarters are derived, and with what: its `hash` decides whether tables are kept. */
export const derivedTable = quarterly(
  ['hash String', 'edition Nullable(Date)', 'edition_hash String'],
  'report_date',
)

/** Columns of the rows of quarters before the metrics. */
export const identityColumns = ({ id, identity }: Universe): string[] => [
  'report_date Date',
  `${id} UInt32`,
  ...identity.columns,
  'cohort LowCardinality(String)',
]

/** The derived tables of a universe. */
export function definitionsOf(universe: Universe): Definitions {
  const { tables, id, identity, plural, metrics, inOrderOf, preparation } = universe
  const key = `${id} UInt32`
  const cohort = 'cohort LowCardinality(String)'
  const array = (name: string) => `${name} Array(Nullable(Float64))`
  const figures = metrics.map((metric) => `${metric.key} Nullable(Float64)`)
  const list = (columns: readonly string[]) => `(\n    ${columns.join(',\n    ')}\n)`
  const wide = list([...identityColumns(universe), ...figures])
  const form = universe.formulas.form ? ['form LowCardinality(String)'] : []
  const summary = ['mean', 'min', 'p25', 'median', 'p75', 'max'].map((name) => `${name} Nullable(Float64)`)
  return {
    // Internal: filings as arrays, figures as arrays, ranks as arrays.
    [tables.filings]: quarterly([key, ...form, array('values')], id),
    [tables.figures]: quarterly([key, cohort, array('figures')], id),
    [tables.percentiles]: quarterly([key, array('ranks')], id),
    [tables.sums]: quarterly([cohort, `${plural} UInt32`, array('sums')], 'cohort'),
    [tables.derived]: derivedTable,
    ...preparation?.tables,
    // Served. The quarter is the same in all of a part: before the id it makes an order of the whole table.
    [tables.quarters]: `${wide} ENGINE = MergeTree PARTITION BY report_date ORDER BY (report_date, ${id}) SETTINGS ${compact}`,
    // The same for panels of some states, say: theirs are a few granules of few parts.
    ...Object.fromEntries(
      Object.entries(inOrderOf).map(([table, column]) => [
        table,
        `${wide} ENGINE = MergeTree PARTITION BY ${orderSpan.sql} ORDER BY (${column}, report_date, ${id})
SETTINGS index_granularity = 4096, ${compact}`,
      ]),
    ),
    // A series of one institution opens few parts, and of each it reads little more than its own rows.
    [tables.rows]: `${list([key, 'report_date Date', cohort, 'cohort_count UInt32', array('metrics'), array('ranks')])}
ENGINE = MergeTree PARTITION BY ${rowSpan.sql} ORDER BY (${id}, report_date) SETTINGS index_granularity = 16, ${compact}`,
    [tables.benchmarks]: quarterly(
      [cohort, 'metric LowCardinality(String)', 'count UInt32', ...summary],
      '(cohort, metric)',
    ),
    [tables.industry]: quarterly([cohort, `${plural} UInt32`, ...figures], 'cohort', compact),
    [tables.directory]: `${list([
      ...identityColumns(universe),
      ...(identity.directory ?? []),
      ...['first_quarter Date', 'last_quarter Date', 'active Bool'],
      ...figures,
    ])} ENGINE = MergeTree ORDER BY ${id} SETTINGS ${compact}`,
    [tables.filed]: `${list([
      ...['report_date Date', 'filers UInt32', `${plural} UInt32`, 'items UInt64'],
      "loaded_at Nullable(DateTime64(3, 'UTC'))",
    ])} ENGINE = MergeTree ORDER BY report_date`,
  }
}

/** Tables of a universe with one partition a quarter that is replaced when the quarter is derived. */
export const quarterlyTables = ({ tables, preparation }: Universe): string[] => [
  ...[tables.figures, tables.percentiles, tables.quarters, tables.benchmarks, tables.sums, tables.industry],
  ...Object.keys(preparation?.tables ?? {}),
]

/** Changes when a declaration does that figures depend on: what was derived with another one is derived again. */
export const universeHash = (universe: Universe): string =>
  hashOf([universe.metrics, universe.concepts, universe.cohorts, definitionsOf(universe)])

/**
 * Makes the derived tables of a universe. Those derived from another declaration are dropped first, as their columns are
 * others.
 * @returns whether there was nothing to keep
 */
export const prepareUniverse = (making: Making, universe: Universe): Promise<boolean> =>
  prepareTables(making, definitionsOf(universe), universe.tables.derived, universeHash(universe))

/** The same of any tables, by the hash that `derived` has of each quarter, or where there is no quarter the version before. */
export async function prepareTables(
  { client, changes }: Making,
  definitions: Definitions,
  derived: string,
  hash: string,
): Promise<boolean> {
  const [name, made] = [`tables of ${derived}`, [hashOf([hash, definitions])]]
  const recorded = changes && (await changes.kept(name, made))
  if (recorded !== undefined && (await changes!.has(Object.keys(definitions)))) return false
  const kept = await derivedWith(client, derived, hash)
  await Promise.all(
    Object.entries(definitions).map(async ([table, definition]) => {
      if (!kept) await client.command({ query: `DROP TABLE IF EXISTS ${table} SYNC` })
      await client.command({ query: `CREATE TABLE IF NOT EXISTS ${table} ${definition}` })
    }),
  )
  changes?.written(Object.keys(definitions))
  changes?.record(name, made)
  return !kept
}

async function derivedWith(client: ClickHouseClient, table: string, hash: string): Promise<boolean> {
  const columns = await client.query({
    query: `SELECT count() AS found FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND name = 'hash'`,
    query_params: { table },
    format: 'JSONEachRow',
  })
  if (Number((await columns.json<{ found: string }>())[0]?.found) === 0) return false
  const result = await client.query({
    query: `SELECT count() AS quarters, countIf(hash != {hash:String}) AS others FROM ${table}`,
    query_params: { hash },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ quarters: string; others: string }>()
  return Number(row?.quarters) > 0 && Number(row?.others) === 0
}
