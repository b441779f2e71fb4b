// Another process of the same data folder: `engine-process.ts hold|build`, with DATA_DIR in its environment. It
// says in one line of JSON what it reached, and ends when its stdin does.
import { readConfig } from '../../server/config/config.ts'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { openEngine } from '../../server/engine/open.ts'
import { memoryLog } from './engine.ts'

const log = memoryLog()
const config = readConfig(process.env)
const engine = await openEngine(config, log)
const file = await readEngineFile(enginePaths(config).address)
let database: string | undefined
if (process.argv[2] === 'build') {
  const build = await beginBuild(engine, { synthetic: false, what: 'a build to be killed' }, log)
  await build.client.command({
    query: 'CREATE TABLE half_done ENGINE = MergeTree ORDER BY a AS SELECT 1 AS a',
  })
  database = build.database
}
const started = log.lines.some(({ message }) => message === 'embedded ClickHouse started')
process.stdout.write(`${JSON.stringify({ pid: file?.pid, started, database })}\n`)
process.stdin.resume().on('end', async () => {
  await engine.close()
  process.exit(0)
})
