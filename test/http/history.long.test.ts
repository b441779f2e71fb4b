// A series that is read of the history on the disk is, byte for byte, the one that the engine would have written; and what
// becomes of its files: used again, torn, lost, without room.
import { appendFile, copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { HistoryOptions } from '../../server/resident/history/history.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { changed, copied, inodesOf, keepHistory } from '../helpers/kept-history.ts'

const { app, engine, serve, published: first } = await build(t)
const { database } = first.publication
const api = '/api/v1'
const [banks, unions, companies] = universes as [...typeof universes, never, never, never]
const formats = ['json', 'ndjson', 'columns', 'csv']
const headline = new Set<string>(banks.headline)
// what only some plans see is not kept for all
const others = banks.metrics.filter(({ key, tier }) => !tier && !headline.has(key)).map(({ key }) => key)

type Kept = Awaited<ReturnType<typeof keepHistory>>
const keep = (t: Test, folder: string, options?: Partial<HistoryOptions>) =>
  keepHistory(t, { app, engine, serve }, folder, options)

const idsOf = async (table: string, id: string): Promise<number[]> =>
  (
    await engine.rows<{ id: number }>({
      database,
      sql: `SELECT DISTINCT ${id} AS id FROM ${table} ORDER BY id`,
    })
  ).map(({ id }) => id)
const bankIds = await idsOf('bank_rows', 'rssd_id')
const some = bankIds[7]!
const series = (id: number, query: string) => `${api}/banks/${id}/trends/?${query}`
const lacking = series(some, 'metrics=texas_ratio,roa')

const folder = await temporaryFolder(t)
const kept = await keep(t, folder)
const { both, history } = kept

t.test('every bank and every quarter, ten metrics that memory does not hold', async (t) => {
  const urls = bankIds.map((id, n) => {
    const metrics = Array.from({ length: 10 }, (_, at) => others[(n * 10 + at) % others.length])
    return series(id, `metrics=${metrics}`)
  })
  await both.same(t, urls)
  t.equal(history.series.read, urls.length)
  t.equal(history.series.lost, 0)
})

t.test('every metric of some banks, in each format', async (t) => {
  const all = banks.metrics.filter(({ tier }) => !tier).map(({ key }) => key)
  const urls = bankIds
    .filter((_, n) => n % 10 === 0)
    .flatMap((id) => formats.map((format) => series(id, `metrics=${all}&format=${format}`)))
  await both.same(t, urls)
})

t.test('selections', (t) => {
  const metrics = `metrics=${others.slice(0, 4)},roa`
  const queries = [
    metrics,
    `${metrics}&quarters=3`,
    `${metrics}&from=2025Q1&to=2025-12-31`,
    `${metrics}&to=2024Q4`,
    `${metrics}&from=2030Q1`,
    `${metrics}&sort=-${others[1]},report_date&limit=3`,
    `${metrics}&sort=${others[0]}`,
    `fields=report_date,${others[9]},nim`,
    `fields=${others[5]}`,
  ]
  return both.same(
    t,
    formats.flatMap((format) => queries.map((query) => series(some, `${query}&format=${format}`))),
  )
})

t.test('the other universes', async (t) => {
  const unionIds = await idsOf(unions.tables.rows, unions.id)
  const companyIds = await idsOf(companies.tables.rows, companies.id)
  const few = (of: typeof unions, n: number) =>
    Array.from({ length: 10 }, (_, at) => of.metrics[(n * 10 + at) % of.metrics.length]!.key)
  await both.same(t, [
    ...unionIds.map((id) => `${api}/cus/${id}/trends/`),
    ...unionIds.map((id, n) => `${api}/cus/${id}/trends/?metrics=${few(unions, n)}&format=csv`),
    ...companyIds.map((id, n) => `${api}/holding-companies/${id}/trends/?metrics=${few(companies, n)}`),
  ])
})

t.test('what it does not hold, and formats with other bytes, are left to the engine', async (t) => {
  serve({ ...kept.published, resident: both.watched })
  const before = history.series.read
  for (const url of [
    `${lacking}&format=parquet`,
    `${lacking}&format=arrow`,
    `${api}/screeners/panel/?metrics=texas_ratio&limit=3`,
    `${api}/banks/${some}/?as_of=2026Q1`,
  ])
    t.equal((await app.inject(url)).statusCode, 200, url)
  t.equal(history.series.read, before)
})

t.test('files are used again, by another process too', async (t) => {
  const before = await inodesOf(folder)
  t.ok(before.size >= 6, `${[...before.keys()]}`)
  const again = await keep(t, folder)
  const reader = await keep(t, folder, { writes: false })
  t.strictSame(await inodesOf(folder), before)
  t.strictSame([...again.lines(), ...reader.lines()], [], 'nothing was written')
  for (const one of [again, reader]) await one.both.same(t, [lacking])
})

t.test('a process that does not write waits for the one that does', async (t) => {
  const shared = await temporaryFolder(t)
  const waiting = keep(t, shared, { writes: false })
  await keep(t, shared)
  await (await waiting).both.same(t, [lacking])
})

/** What spoils a file that nobody has open. */
const spoilt: Record<string, (path: string, other: string) => Promise<unknown>> = {
  'cut short': async (path) => truncate(path, (await stat(path)).size - 4096),
  'all but empty': (path) => truncate(path, 10),
  'another byte after the rows': changed((size) => size - 200),
  'with more at the end': (path) => appendFile(path, 'and so on'),
  'another file': (path, other) => copyFile(other, path),
  gone: (path) => rm(path),
}
for (const [what, spoil] of Object.entries(spoilt)) {
  t.test(`${what}: it is made anew`, async (t) => {
    const own = await copied(t, folder)
    const names = (await readdir(own)).filter((name) => name.startsWith('bank_rows'))
    await spoil(join(own, names[0]!), join(own, names[1]!))
    const { both, lines } = await keep(t, own)
    await both.same(t, [lacking, series(bankIds[3]!, `metrics=${others.slice(20, 30)}`)])
    t.strictSame(lines(), [
      ...(what === 'gone' ? [] : ['a file of the history is wrong: it is written anew']),
      'a file of the history was written',
    ])
    const made = (name: string) => readFile(join(own, name))
    t.strictSame(await made(names[0]!), await readFile(join(folder, names[0]!)), 'with the same bytes')
  })
}

/** Whoever answers, the bytes are the engine's. */
async function sameAsEngine(
  t: Test,
  published: Kept['published'],
  both: Kept['both'],
  urls: readonly string[],
) {
  serve({ ...published, resident: both.none })
  const expected: string[] = []
  for (const url of urls) expected.push((await app.inject(`${url}&format=csv`)).body)
  serve({ ...published, resident: both.watched })
  const answers = await Promise.all(urls.map((url) => app.inject(`${url}&format=csv`)))
  t.strictSame(
    answers.map(({ statusCode, body }) => [statusCode, body]),
    expected.map((body) => [200, body]),
  )
}

t.test(
  'a file that fails while it is read: the engine answers, one line says it, and it is made anew',
  async (t) => {
    const own = await temporaryFolder(t)
    const { published, both, history, lines } = await keep(t, own)
    const name = (await readdir(own)).find((name) => name.startsWith('bank_rows'))!
    await truncate(join(own, name), 0)
    const written = lines().length
    const urls = [1, 2, 3].map((n) => series(bankIds[n]!, 'metrics=texas_ratio'))
    await sameAsEngine(t, published, both, urls)
    t.ok(history.series.lost >= 1)
    await history.idle()
    t.strictSame(lines().slice(written), [
      'a file of the history cannot be read: the engine is asked',
      'a file of the history was written',
    ])
    await both.same(t, [lacking])
  },
)

t.test(
  'a byte that changed among the values of an institution: the engine answers, and it is made anew',
  async (t) => {
    const own = await copied(t, folder)
    for (const name of (await readdir(own)).filter((name) => name.startsWith('bank_rows'))) {
      const bytes = await readFile(join(own, name))
      // the first institution's head, and in the other half of the file values
      bytes[8]! ^= 1
      for (let at = bytes.length >> 1; at < bytes.length - 4096; at += 3000) bytes[at]! ^= 1
      await writeFile(join(own, name), bytes)
    }
    const { published, both, history, lines } = await keep(t, own)
    t.strictSame(lines(), [], 'the index is whole')
    const urls = [bankIds[0]!, bankIds.at(-2)!].map((id) => series(id, `metrics=${others.slice(0, 60)}`))
    // of one file and then of the next
    for (let turn = 0; turn < 2; turn++) {
      await sameAsEngine(t, published, both, urls)
      await history.idle()
    }
    t.strictSame(lines(), [
      ...['a file of the history cannot be read: the engine is asked', 'a file of the history was written'],
      ...['a file of the history cannot be read: the engine is asked', 'a file of the history was written'],
    ])
    await both.same(t, urls)
  },
)

t.test('where no file can be written, the engine answers', async (t) => {
  const file = join(await temporaryFolder(t), 'file')
  await writeFile(file, '')
  const { published, history, lines } = await keep(t, join(file, 'history'))
  serve(published)
  t.equal((await app.inject(lacking)).statusCode, 200)
  t.strictSame(history.series, { read: 0, lost: 0 })
  t.strictSame(lines(), ['the history was not looked at: the engine is asked'])
})

t.test('what there is no room for is left to the engine', async (t) => {
  // the latest years of banks take 4 MiB, those before 2
  const few = await keep(t, await temporaryFolder(t), { mib: 5 })
  const recent = series(some, 'metrics=texas_ratio&from=2025Q1')
  await few.both.same(t, [recent])
  serve({ ...few.published, resident: few.both.watched })
  const before = few.history.series.read
  t.equal((await app.inject(lacking)).statusCode, 200)
  t.equal(few.history.series.read, before, 'the engine was asked for earlier years')
})
