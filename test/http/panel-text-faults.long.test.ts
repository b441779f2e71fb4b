// What becomes of panels as text out of files: files that are torn or lost, and what the engine reads less of.
import { copyFile, readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { HistoryOptions } from '../../server/resident/history/history.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { changed, copied, keepHistory } from '../helpers/kept-history.ts'

const served = await build(t)
const { app, engine, serve } = served
const everything = banks.metrics.filter(({ tier }) => !tier).map(({ key }) => key)
const keep = (t: Test, folder: string, options?: Partial<HistoryOptions>) =>
  keepHistory(t, served, folder, options)

const folder = await temporaryFolder(t)
const kept = await keep(t, folder)

const texts = ['json', 'ndjson', 'csv'].map(
  (format) => `/api/v1/screeners/panel/?format=${format}&metrics=${everything}`,
)
const spelled = (await readdir(folder)).filter((name) => name.startsWith('spelled_bank_quarters'))

for (const [what, spoil] of Object.entries({
  'values that are others': changed((size) => Math.floor(size / 2)),
  'a file that was emptied': (path: string) => truncate(path, 0),
})) {
  t.test(`${what}: the engine's bytes all the same, and the file is made anew`, async (t) => {
    const own = await copied(t, folder)
    const { both, history, lines } = await keep(t, own)
    await spoil(join(own, spelled[0]!))
    await both.same(t, texts.slice(0, 1))
    t.equal(history.panels.lost, 1)
    await history.idle()
    t.strictSame(lines(), [
      'a file of the history cannot be read: the engine is asked',
      'a file of the history was written',
    ])
    const { read } = history.panels
    await both.same(
      t,
      texts.map((url) => `${url}&state=TX,CA`),
    )
    t.equal(history.panels.read - read, texts.length)
  })
}

const spoilt: Record<string, (path: string, other: string) => Promise<unknown>> = {
  'cut short': async (path) => truncate(path, (await readFile(path)).length - 4096),
  'all but empty': (path) => truncate(path, 10),
  'another byte in the index': changed((size) => size - 200),
  'another file': (path, other) => copyFile(other, path),
}

t.test('a torn file is made anew when it is opened', async (t) => {
  for (const [what, spoil] of Object.entries(spoilt)) {
    const own = await copied(t, folder)
    await spoil(join(own, spelled[1]!), join(own, spelled[2]!))
    const { both, lines } = await keep(t, own)
    t.strictSame(
      lines(),
      ['a file of the history is wrong: it is written anew', 'a file of the history was written'],
      what,
    )
    t.strictSame(await readFile(join(own, spelled[1]!)), await readFile(join(folder, spelled[1]!)), what)
    await both.same(t, texts)
  }
})

t.test('few rows of what would be read are left to the engine', async (t) => {
  const { both, history } = kept
  const [{ most } = { most: 0 }] = await engine.rows<{ most: number }>({
    database: kept.published.publication.database,
    sql: "SELECT max(total_assets) AS most FROM bank_quarters WHERE report_date = '2025-06-30'",
  })
  const { read } = history.panels
  const largest = `metrics=roa&from=2025Q2&to=2025Q2&min_total_assets=${most}`
  await both.same(t, [`/api/v1/screeners/panel/?format=csv&${largest}`])
  t.equal(history.panels.read, read)
  // a year of all columns is more than may be in memory
  const narrow = await keep(t, folder, { limits: { whole: 4096 } })
  await narrow.both.same(t, texts)
  t.equal(narrow.history.panels.read, 0)
})

t.test(
  'a year that is lost once the answer has begun cuts it: nobody takes a part for the whole',
  async (t) => {
    const own = await copied(t, folder)
    const { published, both, history } = await keep(t, own)
    await truncate(join(own, spelled.at(-1)!), 0)
    serve({ ...published, resident: both.watched })
    await t.rejects(Promise.resolve(app.inject(texts[0]!)), /destroyed/)
    await history.idle()
    await both.same(t, texts)
  },
)
