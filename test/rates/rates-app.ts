import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { type LoadOutcome, runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { openAccess } from '../../server/access/access.ts'
import { createKey } from '../../server/access/key-store.ts'
import { buildApp } from '../../server/app.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { openWorkers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { servedRows } from '../loaders/helpers.ts'

/** The whole service over what a test loads: files in, answers out. */
export async function ratesApp(t: Test) {
  const { engine, config } = await testEngine(t)
  const workers = openWorkers({ maxThreads: 1 })
  t.teardown(() => workers.close())
  let published: Awaited<ReturnType<typeof readPublished>> | null = null
  const access = await openAccess(config, engine, memoryLog())
  t.teardown(() => access.close())
  const { secret } = await createKey(engine, { plan: 'premium', name: 'a test' })
  await access.keys.refresh()
  const headers = { authorization: `Bearer ${secret}` }
  const app = await buildApp(config, { engine, workers, access, published: () => published })
  t.teardown(() => app.close())

  const load = async (source: string, paths: string[]): Promise<LoadOutcome> => {
    const outcome = await runLoad(engine, findSource(source)!, paths, {
      progress: silent,
      log: memoryLog(),
      publishing,
    })
    published = await readPublished(engine, (await currentPublication(engine))!)
    return outcome
  }
  const get = async (url: string) => {
    const answer = await app.inject({ method: 'GET', url: `/api/v1${url}`, headers })
    return { status: answer.statusCode, bytes: answer.rawPayload, json: () => answer.json() }
  }
  return {
    load,
    get,
    /** Rows of the version that is served. */
    sql: <T>(query: string): Promise<T[]> => servedRows<T>(engine, query),
    async loadText(source: string, text: string, name = 'file.csv'): Promise<LoadOutcome> {
      const path = join(await temporaryFolder(t), name)
      await writeFile(path, text)
      return load(source, [path])
    },
    /** `data` of an answer that must be 200. */
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
    async data(url: string): Promise<any> {
      const answer = await get(url)
      if (answer.status !== 200)
        throw new Error(`${url}: ${answer.status} ${answer.bytes.toString().slice(0, 800)}`)
      return answer.json().data
    },
  }
}
