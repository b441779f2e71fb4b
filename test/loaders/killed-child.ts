/**
 * A load that kills its own process, as SIGKILL does, while its KILL_AT-th statement is under way. Ends by itself
 * with "done" where there are fewer. Started by killed.test.ts, with the settings of the test's engine.
 */
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { readConfig } from '../../server/config/config.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { memoryLog } from '../helpers/engine.ts'

const [killAt, sqlFolder, path] = process.argv.slice(2) as [string, string, string]
const METHODS = ['command', 'query', 'exec', 'insert'] as const
const counted = new WeakSet<object>()
let statements = 0

function count(client: ReturnType<Engine['loader']>): typeof client {
  if (counted.has(client)) return client
  counted.add(client)
  for (const method of METHODS) {
    const send = client[method].bind(client) as (params: never) => Promise<unknown>
    Object.assign(client, {
      [method]: (params: never) => {
        const answer = send(params)
        statements += 1
        if (statements === Number(killAt)) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2)
        return answer
      },
    })
  }
  return client
}

const log = memoryLog()
const engine = await openEngine(readConfig(process.env), log)
const loader = engine.loader.bind(engine)
engine.loader = (database) => count(loader(database))
const publishing = { derive: async () => {}, sqlFolder }
const outcome = await runLoad(engine, findSource('ffiec-call-report')!, [path], {
  progress: silent,
  log,
  publishing,
})
await engine.close()
console.log(`done after ${statements} statements: ${outcome.dataVersion}`)
