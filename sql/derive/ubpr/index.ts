import type { ClickHouseClient } from '@clickhouse/client'
import { formulaSettings } from '../../formula/index.ts'
import { quarterBefore } from '../quarters.ts'
import type { Task } from '../tasks.ts'
import { catalogFigures, catalogFiguresSql } from './catalog.ts'
import { averagesSql, distributionSql, rowsSql } from './peers.ts'
import { assembleLoaded } from './read.ts'
import { writeReference } from './reference.ts'
import { prepareTables, quarterlyTables } from './tables.ts'
import { needsOf, pivotSql, valuesSql } from './values.ts'

/** What the rest of the derivation deals with. */
export interface UbprWork {
  /** Quarters held now, ascending. */
  held: readonly string[]
  /** Those whose filings changed. */
  pivoted: readonly string[]
  /** Those whose metrics are worked out again. */
  derived: readonly string[]
  /** Those whose banks' identities changed. */
  reidentified: readonly string[]
  /** Held no more. */
  gone: readonly string[]
  /** Name of the task that works out a quarter's metrics. */
  figuresTask: (quarter: string) => string
}

const settings = {
  ...formulaSettings,
  max_threads: 1,
  max_insert_threads: '1',
  max_partitions_per_insert_block: '0',
  join_use_nulls: 0,
  max_memory_usage: String(3 * 1024 ** 3),
} as const

/**
 * The UBPR of every bank: values, peer groups, peer averages and percentile ranks. From the guide's formulas where
 * a guide is loaded, else from the metrics of the catalog that are concepts of it. Works out again the quarters that
 * changed, and those that look back on them; all of them where the formulas are others.
 */
export async function ubprTasks(client: ClickHouseClient, work: UbprWork): Promise<Task[]> {
  const run = (query: string, query_params: Record<string, unknown> = {}) =>
    client.command({ query, query_params, clickhouse_settings: settings as never })
  const drop = (table: string, quarter: string) => run(`ALTER TABLE ${table} DROP PARTITION '${quarter}'`)

  const guide = (await holdsGuide(client)) ? await assembleLoaded(client) : catalogFigures
  const needs = guide === catalogFigures ? undefined : needsOf(guide)
  const fromNothing = await prepareTables(client, guide.hash)
  if (fromNothing) await writeReference(client, guide)
  for (const quarter of work.gone)
    for (const table of ['ubpr_filings', ...quarterlyTables]) await drop(table, quarter)

  const touched = new Set([...work.pivoted, ...work.gone])
  const pivot = needs ? (fromNothing ? work.held : work.pivoted) : []
  const derive = work.held.filter(
    (quarter) =>
      fromNothing ||
      (needs
        ? work.reidentified.includes(quarter) ||
          needs.offsets.some((k) => touched.has(quarterBefore(quarter, k)))
        : work.derived.includes(quarter)),
  )
  const itemsTask = (quarter: string) => `UBPR items ${quarter}`
  const valuesTask = (quarter: string) => `UBPR ${quarter}`
  const tasks: Task[] = pivot.map((quarter) => ({
    name: itemsTask(quarter),
    async run() {
      await drop('ubpr_filings', quarter)
      await run(pivotSql(needs!), { quarter })
    },
  }))
  // A guide's plan is one quarter's; the catalog's figures are taken for several at once.
  const groups = needs ? derive.map((quarter) => [quarter]) : inGroups(derive, 10)
  for (const group of groups) {
    tasks.push({
      name: valuesTask(group.at(-1)!),
      needs: needs
        ? needs.offsets.map((k) => itemsTask(quarterBefore(group[0]!, k)))
        : group.map(work.figuresTask),
      async run() {
        for (const quarter of group) for (const table of quarterlyTables) await drop(table, quarter)
        await run(needs ? valuesSql(guide, needs, group[0]!) : catalogFiguresSql(group))
        await run(averagesSql(group))
        await run(rowsSql(group))
        for (const quarter of group) await drop('ubpr_figures', quarter)
        await run('INSERT INTO ubpr_derived SELECT arrayJoin({group:Array(Date)}), {hash:String}', {
          group,
          hash: guide.hash,
        })
      },
    })
  }
  const newest = work.held.at(-1)
  if (newest !== undefined && (derive.includes(newest) || work.gone.length > 0)) {
    tasks.push({
      name: 'UBPR distribution',
      needs: [valuesTask(newest)],
      async run() {
        await run('TRUNCATE TABLE ubpr_distribution')
        await run(distributionSql(newest))
      },
    })
  }
  return tasks
}

const inGroups = (quarters: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(quarters.length / size) }, (_, i) =>
    quarters.slice(i * size, (i + 1) * size),
  )

async function holdsGuide(client: ClickHouseClient): Promise<boolean> {
  const answer = await client.query({ query: 'SELECT 1 FROM ubpr_guide LIMIT 1', format: 'JSONEachRow' })
  return (await answer.json()).length > 0
}
