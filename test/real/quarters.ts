import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { type LoadOptions, runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { publishing } from '../../server/publishing.ts'
import { memoryLog, sqlFolder, testEngine } from '../helpers/engine.ts'

/** The folder of real files beside the project. */
export const realData = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

/** A reason to skip tests of real files, or false. */
export const noRealData = (...paths: string[]): string | false => {
  const missing = paths.find((path) => !existsSync(realData + path))
  return missing === undefined ? false : `no ../shared/data/${missing} beside the project`
}

/** The FFIEC's bulk file of a quarter. */
export const bulkFile = (quarter: string): string => {
  const [year, month, day] = quarter.split('-')
  return `${realData}ffiec-call-report/FFIEC CDR Call Bulk All Schedules ${month}${day}${year}.zip`
}

/**
 * Loads real quarters by the project's loaders into a real engine, with what FDIC says of institutions, and derives.
 * @param before files of other sources, which are loaded first
 * @returns rows of a query over the published version
 */
export async function realQuarters(
  t: Test,
  quarters: readonly string[],
  before: Readonly<Record<string, string[]>> = {},
) {
  const { engine } = await testEngine(t)
  const options: LoadOptions = {
    progress: silent,
    log: memoryLog(),
    publishing: { derive: publishing.derive, sqlFolder: await sqlFolder(t) },
  }
  const institutions = existsSync(`${realData}fdic-sdi`)
    ? ['20171231', '20180331', '20180630', '20180930'].map(
        (edition) => `${realData}fdic-sdi/${edition}/bank_data.csv`,
      )
    : []
  const load = async (source: string, files: string[]) => {
    const outcome = await runLoad(engine, findSource(source)!, files, options)
    const failed = outcome.editions.filter(({ status }) => status !== 'published')
    if (failed.length > 0)
      throw new Error(`not loaded: ${failed.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}`)
  }
  for (const [source, files] of Object.entries(before)) await load(source, files)
  if (institutions.length > 0) await load('fdic-institutions', institutions)
  await load('ffiec-call-report', quarters.map(bulkFile))
  const { database } = (await currentPublication(engine))!
  return async <T>(query: string): Promise<T[]> => {
    const result = await engine.loader(database).query({ query, format: 'JSONEachRow' })
    return (await result.json()) as T[]
  }
}
