import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { concepts, metrics } from '../formula/metrics/index.ts'
import { cohorts } from './cohorts.ts'
import { Span } from './spans.ts'

/**
 * One part holds one file: the tables have hundreds of columns, and a clone of the version links every file.
 */
const compact = 'min_bytes_for_wide_part = 1000000000000, min_rows_for_wide_part = 1000000000000'
const metricColumns = metrics.map(({ key }) => `    ${key} Nullable(Float64)`).join(',\n')

/**
 * To open a part costs a long read more than the rows in it, so there are few; each is written whole when one of its
 * quarters changes, and as one block, which has to fit into memory.
 */
export const stateSpan = new Span(5)
export const rowSpan = new Span(3)

/** Columns of `bank_quarters` before its metrics. */
export const identityColumns = [
  'report_date Date',
  'rssd_id UInt32',
  'cert UInt32',
  'legal_name String',
  'city String',
  'hq_state LowCardinality(String)',
  'charter LowCardinality(Nullable(String))',
  'regulator LowCardinality(Nullable(String))',
  'form LowCardinality(String)',
  'holding_company_rssd_id Nullable(UInt32)',
  'holding_company_name Nullable(String)',
  'cbsa_code Nullable(String)',
  'cohort LowCardinality(String)',
]

/** Columns of `banks` beside those of `bank_quarters`. */
const directoryColumns = [
  'established_date Nullable(Date32)',
  'web_address Nullable(String)',
  'cbsa_name Nullable(String)',
  'address String',
  'zip String',
  'first_quarter Date',
  'last_quarter Date',
  'active Bool',
]

const columns = (list: readonly string[]) => list.map((column) => `    ${column}`).join(',\n')

/** Each derived table with what follows its name in CREATE TABLE. Partitions are what is replaced at a time. */
const definitions: Readonly<Record<string, string>> = {
  // Internal: filings as arrays, figures as arrays, ranks as arrays.
  filing_values: `(
    report_date Date,
    rssd_id UInt32,
    values Array(Nullable(Float64))
) ENGINE = MergeTree PARTITION BY report_date ORDER BY rssd_id`,
  bank_figures: `(
    report_date Date,
    rssd_id UInt32,
    cohort LowCardinality(String),
    figures Array(Nullable(Float64))
) ENGINE = MergeTree PARTITION BY report_date ORDER BY rssd_id`,
  bank_percentiles: `(
    report_date Date,
    rssd_id UInt32,
    ranks Array(Nullable(Float64))
) ENGINE = MergeTree PARTITION BY report_date ORDER BY rssd_id`,
  poolings: `(
    report_date Date,
    survivor UInt32,
    predecessor UInt32
) ENGINE = MergeTree PARTITION BY report_date ORDER BY (survivor, predecessor)`,
  // Scratch of the poolings, emptied when they are known.
  merger_traces: `(
    report_date Date,
    rssd_id UInt32,
    assets Float64,
    equity Float64,
    income Float64,
    combined Float64
) ENGINE = MergeTree PARTITION BY report_date ORDER BY rssd_id`,
  pooling_candidates: `(
    report_date Date,
    predecessor UInt32,
    survivor UInt32,
    last Int32,
    assets Float64,
    income Float64,
    equity Float64,
    first_equity Float64,
    jump Float64,
    excess Float64,
    combined Float64,
    affiliated Bool,
    strangers Bool
) ENGINE = MergeTree PARTITION BY report_date ORDER BY (predecessor, survivor)`,
  cohort_sums: `(
    report_date Date,
    cohort LowCardinality(String),
    banks UInt32,
    sums Array(Nullable(Float64))
) ENGINE = MergeTree PARTITION BY report_date ORDER BY cohort`,
  derived_quarters: `(
    report_date Date,
    catalog_hash String,
    edition Nullable(Date),
    edition_hash String
) ENGINE = MergeTree PARTITION BY report_date ORDER BY report_date`,
  // Served. The quarter is the same in all of a part: before the bank it makes an order of the whole table.
  bank_quarters: `(
${columns(identityColumns)},
${metricColumns}
) ENGINE = MergeTree PARTITION BY report_date ORDER BY (report_date, rssd_id) SETTINGS ${compact}`,
  // The same for panels of some states: theirs are a few granules of few parts.
  state_quarters: `(
${columns(identityColumns)},
${metricColumns}
) ENGINE = MergeTree PARTITION BY ${stateSpan.sql} ORDER BY (hq_state, report_date, rssd_id)
SETTINGS index_granularity = 4096, ${compact}`,
  // A series of one bank opens few parts, and of each it reads little more than its own rows.
  bank_rows: `(
    rssd_id UInt32,
    report_date Date,
    cohort LowCardinality(String),
    cohort_count UInt32,
    metrics Array(Nullable(Float64)),
    ranks Array(Nullable(Float64))
) ENGINE = MergeTree PARTITION BY ${rowSpan.sql} ORDER BY (rssd_id, report_date)
SETTINGS index_granularity = 16, ${compact}`,
  cohort_benchmarks: `(
    report_date Date,
    cohort LowCardinality(String),
    metric LowCardinality(String),
    count UInt32,
    mean Nullable(Float64),
    min Nullable(Float64),
    p25 Nullable(Float64),
    median Nullable(Float64),
    p75 Nullable(Float64),
    max Nullable(Float64)
) ENGINE = MergeTree PARTITION BY report_date ORDER BY (cohort, metric)`,
  industry_quarters: `(
    report_date Date,
    cohort LowCardinality(String),
    banks UInt32,
${metricColumns}
) ENGINE = MergeTree PARTITION BY report_date ORDER BY cohort SETTINGS ${compact}`,
  banks: `(
${columns(identityColumns)},
${columns(directoryColumns)},
${metricColumns}
) ENGINE = MergeTree ORDER BY rssd_id SETTINGS ${compact}`,
  quarters: `(
    report_date Date,
    filers UInt32,
    banks UInt32,
    items UInt64,
    loaded_at Nullable(DateTime64(3, 'UTC'))
) ENGINE = MergeTree ORDER BY report_date`,
  metric_catalog: `(
    position UInt16,
    key String,
    label String,
    unit String,
    direction String,
    category String,
    formula String,
    items Array(String),
    source String,
    description Nullable(String)
) ENGINE = MergeTree ORDER BY position`,
  cohorts: `(
    key String,
    label String,
    min_total_assets Float64,
    max_total_assets Nullable(Float64),
    position UInt8
) ENGINE = MergeTree ORDER BY position`,
}

/** Changes when a definition does: what was derived with another one is derived again. */
export const catalogHash: string = createHash('sha256')
  .update(JSON.stringify([metrics, concepts, cohorts, definitions]))
  .digest('hex')

/** Tables that have one partition a quarter. */
export const quarterlyTables = [
  'bank_figures',
  'bank_percentiles',
  'bank_quarters',
  'cohort_benchmarks',
  'cohort_sums',
  'industry_quarters',
] as const

/** Tables that hold something only while quarters are derived. */
export const scratchTables = ['merger_traces', 'pooling_candidates'] as const

/**
 * Makes the derived tables. Those derived with another catalog are dropped first, as their columns are others.
 * @returns whether there was nothing to keep
 */
export async function prepareTables(client: ClickHouseClient): Promise<boolean> {
  const kept = await derivedWithThisCatalog(client)
  for (const [table, definition] of Object.entries(definitions)) {
    if (!kept) await client.command({ query: `DROP TABLE IF EXISTS ${table} SYNC` })
    await client.command({ query: `CREATE TABLE IF NOT EXISTS ${table} ${definition}` })
  }
  return !kept
}

async function derivedWithThisCatalog(client: ClickHouseClient): Promise<boolean> {
  const exists = await client.query({ query: 'EXISTS TABLE derived_quarters', format: 'JSONEachRow' })
  const [answer] = await exists.json<{ result: number }>()
  if (!answer?.result) return false
  const result = await client.query({
    query:
      'SELECT count() AS quarters, countIf(catalog_hash != {hash:String}) AS others FROM derived_quarters',
    query_params: { hash: catalogHash },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ quarters: string; others: string }>()
  return Number(row?.quarters) > 0 && Number(row?.others) === 0
}
