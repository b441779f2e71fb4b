import type { ClickHouseClient } from '@clickhouse/client'
import { lookingBack } from '../../../derive/derive.ts'
import { itemsTask, pivots } from '../../../derive/pivot.ts'
import { Runner, usuallyAtOnce } from '../../../derive/runner.ts'
import { prepareTables } from '../../../derive/tables.ts'
import type { Task } from '../../../derive/tasks.ts'
import type { Further } from '../../../derive/universe.ts'
import { quartersBefore } from '../../../quarter.ts'
import { catalogFigures, catalogFiguresSql } from './catalog.ts'
import { averagesSql, distributionSql, rowsSql } from './peers.ts'
import { assembleLoaded } from './read.ts'
import { writeReference } from './reference.ts'
import { definitions, quarterlyTables } from './tables.ts'
import { formulasOf, valuesSql } from './values.ts'

/**
 * The UBPR of every bank, a second catalog of their universe: values, peer groups, peer averages and percentile ranks. From
 * the guide's formulas where a guide is loaded, else from the metrics of the catalog that are concepts of it. Works out again
 * the quarters that changed, and those that look back on them; all of them where the formulas are others.
 */
export const ubprTasks: Further = async (making, banks, work, figures) => {
  const { client } = making
  const guide = (await holdsGuide(client)) ? await assembleLoaded(client) : catalogFigures
  const formulas = guide === catalogFigures ? undefined : formulasOf(guide)
  const fromNothing = await prepareTables(making, definitions, 'ubpr_derived', guide.hash)
  const runner = new Runner(making, fromNothing)
  if (fromNothing) await writeReference(runner, banks, guide)
  for (const table of ['ubpr_filings', ...quarterlyTables]) await runner.drop(table, work.gone)

  const looking = lookingBack(work.held, [...work.pivoted, ...work.gone], formulas?.lookBack ?? [])
  const changed = formulas ? [...looking, ...work.reidentified] : work.derived
  const derive = work.held.filter((quarter) => fromNothing || changed.includes(quarter))
  const quarterTask = (quarter: string) => `UBPR ${quarter}`
  const tasks: Task[] = formulas
    ? pivots(runner, banks, formulas, fromNothing ? work.held : work.pivoted)
    : []
  for (const group of (formulas ?? banks.formulas).groups(derive, usuallyAtOnce)) {
    const name = `UBPR values ${group.join(' ')}`
    tasks.push({
      name,
      needs: formulas
        ? group.flatMap((quarter) =>
            formulas.lookBack.map((k) => itemsTask(formulas, quartersBefore(quarter, k))),
          )
        : group.map(figures),
      async run() {
        for (const table of quarterlyTables) await runner.drop(table, group)
        await runner.each(
          formulas ? valuesSql(banks, guide, formulas, group) : catalogFiguresSql(banks, group),
        )
      },
    })
    for (const quarter of group)
      tasks.push({
        name: quarterTask(quarter),
        needs: [name],
        async run() {
          await runner.run(averagesSql([quarter]))
          await runner.run(rowsSql([quarter]))
          await runner.run(`ALTER TABLE ubpr_figures DROP PARTITION '${quarter}'`)
          await runner.insert('ubpr_derived', [
            { report_date: quarter, hash: guide.hash, edition: null, edition_hash: '' },
          ])
        },
      })
  }
  const newest = work.held.at(-1)
  if (newest !== undefined && (derive.includes(newest) || work.gone.length > 0)) {
    tasks.push({
      name: 'UBPR distribution',
      needs: [quarterTask(newest)],
      async run() {
        await runner.run('TRUNCATE TABLE ubpr_distribution')
        await runner.run(distributionSql(newest))
      },
    })
  }
  return tasks
}

const holdsGuide = async (client: ClickHouseClient): Promise<boolean> =>
  (await new Runner({ client }).rows('SELECT 1 FROM ubpr_guide LIMIT 1')).length > 0
