import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client'
import { copiesOf, keptColumns } from '../sources/declare.ts'
import { declaredTables } from '../sources/index.ts'
import { filingsSql, itemsSql } from './filings.ts'
import { demoItems, forms } from './items/index.ts'
import { otherKinds } from './kinds.ts'
import { mostQuarters } from './limits.ts'

/**
 * The latest quarter of the demo universe. Fixed rather than taken from the clock, so that the same options
 * give the same bytes on any day.
 */
export const demoLastQuarter = '2026-06-30'

export interface DemoOptions {
  /** Quarters filed, 1 to `mostQuarters`, ending with `demoLastQuarter`. */
  quarters: number
  /** Banks that file in the latest quarter; default 4,500. */
  liveBanks?: number
  /** Banks that merged or failed before it; default 2,500. A bank closed in a quarter files up to that quarter. */
  closedBanks?: number
  /** Another seed is another universe; default 1. */
  seed?: number
  /** Only what figures of banks rest on: without institutions of other kinds and without most other sources; default false. */
  banksAlone?: boolean
}

export interface DemoReport {
  quarters: string[]
  banks: number
  filings: number
  items: number
}

/** Called as the work goes on: what is being made, and the share of all work that is done (0 to 1). */
export type DemoProgress = (step: string, done: number) => void

/** Scratch tables in the order in which they are made; each is dropped when all is done. */
const states = ['places', 'scenario', 'banks', 'takeovers', 'mergers', 'paths', 'balances'] as const
const statesShare = 0.4
const filingsEngine = `ENGINE = MergeTree ORDER BY (form, report_date, rssd_id) SETTINGS min_bytes_for_wide_part = 1000000000`

/** One statement's share of the work: what bounds the engine's memory to some 700 MB each. */
const filingsAtOnce = 110_000
const quartersAtOnce = 5
/** The fewest quarters in which every figure of a bank has something to show: one, and the four that its changes look back on. */
const beginningQuarters = 5

/**
 * Fills a database with the demo universe: `filers`, `call_report_items`, `item_descriptions`,
 * `fdic_institutions` and a row in `load_files` for each quarter. All of it is computed by ClickHouse.
 * The same options give the same rows.
 * @param atOnce statements at a time; with 1 each of them uses one thread too, which leaves a machine to others
 * @throws RangeError when an option is out of range.
 */
export async function buildDemo(
  build: { readonly client: ClickHouseClient },
  options: DemoOptions,
  progress: DemoProgress = () => {},
  atOnce = 2,
): Promise<DemoReport> {
  const universe = checked(options)
  const { client } = build
  const parameters = {
    seed: universe.seed,
    quarters: universe.quarters,
    live: universe.liveBanks,
    closed: universe.closedBanks,
    last: demoLastQuarter,
  }
  const threads = atOnce === 1 && { max_threads: 1, max_insert_threads: '1' }
  const run = (query: string, extra: Record<string, unknown> = {}) =>
    client.command({
      query,
      query_params: { ...parameters, ...extra },
      clickhouse_settings: { ...settings, ...threads },
    })
  try {
    for (const [k, state] of states.entries()) {
      progress(state, (statesShare * k) / states.length)
      await run(sql(state))
    }
    progress('filings', statesShare)
    const filings = filingsSql(sql('flows'))
    const ranges = bankRanges(universe)
    await run(`CREATE TABLE demo_filings ${filingsEngine} AS ${filings}`, ranges[0])
    await eachOf(ranges.slice(1), atOnce, (range) => run(`INSERT INTO demo_filings ${filings}`, range))
    await run(sql('filers'))
    for (const table of declaredTables) {
      if (!table.demo || (universe.banksAlone && !table.demoFirst)) continue
      const columns = keptColumns(table.columns)
        .map(([column]) => column)
        .join(', ')
      let rows = `(${table.demo})`
      for (const copy of copiesOf(table)) {
        await run(`INSERT INTO ${copy.name} (${columns})\nSELECT ${columns} FROM ${rows}`)
        rows = table.name
      }
    }
    await run(sql('rates'))

    const quarters = await quartersFiled(client)
    const parts = quarterRanges(quarters).flatMap((range) => forms.map((form) => ({ form, range })))
    let done = 0
    await eachOf(parts, atOnce, async ({ form, range }) => {
      await run(itemsSql(form), range)
      done++
      progress('items', statesShare + ((1 - statesShare) * done) / parts.length)
    })
    await describeItems(client, quarters)
    if (!universe.banksAlone)
      for (const { entity, statements } of otherKinds) {
        progress(entity, 1)
        for (const statement of statements) await run(statement)
      }
    const report = await recordLoads(client, quarters, universe)
    progress('items', 1)
    return report
  } finally {
    for (const table of [...states, 'filings'])
      await client.command({ query: `DROP TABLE IF EXISTS demo_${table} SYNC` })
  }
}

/** Blocks of a million rows make few parts; the sums of money are exact whatever the order of the threads. */
const settings = {
  min_insert_block_size_rows: '1048576',
  max_insert_threads: '2',
  max_partitions_per_insert_block: '0',
} as const

function checked(options: DemoOptions): Required<DemoOptions> {
  const whole = (name: string, value: number, low: number, high: number) => {
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new RangeError(`demo: ${name} is ${value}; expected a whole number from ${low} to ${high}`)
    }
    return value
  }
  return {
    quarters: whole('quarters', options.quarters, 1, mostQuarters),
    liveBanks: whole('liveBanks', options.liveBanks ?? 4500, 20, 6000),
    closedBanks: whole('closedBanks', options.closedBanks ?? 2500, 0, 2500),
    seed: whole('seed', options.seed ?? 1, 0, 2 ** 32 - 1),
    banksAlone: options.banksAlone ?? false,
  }
}

/**
 * The latest quarters of a universe's banks alone, which are made in a fraction of the time: the same banks file in the
 * last of them, and as many close in each. Their figures resemble those of the whole, and are not the same.
 */
export function beginningOf(whole: DemoOptions): DemoOptions {
  const { quarters: all, closedBanks, ...rest } = checked(whole)
  const quarters = Math.min(beginningQuarters, all)
  const banksAlone = rest.banksAlone || quarters < all
  return { ...rest, banksAlone, quarters, closedBanks: Math.round((closedBanks * quarters) / all) }
}

/** Ranges of RSSD IDs (which are spread evenly, see steps/banks.sql) with at most `filingsAtOnce` filings each. */
function bankRanges({ quarters, liveBanks, closedBanks }: Required<DemoOptions>) {
  const [lowest, width] = [90_000_000, 100_000]
  const n = Math.ceil(((liveBanks + closedBanks) * (quarters + 4)) / filingsAtOnce)
  const bound = (k: number) => lowest + Math.ceil((width * k) / n)
  return Array.from({ length: n }, (_, k) => ({ from_bank: bound(k), to_bank: bound(k + 1) - 1 }))
}

function quarterRanges(quarters: readonly string[]) {
  const starts = quarters.filter((_, k) => k % quartersAtOnce === 0)
  return starts.map((from, k) => ({
    from,
    to: quarters[Math.min((k + 1) * quartersAtOnce, quarters.length) - 1],
  }))
}

/** Does `work` for each, a few at a time: most of a statement runs on one core. */
async function eachOf<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...things]
  const workers = Array.from({ length: atOnce }, async () => {
    for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing)
  })
  await Promise.all(workers)
}

const sql = (name: string) => readFileSync(new URL(`steps/${name}.sql`, import.meta.url), 'utf8')

async function quartersFiled(client: ClickHouseClient): Promise<string[]> {
  const query = 'SELECT DISTINCT report_date FROM filers ORDER BY report_date'
  const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ report_date: string }>()
  return rows.map((row) => row.report_date)
}

async function describeItems(client: ClickHouseClient, quarters: readonly string[]): Promise<void> {
  const seen = new Map<string, number>()
  const described = new Map<
    string,
    { schedule: string; mdrm: string; position: number; description: string }
  >()
  for (const { schedule, mdrm, caption } of demoItems) {
    if (described.has(`${schedule}.${mdrm}`)) continue
    const position = (seen.get(schedule) ?? 0) + 1
    seen.set(schedule, position)
    described.set(`${schedule}.${mdrm}`, { schedule, mdrm, position, description: caption })
  }
  const values = quarters.flatMap((report_date) =>
    [...described.values()].map((item) => ({ report_date, ...item })),
  )
  await client.insert({
    table: 'item_descriptions',
    values,
    format: 'JSONEachRow',
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
}

/** One row a quarter in the manifest, named and hashed by what made it: there is no file behind it. */
async function recordLoads(
  client: ClickHouseClient,
  quarters: readonly string[],
  universe: Required<DemoOptions>,
): Promise<DemoReport> {
  const counted = async (table: string) => {
    const query = `SELECT report_date, count() AS n FROM ${table} GROUP BY report_date`
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{
      report_date: string
      n: string
    }>()
    return new Map(rows.map((row) => [row.report_date, Number(row.n)]))
  }
  const [filings, items] = [await counted('filers'), await counted('call_report_items')]
  await client.insert({
    table: 'load_files',
    values: quarters.map((report_date) => {
      const name = `demo universe ${report_date} ${JSON.stringify(universe)}`
      const rows = items.get(report_date) ?? 0
      return {
        source: 'demo',
        name,
        sha256: createHash('sha256').update(name).digest('hex'),
        bytes: 0,
        report_date,
        loaded_at: `${demoLastQuarter} 00:00:00.000`,
        rows_read: rows,
        rows_kept: rows,
        rows_rejected: 0,
        in_force: true,
      }
    }),
    format: 'JSONEachRow',
  })
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0)
  return {
    quarters: [...quarters],
    banks: universe.liveBanks + universe.closedBanks,
    filings: sum(filings),
    items: sum(items),
  }
}
