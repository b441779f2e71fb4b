// Back up, wipe, restore: the same answers, byte for byte, under the same data version.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openAccess } from '../../server/access/access.ts'
import { createKey } from '../../server/access/key-store.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { backUp, restore } from '../../server/ops/backup.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { openWorkers } from '../../workers/pool.ts'
import { memoryLog, temporaryFolder, unhurried } from '../helpers/engine.ts'
import { copyUniverse, rebuild } from '../helpers/universe-folder.ts'

const log = memoryLog()
const fresh = { replace: false }

t.test('back up, wipe, restore', async (t) => {
  const folder = await temporaryFolder(t)
  const backups = await temporaryFolder(t)
  await copyUniverse(folder)
  const config = readConfig({
    DATA_DIR: folder,
    BACKUP_DIR: backups,
    VERSION_GRACE_SECONDS: '0',
    ...unhurried,
  })

  let mine: { authorization: string } | undefined
  /** Everything that a start does, then some answers of every kind, and what a key watches. */
  const answers = async (): Promise<Map<string, unknown[]>> => {
    const engine = await openEngine(config, log)
    const access = await openAccess(config, engine, log)
    const workers = openWorkers({ maxThreads: 1 })
    try {
      const publication = await ensureCurrent(engine, { ...publishing, rebuild }, log)
      const published = await readPublished(engine, publication)
      const app = await buildApp(config, { engine, workers, access, published: () => published })
      const { bank } = published.examples
      if (!mine) {
        const { secret } = await createKey(engine, { plan: 'free', name: 'who watches' })
        mine = { authorization: `Bearer ${secret}` }
        await access.keys.refresh()
        const url = `/api/v1/watchlist/add/?rssd_id=${bank}`
        t.match((await app.inject({ url, headers: mine })).json(), { data: { watched: 1 } })
      }
      const all = new Map<string, unknown[]>([['publication', [{ ...publication, database: '' }]]])
      for (const path of [
        '/screeners/banks/?format=csv',
        '/industry/?format=json',
        `/banks/${bank}/trends/?format=arrow`,
        '/industry/dashboard/',
        '/rates/yield-curve/?latest=1',
        '/reference/metrics/',
        '/watchlist/',
        '/watchlist/alerts/',
      ]) {
        const { statusCode, headers, rawPayload } = await app.inject({
          url: `/api/v1${path}`,
          headers: path.startsWith('/watchlist/') ? mine : {},
        })
        if (path.startsWith('/watchlist/')) t.ok(JSON.parse(rawPayload.toString()).data.length > 0, path)
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
    await t.rejects(restore(engine, 'nightly', fresh, log), /is published in this DATA_DIR: give --replace/)
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
    await t.rejects(restore(engine, 'weekly', fresh, log), /there is no backup weekly/)
    const { publication, path } = await restore(engine, 'nightly', fresh, log)
    t.equal(path, join(backups, 'nightly'))
    t.strictSame([{ ...publication, database: '' }], before.get('publication'))
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
