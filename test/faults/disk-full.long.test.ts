import { execFile } from 'node:child_process'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { publishing } from '../../server/publishing.ts'
import { build } from '../helpers/app.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

const run = promisify(execFile)
const MIB = 2 ** 20

/** A small disk of this test alone; null where none can be mounted, as by anybody but root. */
async function smallDisk(t: Test, mebibytes: number): Promise<string | null> {
  const folder = join(await temporaryFolder(t), 'disk')
  await mkdir(folder)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder])
  } catch {
    return null
  }
  t.teardown(() => run('umount', ['--lazy', folder]))
  return folder
}

/** Takes what is left of the disk. */
async function fill(file: string, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const handle = await open(file, 'w')
  const block = Buffer.alloc(MIB)
  try {
    for (let left = bavail * bsize + MIB; left > 0; left -= MIB) await handle.write(block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}

const disk = await smallDisk(t as unknown as Test, 400)
const skip = disk === null && 'no disk of its own can be mounted here: it needs root'

t.test('a full disk: reads go on, a load fails whole, and nothing is lost', { skip }, async (t) => {
  const folder = disk!
  await copyUniverse(folder)
  const { app, engine } = await build(t, { data: false, env: { DATA_DIR: folder } })
  const screen = async (n: number) =>
    (await app.inject(`/api/v1/screeners/banks/?sort=rssd_id&min_total_assets=-${n}`)).json().data
  const before = await screen(1)
  t.ok(before.length > 0)
  const served = await currentPublication(engine)

  const filler = join(folder, 'filler')
  await fill(filler, folder)
  t.strictSame(await screen(2), before, 'reads go on')
  const load = async () => {
    const build = await beginBuild(engine, { synthetic: true, what: 'a load', ...publishing }, memoryLog())
    try {
      await build.client.command({
        query: `CREATE TABLE large ENGINE = MergeTree ORDER BY a AS
                SELECT number AS a, randomString(1000) AS b FROM numbers(60000)`,
      })
    } catch (error) {
      await build.discard().catch(() => {})
      throw error
    }
    return build
  }
  await t.rejects(load(), /No space left|NOT_ENOUGH_SPACE|Cannot reserve|Cannot write/i, 'a load says why')
  t.strictSame(await currentPublication(engine), served, 'what is served is what was')
  t.strictSame(await screen(3), before)

  await rm(filler)
  const built = await load()
  const published = await built.publish()
  t.not(published.dataVersion, served!.dataVersion, 'with room again a load goes through')
  t.strictSame(await screen(4), before)
})
