import type { ClickHouseClient } from '@clickhouse/client'
import type { Build } from '../../server/engine/versions.ts'
import { formulaSettings } from '../formula/index.ts'
import { benchmarksSql } from './benchmarks.ts'
import { banksSql, lastQuartersSql, quartersSql } from './directory.ts'
import { figuresSql } from './figures.ts'
import { lookBack } from './formulas.ts'
import { editionsSql } from './identity.ts'
import { cohortSumsSql, industrySql } from './industry.ts'
import { pivotSql } from './pivot.ts'
import { poolingsSql, tracesSql } from './poolings.ts'
import { quarterBefore } from './quarters.ts'
import { writeReference } from './reference.ts'
import { bankQuartersSql, bankRowsSql, percentilesSql, stateQuartersSql } from './served.ts'
import { catalogHash, prepareTables, quarterlyTables, rowSpan, scratchTables, stateSpan } from './tables.ts'
import { runTasks, type Task } from './tasks.ts'
import { ubprTasks } from './ubpr/index.ts'

export { allBanks, type Cohort, cohorts } from './cohorts.ts'
export { percentileRank } from './percentile.ts'
export { catalogHash } from './tables.ts'

/** Called as the work goes on: what is being done, and the share of all work that is done (0 to 1). */
export type DeriveProgress = (step: string, done: number) => void

export interface DeriveReport {
  /** Quarters whose filings were pivoted again. */
  pivoted: string[]
  /** Quarters whose figures were worked out again, ascending. */
  derived: string[]
  /** Quarters that are held no more. */
  removed: string[]
  milliseconds: number
}

/**
 * Quarters are worked out two at a time with a thread each: a quarter's rows are one block, which one thread computes.
 */
const atOnce = 2
/** Quarters whose figures one statement works out. */
const quartersAtOnce = 10
const settings = {
  ...formulaSettings,
  max_threads: 1,
  max_insert_threads: '1',
  max_partitions_per_insert_block: '0',
  optimize_aggregation_in_order: 1,
  join_use_nulls: 0,
  max_memory_usage: String(3 * 1024 ** 3),
  // a partition of several years is one block, and so one part
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '0',
} as const

/**
 * Recomputes every derived table for the changed quarters and for those that look back on them, and leaves the rest
 * as it is. A new catalog, and a new edition of FDIC's institutions, are noticed without being told.
 *
 * @param changed quarters (ISO dates) whose filings were loaded, replaced or removed
 */
export async function derive(
  build: Pick<Build, 'client'>,
  changed: 'all' | readonly string[],
  progress: DeriveProgress = () => {},
): Promise<DeriveReport> {
  const started = Date.now()
  const { client } = build
  const fromNothing = await prepareTables(client)
  await writeReference(client)
  const work = await plan(client, fromNothing ? 'all' : changed)

  for (const quarter of work.gone) {
    for (const table of ['filing_values', 'poolings', 'derived_quarters', ...quarterlyTables])
      await dropPartition(client, table, quarter)
  }
  for (const quarter of work.derive) {
    for (const table of ['poolings', ...quarterlyTables]) await dropPartition(client, table, quarter)
  }
  await emptyScratch(client)
  const tasks = [
    ...tasksOf(client, work),
    ...(await ubprTasks(client, {
      held: [...work.editions.keys()].sort(),
      pivoted: work.pivot,
      derived: work.derive,
      reidentified: work.reidentified,
      gone: work.gone,
      figuresTask: figuresTask(batches(work.derive)),
    })),
  ]
  await runTasks(tasks, atOnce, ({ name }, done) => progress(name, done / tasks.length))
  await emptyScratch(client)
  await record(client, work)
  progress('derived', 1)
  return {
    pivoted: work.pivot,
    derived: work.derive,
    removed: work.gone,
    milliseconds: Date.now() - started,
  }
}

const groupName = (group: readonly string[]) => `figures ${group[0]} to ${group.at(-1)}`
const columnsName = (group: readonly string[]) => `columns ${group[0]} to ${group.at(-1)}`

/** Name of the task that works out a quarter's figures; of no task where none does. */
const figuresTask = (groups: readonly string[][]) => (quarter: string) =>
  groupName(groups.find((group) => group.includes(quarter)) ?? [quarter])

/** The work as tasks, in the order in which they would be done one by one. */
function tasksOf(client: ClickHouseClient, work: Work): Task[] {
  const run = (query: string, query_params: Record<string, unknown> = {}) =>
    client.command({ query, query_params, clickhouse_settings: settings as never })
  const quarters = work.derive
  const touched = [...work.derive, ...work.gone]
  const named = (name: string, list: readonly string[]) => list.map((quarter) => `${name} ${quarter}`)
  const groups = batches(quarters)
  const groupOf = figuresTask(groups)
  const tasks: Task[] = work.pivot.map((quarter) => ({
    name: `items ${quarter}`,
    async run() {
      await dropPartition(client, 'filing_values', quarter)
      await run(pivotSql, { quarter })
    },
  }))
  if (quarters.length > 0) {
    tasks.push(
      { name: 'merger traces', needs: named('items', work.pivot), run: () => run(tracesSql(quarters)) },
      ...quarters.map((quarter) => ({
        name: `poolings ${quarter}`,
        needs: ['merger traces'],
        async run() {
          for (const sql of poolingsSql(quarter)) await run(sql)
        },
      })),
      ...groups.map((group) => ({
        name: groupName(group),
        needs: named('poolings', group),
        run: () => run(figuresSql(group)),
      })),
      ...quarters.flatMap((quarter) => [
        { name: `sums ${quarter}`, needs: [groupOf(quarter)], run: () => run(cohortSumsSql(quarter)) },
        { name: `ranks ${quarter}`, needs: [groupOf(quarter)], run: () => run(percentilesSql(quarter)) },
        { name: `benchmarks ${quarter}`, needs: [groupOf(quarter)], run: () => run(benchmarksSql(quarter)) },
      ]),
      ...groups.map((group) => ({
        name: columnsName(group),
        needs: [groupName(group)],
        run: () => run(bankQuartersSql(group)),
      })),
      { name: 'industry', needs: named('sums', quarters), run: () => run(industrySql(quarters)) },
    )
  }
  tasks.push(
    ...stateSpan.all(touched).map((span) => ({
      name: `states ${span}`,
      needs: groups.filter((group) => stateSpan.all(group).includes(span)).map(columnsName),
      async run() {
        await run(`ALTER TABLE state_quarters DROP PARTITION ${span}`)
        await run(stateQuartersSql(span))
      },
    })),
    ...rowSpan.all(touched).map((span) => ({
      name: `rows ${span}`,
      needs: named(
        'ranks',
        quarters.filter((quarter) => rowSpan.of(quarter) === span),
      ),
      async run() {
        await run(`ALTER TABLE bank_rows DROP PARTITION ${span}`)
        await run(bankRowsSql(span))
      },
    })),
    {
      name: 'directory',
      needs: groups.map(groupName),
      async run() {
        await run('TRUNCATE TABLE quarters')
        await run(quartersSql)
        await run('TRUNCATE TABLE banks')
        const last = await column<string>(client, lastQuartersSql)
        if (last.length > 0) await run(banksSql(last))
      },
    },
  )
  return tasks
}

async function emptyScratch(client: ClickHouseClient): Promise<void> {
  for (const table of scratchTables) await client.command({ query: `TRUNCATE TABLE ${table}` })
}

interface Work {
  pivot: string[]
  derive: string[]
  /** Held before and no more. */
  gone: string[]
  /** Derived with other identities, or not at all. */
  reidentified: string[]
  editions: Map<string, { edition: string | null; edition_hash: string }>
}

/** What to do: the changed quarters, what looks back on them, and what was derived with other identities. */
async function plan(client: ClickHouseClient, changed: 'all' | readonly string[]): Promise<Work> {
  const editions = new Map(
    (
      await rows<{ report_date: string; edition: string | null; edition_hash: string }>(client, editionsSql)
    ).map(({ report_date, ...edition }) => [report_date, edition]),
  )
  const held = [...editions.keys()].sort()
  const before = new Map(
    (
      await rows<{ report_date: string; edition_hash: string }>(
        client,
        'SELECT report_date, edition_hash FROM derived_quarters',
      )
    ).map((row) => [row.report_date, row.edition_hash]),
  )
  const gone = [...before.keys()].filter((quarter) => !editions.has(quarter)).sort()
  const pivot = held.filter(
    (quarter) => changed === 'all' || changed.includes(quarter) || !before.has(quarter),
  )
  const touched = new Set([...pivot, ...gone])
  const reidentified = held.filter((quarter) => before.get(quarter) !== editions.get(quarter)!.edition_hash)
  const derived = held.filter(
    (quarter) =>
      lookBack.some((k) => touched.has(quarterBefore(quarter, k))) || reidentified.includes(quarter),
  )
  return { pivot, derive: derived, gone, reidentified, editions }
}

async function record(client: ClickHouseClient, work: Work): Promise<void> {
  for (const quarter of work.derive) await dropPartition(client, 'derived_quarters', quarter)
  if (work.derive.length === 0) return
  await client.insert({
    table: 'derived_quarters',
    values: work.derive.map((report_date) => ({
      report_date,
      catalog_hash: catalogHash,
      ...work.editions.get(report_date)!,
    })),
    format: 'JSONEachRow',
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
}

const dropPartition = (client: ClickHouseClient, table: string, quarter: string) =>
  client.command({ query: `ALTER TABLE ${table} DROP PARTITION '${quarter}'` })

async function rows<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<T>()
}

async function column<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  return (await rows<Record<string, T>>(client, query)).map((row) => Object.values(row)[0]!)
}

/** Quarters in groups that are worked out by one statement: bounded, so that memory is, and as many as keep every thread busy. */
function batches(quarters: readonly string[]): string[][] {
  const count = Math.min(quarters.length, atOnce * Math.ceil(quarters.length / quartersAtOnce / atOnce))
  const size = Math.ceil(quarters.length / count)
  return Array.from({ length: count }, (_, i) => quarters.slice(i * size, (i + 1) * size)).filter(
    (group) => group.length > 0,
  )
}
