// What a start builds where nothing was ever loaded, and what it leaves alone.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { completeDemo } from '../../server/demo.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { currentPublication, publications } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { memoryLog, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { rebuild } from '../helpers/universe-folder.ts'
import { servedRows } from '../loaders/helpers.ts'

const small = { quarters: 6, liveBanks: 40, closedBanks: 10 }
/** So large that what is done meanwhile meets it in the midst of its work. */
const large = { ...small, quarters: 40, liveBanks: 400 }

const ENDED = 'another build ended that of the demo universe'

/** An engine after the first steps of a start, and what happens on it next. */
async function started(t: Test) {
  const { engine } = await testEngine(t, { VERSION_GRACE_SECONDS: '3600' })
  const log = memoryLog()
  const lines: string[] = []
  const path = join(await temporaryFolder(t), 'rates.csv')
  await writeFile(path, 'date,pmms30,pmms30p,pmms15,pmms15p\r\n1/4/2024,6.62,,5.89\r\n')
  const first = await ensureCurrent(engine, { ...publishing, rebuild }, log)
  const after = async () => (await publications(engine)).filter((one) => one.database !== first.database)
  return {
    engine,
    log,
    lines,
    demo: (universe = small) => completeDemo(engine, universe, log, (line) => lines.push(line)),
    load: () =>
      runLoad(engine, findSource('pmms')!, [path], { progress: silent, log: memoryLog(), publishing }),
    /** What was published since: the quarters of a demo, or `real`. */
    async history(): Promise<(number | 'real')[]> {
      const sql = 'SELECT toUInt32(uniqExact(report_date)) AS n FROM bank_quarters'
      const quarters = async (database: string) => (await engine.rows<{ n: number }>({ sql, database }))[0]!.n
      const all = (await after()).reverse()
      return Promise.all(all.map((one) => (one.synthetic ? quarters(one.database) : 'real')))
    },
    /** Resolves in the midst of a demo's build, so many publishes after the start. */
    async building(publishes: number): Promise<void> {
      const sql = "SELECT 1 FROM system.tables WHERE name = 'demo_paths'"
      const begun = async () => (await engine.rows({ sql, database: 'system' })).length > 0
      while ((await after()).length < publishes || !(await begun())) await wait(5)
    },
    /** Version databases that were never published. */
    async orphans(): Promise<number> {
      const sql = `SELECT toUInt32(countIf(name LIKE 'banking_v_%' AND name NOT IN (SELECT database FROM banking.publications))) AS n
                   FROM system.databases`
      return (await engine.rows<{ n: number }>({ sql, database: 'system' }))[0]!.n
    },
    published: async () => readPublished(engine, (await currentPublication(engine))!),
  }
}

t.test('where anything was loaded nothing is built', async (t) => {
  const { engine, demo, load, history, lines, published } = await started(t)
  await load()
  await demo()
  t.strictSame(await history(), ['real'])
  t.strictSame(lines, [])
  t.strictSame(await servedRows(engine, "SELECT value FROM observations WHERE series = 'PMMS_30Y'"), [
    { value: 6.62 },
  ])
  t.match(await published(), { loaded: true, publication: { asOf: null } })
})

t.test('a load ends the build of a demo, and is what is served', async (t) => {
  const { demo, load, building, history, log, orphans } = await started(t)
  const ended = demo(large)
  await building(1)
  t.match(await load(), { editions: [{ status: 'published' }] })
  await ended
  t.strictSame(await history(), [1, 'real'])
  t.equal(await orphans(), 0)
  t.ok(log.lines.some(({ message }) => message === ENDED))
})

t.test('the latest quarters come first, then the whole, even where another build came between', async (t) => {
  const { engine, demo, building, history, lines, log, orphans, published } = await started(t)
  t.equal((await published()).loaded, false)
  const ended = demo()
  await building(1)
  t.equal((await published()).loaded, true)
  await (await beginBuild(engine, { synthetic: false, waitSeconds: 0 }, log)).discard()
  await ended
  t.strictSame(await history(), [1, 6])
  t.match(lines, [
    /at first the latest quarters of its banks/,
    /all 6 quarters .* meanwhile/,
    /all 6 quarters .* meanwhile/,
    /has all its 6 quarters/,
  ])
  t.ok(log.lines.some(({ message }) => message === ENDED))
  t.equal(await orphans(), 0)
  for (const quarters of [5, 6]) await demo({ ...small, quarters })
  t.strictSame(await history(), [1, 6], 'what has as many quarters as are wanted is left alone')
})

t.test('a demo waits for a load that began before it', async (t) => {
  const { engine, demo, history, log } = await started(t)
  const build = await beginBuild(engine, { synthetic: false, ...publishing }, log)
  const ended = demo()
  while (!log.lines.some(({ message }) => message === 'waiting for another build to end')) await wait(10)
  await build.client.command({
    query:
      "INSERT INTO load_files (source, name, report_date, in_force) VALUES ('pmms', 'rates.csv', NULL, true)",
  })
  await build.publish()
  await ended
  t.strictSame(await history(), ['real'])
})
