/**
 * What the server holds out, beside how fast it is: `node --import tsx bench/endurance/cli.ts TASK --data DIR`.
 *   sustained    requests a second held for a minute, errors, and the 99th percentile
 *   overload     ten times the connections that it serves at once: what is accepted, what is refused, and after it
 *   slow-reader  a large panel read at 1 MB/s: memory of the server and of its engine
 */
import { parseArgs } from 'node:util'
import { startOurServer } from '../server.ts'
import { overload } from './overload.ts'
import { slowReader } from './slow-reader.ts'
import { sustained } from './sustained.ts'

const tasks = { sustained, overload, 'slow-reader': slowReader }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: 'data' },
    quarters: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '60' },
  },
})
const task = tasks[positionals[0] as keyof typeof tasks]
if (!task) throw new Error(`which task? one of ${Object.keys(tasks).join(', ')}`)
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const server = await startOurServer({
  dataDir: values.data,
  quarters: Number(values.quarters),
  say,
  ...(task === overload && {
    env: { MAX_WAIT_MS: '2000', MAX_EVENT_LOOP_DELAY_MS: '1000', CLIENT_QUERIES: '10000' },
  }),
})
try {
  console.log(JSON.stringify(await task(server, Number(values.seconds)), null, 2))
} finally {
  await server.close()
}
