import { quartersBefore } from '../quarter.ts'
import { type Making, makeSteps } from '../steps/steps.ts'
import { benchmarksSql } from './benchmarks.ts'
import { directorySql, filedSql, lastQuartersSql } from './directory.ts'
import { figuresSql } from './evaluate.ts'
import { cohortSumsSql, industrySql } from './industry.ts'
import { itemsTask, pivots } from './pivot.ts'
import { derivationSettings, Runner, usuallyAtOnce } from './runner.ts'
import { orderedSql, percentilesSql, quartersSql, rowsSql } from './served.ts'
import {
  definitionsOf,
  orderSpan,
  prepareUniverse,
  quarterlyTables,
  rowSpan,
  universeHash,
} from './tables.ts'
import { runTasks, type Task } from './tasks.ts'
import type { Universe, Work } from './universe.ts'

/** Reports progress: the current step, and the share of all work that is done (0 to 1). */
export type DeriveProgress = (step: string, done: number) => void

export interface DeriveOptions {
  /** Statements at a time, each of which uses one thread. */
  atOnce?: number
  /** Only so many of the newest quarters: the earlier ones are what they look back on, and are derived another time. */
  newest?: number
  /**
   * Called when the filings of a universe are pivoted and prepared, and before their figures. What it makes of them may be
   * what figures rest on: the editions of the identities are read again after it.
   */
  prepared?: (universe: Universe) => Promise<unknown>
}

export interface DeriveReport {
  /** Quarters whose filings were pivoted again. */
  pivoted: string[]
  /** Quarters whose figures were recomputed, ascending. */
  derived: string[]
  /** Quarters that are no longer held. */
  removed: string[]
  milliseconds: number
}

/**
 * Recomputes the derived tables of a universe for the changed quarters and for those that look back on them, and leaves
 * the rest as it is. Another declaration, and other editions of the identities, are noticed without being told.
 *
 * @param changed quarters (ISO dates) whose filings were loaded, replaced or removed
 */
export async function deriveUniverse(
  making: Making,
  universe: Universe,
  changed: 'all' | readonly string[],
  progress: DeriveProgress = () => {},
  { atOnce = usuallyAtOnce, newest = Number.POSITIVE_INFINITY, prepared }: DeriveOptions = {},
): Promise<DeriveReport> {
  const started = Date.now()
  const { tables, preparation, further } = universe
  const fromNothing = await prepareUniverse(making, universe)
  await universe.beforehand?.(making)
  const runner = new Runner(making, fromNothing)
  let editions = await editionsOf(runner, universe)
  const work = await plan(runner, universe, editions, fromNothing ? 'all' : changed, newest)

  const quarterly = quarterlyTables(universe)
  for (const table of [tables.filings, tables.derived]) await runner.drop(table, work.gone)
  for (const table of quarterly) await runner.drop(table, [...work.gone, ...work.derived])
  const groups = universe.formulas.groups(work.derived, usuallyAtOnce)
  const figures = (quarter: string) => groupName(groups.find((group) => group.includes(quarter)) ?? [quarter])
  const before = groundwork(runner, universe, work)
  const tasks = [
    ...before,
    ...tasksOf(runner, making, universe, work, groups, figures),
    ...((await further?.(making, universe, work, figures)) ?? []),
  ]
  const run = (some: readonly Task[]) => {
    const from = tasks.indexOf(some[0]!)
    return runTasks(some, atOnce, ({ name }, done) => progress(name, (from + done) / tasks.length))
  }
  if (prepared) {
    await run(before)
    await prepared(universe)
    editions = await editionsOf(runner, universe)
    await run(tasks.slice(before.length))
  } else await run(tasks)
  for (const table of preparation?.scratch ?? []) await runner.run(`TRUNCATE TABLE ${table}`)
  await runner.drop(tables.derived, work.derived)
  const hash = universeHash(universe)
  await runner.insert(
    tables.derived,
    work.derived.map((report_date) => ({ report_date, hash, ...editions.get(report_date)! })),
  )
  progress('derived', 1)
  return {
    pivoted: [...work.pivoted],
    derived: [...work.derived],
    removed: [...work.gone],
    milliseconds: Date.now() - started,
  }
}

const groupName = (group: readonly string[]) => `figures ${group[0]} to ${group.at(-1)}`
const columnsName = (group: readonly string[]) => `columns ${group[0]} to ${group.at(-1)}`

/** What figures are worked out from, as tasks. */
function groundwork(runner: Runner, universe: Universe, { pivoted, derived }: Work): Task[] {
  const { formulas, preparation } = universe
  const run = (sql: string) => runner.run(sql)
  const tasks = pivots(runner, universe, formulas, pivoted)
  if (derived.length === 0 || !preparation) return tasks
  return [
    ...tasks,
    {
      name: preparation.name,
      needs: pivoted.map((quarter) => itemsTask(formulas, quarter)),
      async run() {
        for (const table of preparation.scratch) await run(`TRUNCATE TABLE ${table}`)
        await run(preparation.once(universe, derived))
      },
    },
    ...derived.map((quarter) => ({
      name: `${preparation.name} ${quarter}`,
      needs: [preparation.name],
      async run() {
        for (const sql of preparation.each(quarter)) await run(sql)
      },
    })),
  ]
}

/** The work on what lies ready as tasks, in the order in which they would be done one by one. */
function tasksOf(
  runner: Runner,
  making: Making,
  universe: Universe,
  work: Work,
  groups: readonly string[][],
  figures: (quarter: string) => string,
): Task[] {
  const { tables, formulas, preparation, inOrderOf } = universe
  const run = (sql: string) => runner.run(sql)
  const quarters = work.derived
  const touched = [...work.derived, ...work.gone]
  const named = (name: string, list: readonly string[]) => list.map((quarter) => `${name} ${quarter}`)
  const tasks: Task[] = []
  const pivoted = work.pivoted.map((quarter) => itemsTask(formulas, quarter))
  if (quarters.length > 0) {
    tasks.push(
      ...groups.map((group) => ({
        name: groupName(group),
        needs: preparation ? named(preparation.name, group) : pivoted,
        run: () => runner.each(figuresSql(universe, group, runner.whole)),
      })),
      ...quarters.flatMap((quarter) => {
        const needs = [figures(quarter)]
        return [
          { name: `sums ${quarter}`, needs, run: () => run(cohortSumsSql(universe, quarter)) },
          { name: `ranks ${quarter}`, needs, run: () => run(percentilesSql(universe, quarter)) },
          { name: `benchmarks ${quarter}`, needs, run: () => run(benchmarksSql(universe, quarter)) },
        ]
      }),
      ...groups.map((group) => ({
        name: columnsName(group),
        needs: [groupName(group)],
        run: () => runner.each(quartersSql(universe, group)),
      })),
      { name: 'industry', needs: named('sums', quarters), run: () => run(industrySql(universe, quarters)) },
    )
  }
  const replaced = async (table: string, span: number, sql: string) => {
    await runner.drop(table, [span])
    await runner.each(sql)
  }
  tasks.push(
    ...Object.keys(inOrderOf).flatMap((table) =>
      orderSpan.all(touched).map((span) => ({
        name: `${table} ${span}`,
        needs: groups.filter((group) => orderSpan.all(group).includes(span)).map(columnsName),
        run: () => replaced(table, span, orderedSql(universe, table, span)),
      })),
    ),
    ...rowSpan.all(touched).map((span) => ({
      name: `rows ${span}`,
      needs: named(
        'ranks',
        quarters.filter((quarter) => rowSpan.of(quarter) === span),
      ),
      run: () => replaced(tables.rows, span, rowsSql(universe, span, runner.whole)),
    })),
    {
      name: 'directory',
      needs: groups.map(groupName),
      async run() {
        const last = await runner.rows<{ quarter: string }>(lastQuartersSql(universe))
        const quarters = last.map(({ quarter }) => quarter)
        const definitions = definitionsOf(universe)
        const step = (table: string, fill: readonly string[]) => {
          return { name: table, makes: { [table]: definitions[table]! }, fill, settings: derivationSettings }
        }
        making.changes?.written([tables.figures])
        await makeSteps(making, [
          step(tables.filed, [filedSql(universe)]),
          step(tables.directory, last.length > 0 ? [directorySql(universe, quarters)] : []),
        ])
      },
    },
  )
  return tasks
}

interface Edition {
  edition: string | null
  edition_hash: string
}

async function editionsOf(runner: Runner, { editionsSql }: Universe): Promise<Map<string, Edition>> {
  const found = await runner.rows<{ report_date: string } & Edition>(editionsSql)
  return new Map(found.map(({ report_date, ...edition }) => [report_date, edition]))
}

/** What to do: the changed quarters, what looks back on them, and what was derived with other identities. */
async function plan(
  runner: Runner,
  { tables, formulas }: Universe,
  editions: ReadonlyMap<string, Edition>,
  changed: 'all' | readonly string[],
  newest: number,
): Promise<Work> {
  const filed = [...editions.keys()].sort()
  const held = filed.slice(-newest)
  const recorded = await runner.rows<{ report_date: string; edition_hash: string }>(
    `SELECT report_date, edition_hash FROM ${tables.derived}`,
  )
  const before = new Map(recorded.map((row) => [row.report_date, row.edition_hash]))
  const gone = [...before.keys()].filter((quarter) => !editions.has(quarter)).sort()
  const pivoted = filed.filter(
    (quarter) => changed === 'all' || changed.includes(quarter) || !before.has(quarter),
  )
  const reidentified = held.filter((quarter) => before.get(quarter) !== editions.get(quarter)!.edition_hash)
  const looking = lookingBack(held, [...pivoted, ...gone], formulas.lookBack)
  const derived = held.filter((quarter) => looking.includes(quarter) || reidentified.includes(quarter))
  return { held, pivoted, derived, gone, reidentified }
}

/** Those quarters whose figures rest on what was touched. */
export function lookingBack(
  held: readonly string[],
  touched: readonly string[],
  lookBack: readonly number[],
): string[] {
  const quarters = new Set(touched)
  return held.filter((quarter) => lookBack.some((k) => quarters.has(quartersBefore(quarter, k))))
}
