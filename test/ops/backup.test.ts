// Back up, wipe, restore: the same answers, byte for byte, under the same data version.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { publishing } from '../../loaders/lib/publishing.ts'
import { openAccess } from '../../server/access/access.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { openEngine } from '../../server/engine/engine.ts'
import { beginBuild, currentPublication } from '../../server/engine/versions.ts'
import { backUp, restore } from '../../server/ops/backup.ts'
import { readPublished } from '../../server/published.ts'
import { openWorkers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { copyUniverse, rebuild } from '../helpers/universe-folder.ts'

const log = memoryLog()

t.test('back up, wipe, restore', async (t) => {
  const folder = await temporaryFolder(t)
  const backups = await temporaryFolder(t)
  await copyUniverse(folder)
  const config = readConfig({ DATA_DIR: folder, BACKUP_DIR: backups, VERSION_GRACE_SECONDS: '0' })

  /** Everything that a start does, then some answers of every kind. */
  const answers = async (): Promise<Map<string, unknown[]>> => {
    const engine = await openEngine(config, log)
    const access = await openAccess(config, engine, log)
    const workers = openWorkers({ maxThreads: 1 })
    try {
      const publication = await ensureCurrent(engine, { ...publishing, rebuild }, log)
      const published = await readPublished(engine, publication)
      const app = await buildApp(config, { engine, workers, access, published: () => published })
      const { bank } = published.examples
      const all = new Map<string, unknown[]>([['publication', [publication]]])
      for (const path of [
        '/screeners/banks/?format=csv',
        '/industry/?format=json',
        `/banks/${bank}/trends/?format=arrow`,
        '/industry/dashboard/',
        '/rates/yield-curve/?latest=1',
        '/reference/metrics/',
      ]) {
        const { statusCode, headers, rawPayload } = await app.inject(`/api/v1${path}`)
        t.equal(statusCode, 200, path)
        all.set(path, [headers.etag, headers['x-data-version'], rawPayload.toString('base64')])
      }
      await app.close()
      return all
    } finally {
      await access.close()
      await workers.close()
      await engine.close()
    }
  }
  const before = await answers()

  await t.test('while it is served', async (t) => {
    const engine = await openEngine(config, log)
    t.teardown(() => engine.close())
    const publication = await currentPublication(engine)
    const report = await backUp(engine, 'nightly', log)
    t.strictSame(report.publication, publication)
    t.ok(report.files > 10 && report.bytes > 100_000, JSON.stringify(report))
    await t.rejects(backUp(engine, 'nightly', log), /a backup nightly is there already/)
    await t.rejects(backUp(engine, '../away', log), /cannot name a backup/)
    await t.rejects(restore(engine, 'nightly'), /is published in this DATA_DIR/)
    t.match((await backUp(engine, undefined, log)).name, publication!.dataVersion)
    const build = await beginBuild(engine, { synthetic: true, waitSeconds: 0 }, log)
    await t.rejects(
      backUp(
        { ...engine, config: { ...config, buildWaitSeconds: 0 }, loader: (name) => engine.loader(name) },
        'x',
        log,
      ),
      { code: 'BUILD_LOCKED' },
      'not in the middle of a build',
    )
    await build.discard()
  })

  await rm(join(folder, 'clickhouse'), { recursive: true })
  await t.test('into an empty folder', async (t) => {
    const engine = await openEngine(config, log)
    t.teardown(() => engine.close())
    t.equal(await currentPublication(engine), null, 'wiped')
    await t.rejects(restore(engine, 'weekly'), /there is no backup weekly/)
    const { publication } = await restore(engine, 'nightly')
    t.strictSame([publication], before.get('publication'))
    const build = await beginBuild(engine, { synthetic: true, waitSeconds: 0 }, log)
    await build.discard()
    t.pass('no lock of the old process came back')
  })

  const after = await answers()
  for (const [path, answer] of before) t.strictSame(after.get(path), answer, path)
})

t.test('a server of somebody else is left to its administrator', async (t) => {
  const config = readConfig({ CLICKHOUSE_URL: 'http://127.0.0.1:1' })
  await t.rejects(backUp({ config } as Parameters<typeof backUp>[0], 'x', log), /CLICKHOUSE_URL is set/)
})
