// Which source a dropped file is of: each of the real files is of exactly one.
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { place, Watcher } from '../../loaders/refresh/watch.ts'
import { sources } from '../../loaders/sources.ts'
import { temporaryFolder } from '../helpers/engine.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

t.test('real files are recognised', { skip }, async (t) => {
  const below = (folder: string, only: RegExp) =>
    readdirSync(join(data, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => only.test(name))
      .map((name) => join(data, folder, name))
  const expected: [string, string[]][] = [
    ['ffiec-call-report', below('ffiec-call-report', /0331201[2-4]\.zip$/)],
    ['treasury', below('treasury/original', /\.csv$/)],
    ['fred', below('fred', /DGS\d+\.csv$/)],
    ['pmms', below('pmms', /\.csv$/)],
    ['fdic-institutions', below('fdic-sdi', /bank_data\.csv$/)],
    ['fdic-failures', below('fdic-failures', /\.csv$/)],
    ['nic-transformations', below('nic', /TRANSFORMATIONS.*\.(csv|zip)$/i)],
  ]
  for (const [key, paths] of expected) {
    if (!t.ok(paths.length > 0, `there are files of ${key}`)) continue
    const { jobs, unplaced } = await place(paths, sources)
    t.strictSame(unplaced, [], key)
    t.match(jobs, [{ source: { key }, paths }], key)
  }
})

t.test('a file is whole once it stays as it is, and is taken once', async (t) => {
  const folder = await temporaryFolder(t)
  const watcher = new Watcher(folder, 1000)
  const path = join(folder, 'a.csv')
  await writeFile(path, 'one')
  await writeFile(join(folder, 'b.csv.crdownload'), 'half')
  await writeFile(join(folder, 'empty.csv'), '')
  t.strictSame(await watcher.settled(0), [], 'seen for the first time')
  t.strictSame(await watcher.settled(900), [])
  await appendFile(path, 'two')
  t.strictSame(await watcher.settled(1100), [], 'it grew')
  t.strictSame(await watcher.settled(2000), [])
  t.strictSame(await watcher.settled(2100), [path])
  t.strictSame(await watcher.settled(2200), [path], 'until it is taken')
  watcher.take([path])
  t.strictSame(await watcher.settled(9000), [])
  await utimes(path, 1, 1)
  t.strictSame(await watcher.settled(10_000), [])
  t.strictSame(await watcher.settled(11_000), [path], 'it was written anew')
})
