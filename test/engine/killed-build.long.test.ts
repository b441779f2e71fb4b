import t from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { memoryLog, testEngine } from '../helpers/engine.ts'
import { otherProcess } from '../helpers/other-process.ts'

t.test(
  'a build that is killed leaves what is served; the next one takes its lock and drops its orphan',
  async (t) => {
    const { engine, config } = await testEngine(t)
    const log = memoryLog()

    const killed = await otherProcess(t, config.dataDir, 'build')
    t.equal(killed.started, false)
    await t.rejects(beginBuild(engine, { synthetic: false, waitSeconds: 0 }, log), {
      code: 'BUILD_LOCKED',
      message: new RegExp(`a build to be killed, process ${killed.child.pid} on`),
    })
    await killed.kill()
    t.equal(await currentPublication(engine), null)

    const build = await beginBuild(engine, { synthetic: false, waitSeconds: 0 }, log)
    t.ok(log.lines.some(({ message }) => /was killed: taking its lock over/.test(message!)))
    const result = await engine.loader().query({
      query: "SELECT name FROM system.databases WHERE name LIKE 'banking_v_%'",
      format: 'JSONEachRow',
    })
    t.strictSame(await result.json(), [{ name: build.database }], 'the orphan is gone')
    await build.discard()
  },
)
