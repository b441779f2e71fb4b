import type { Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { runTasks } from '../../sql/derive/tasks.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { ubprTasks } from '../../sql/universes/bank/ubpr/index.ts'
import { memoryLog, sqlFolder, testEngine } from '../helpers/engine.ts'
import { realData } from './quarters.ts'

/** The quarters of some files and the guide by the project's loaders, and the UBPR alone of what is derived. */
export async function derivedUbpr(t: Test, quarters: readonly string[], files: readonly string[]) {
  const { engine } = await testEngine(t)
  const folder = await sqlFolder(t, { 'views/.keep': '' })
  const load = async (source: string, files: string[], derive = async (_: never) => {}) => {
    const outcome = await runLoad(engine, findSource(source)!, files, {
      progress: silent,
      log: memoryLog(),
      publishing: { derive: (build) => derive(build as never), sqlFolder: folder },
    })
    const failed = outcome.editions.filter(({ status }) => status !== 'published')
    if (failed.length > 0) throw new Error(failed.map(({ name, reason }) => `${name}: ${reason}`).join('; '))
  }
  const editions = ['20171231', '20180331', '20180630', '20180930']
  await load(
    'fdic-institutions',
    editions.map((edition) => `${realData}fdic-sdi/${edition}/bank_data.csv`),
  )
  await load('ffiec-call-report', [...files])
  const started = performance.now()
  await load('ubpr-formulas', [`${realData}ubpr`], async ({ client }: { client: never }) => {
    const all = { held: quarters, pivoted: quarters, derived: quarters, reidentified: quarters, gone: [] }
    await runTasks(await ubprTasks({ client }, banks, all, () => ''), 2)
  })
  t.comment(`${quarters.length} quarters derived in ${Math.round((performance.now() - started) / 1000)} s`)
  const { database } = (await currentPublication(engine))!
  const client = engine.loader(database)
  const rows = async <T>(query: string): Promise<T[]> => {
    const settings = { output_format_json_quote_64bit_integers: 0 as const, max_memory_usage: '4000000000' }
    const result = await client.query({ query, format: 'JSONCompactEachRow', clickhouse_settings: settings })
    return (await result.json()) as T[]
  }
  return { client, rows }
}
