// A series that is read of the history on the disk is, byte for byte, the one that the engine would have written; and what
// becomes of its files: kept over publishes, torn, lost, without room.
import {
  appendFile,
  copyFile,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { figure } from '../../server/catalog/columns.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { type Published, readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import type { Selection } from '../../server/query/selection.ts'
import { History, type HistoryOptions } from '../../server/resident/history/history.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { BothWays } from '../helpers/both-ways.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'

const { app, engine, serve, published: first } = await build(t)
const { database } = first.publication
const api = '/api/v1'
const [banks, unions, companies] = universes as [...typeof universes, never, never, never]
const formats = ['json', 'ndjson', 'columns', 'csv']
const headline = new Set<string>(banks.headline)
// what only some plans see is not kept for all
const others = banks.metrics.filter(({ key, tier }) => !tier && !headline.has(key)).map(({ key }) => key)

interface Kept {
  readonly published: Published
  readonly history: History
  readonly both: BothWays
  readonly lines: () => (string | undefined)[]
}

/** Takes up what is published now with a history in a folder, and waits until its files are there. */
async function keep(t: Test, folder: string, options: Partial<HistoryOptions> = {}): Promise<Kept> {
  const log = memoryLog()
  const history = new History({ folder, mib: 1024, writes: true, log, ...options })
  t.teardown(() => history.close())
  const published = await readPublished(engine, (await currentPublication(engine))!, universes, history)
  await published.resident.warm()
  const both = new BothWays({ app, serve }, published)
  return { published, history, both, lines: () => log.lines.map(({ message }) => message) }
}

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

/** The files of a folder by name, with what tells whether one was written again. */
async function filesOf(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).sort()
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  )
}

const folder = await temporaryFolder(t)
const kept = await keep(t, folder)
const { both, history } = kept

t.test('every bank and every quarter, ten metrics that memory does not hold', async (t) => {
  const urls = bankIds.map((id, n) => {
    const metrics = Array.from({ length: 10 }, (_, at) => others[(n * 10 + at) % others.length])
    return series(id, `metrics=${metrics}`)
  })
  await both.same(t, urls)
  t.equal(history.counts.read, urls.length)
  t.equal(history.counts.lost, 0)
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
  const before = history.counts.read
  for (const url of [
    `${lacking}&format=parquet`,
    `${lacking}&format=arrow`,
    `${api}/screeners/panel/?metrics=texas_ratio&limit=3`,
    `${api}/banks/${some}/?as_of=2026Q1`,
  ])
    t.equal((await app.inject(url)).statusCode, 200, url)
  t.equal(history.counts.read, before)
})

t.test('files are used again, by another process too', async (t) => {
  const before = await filesOf(folder)
  t.ok(before.size >= 6, `${[...before.keys()]}`)
  const again = await keep(t, folder)
  const reader = await keep(t, folder, { writes: false })
  t.strictSame(await filesOf(folder), before)
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
  'another byte after the rows': async (path) => {
    const bytes = await readFile(path)
    bytes[bytes.length - 200]! ^= 1
    await writeFile(path, bytes)
  },
  'with more at the end': (path) => appendFile(path, 'and so on'),
  'another file': (path, other) => copyFile(other, path),
  gone: (path) => rm(path),
}
for (const [what, spoil] of Object.entries(spoilt)) {
  t.test(`${what}: it is made anew`, async (t) => {
    const own = await temporaryFolder(t)
    for (const name of await readdir(folder)) await copyFile(join(folder, name), join(own, name))
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

t.test(
  'a file that fails while it is read: the engine answers, one line says it, and it is made anew',
  async (t) => {
    const own = await temporaryFolder(t)
    const { published, both, history, lines } = await keep(t, own)
    const name = (await readdir(own)).find((name) => name.startsWith('bank_rows'))!
    await truncate(join(own, name), 0)
    const written = lines().length
    const urls = [1, 2, 3].map((n) => series(bankIds[n]!, 'metrics=texas_ratio'))
    serve({ ...published, resident: both.none })
    const expected: string[] = []
    for (const url of urls) expected.push((await app.inject(`${url}&format=csv`)).body)
    serve({ ...published, resident: both.watched })
    const answers = await Promise.all(urls.map((url) => app.inject(`${url}&format=csv`)))
    t.strictSame(
      answers.map(({ statusCode, body }) => [statusCode, body]),
      expected.map((body) => [200, body]),
    )
    t.ok(history.counts.lost >= 1)
    await history.idle()
    t.strictSame(lines().slice(written), [
      'a file of the history cannot be read: the engine is asked',
      'a file of the history was written',
    ])
    await both.same(t, [lacking])
  },
)

t.test('where no file can be written, the engine answers', async (t) => {
  const file = join(await temporaryFolder(t), 'file')
  await writeFile(file, '')
  const { published, history, lines } = await keep(t, join(file, 'history'))
  serve(published)
  t.equal((await app.inject(lacking)).statusCode, 200)
  t.strictSame(history.counts, { read: 0, lost: 0 })
  t.strictSame(lines(), ['the history was not looked at: the engine is asked'])
})

t.test('what there is no room for is left to the engine', async (t) => {
  // the latest years of banks take 5.1 MiB, those before 2.5
  const few = await keep(t, await temporaryFolder(t), { mib: 6 })
  const recent = series(some, 'metrics=texas_ratio&from=2025Q1')
  await few.both.same(t, [recent])
  serve({ ...few.published, resident: few.both.watched })
  const before = few.history.counts.read
  t.equal((await app.inject(lacking)).statusCode, 200)
  t.equal(few.history.counts.read, before, 'the engine was asked for earlier years')
})

t.test('a publish writes the years that it changed, and removes what no version has', async (t) => {
  const own = await temporaryFolder(t)
  const { both: before, history } = await keep(t, own)
  const files = await filesOf(own)
  const unfinished = join(own, 'something.new')
  await writeFile(unfinished, 'left by a process that was killed')
  const long = new Date(Date.now() - 3_600_000)
  const handle = await open(unfinished)
  await handle.utimes(long, long)
  await handle.close()

  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  await build.client.command({
    query: `ALTER TABLE bank_rows DELETE WHERE rssd_id = ${some} AND report_date = '2026-03-31'`,
  })
  await build.publish()
  const next = await readPublished(engine, (await currentPublication(engine))!, universes, history)
  await next.resident.warm()
  const now = await filesOf(own)
  const gone = [...files.keys()].filter((name) => !now.has(name))
  const made = [...now.keys()].filter((name) => !files.has(name))
  t.strictSame([gone.length, made.length], [1, 1])
  t.ok(gone[0]?.startsWith('bank_rows-675-') && made[0]?.startsWith('bank_rows-675-'), `${gone} ${made}`)
  for (const [name, inode] of now) if (files.has(name)) t.equal(inode, files.get(name), name)
  const both = new BothWays({ app, serve }, next)
  await both.same(t, [lacking, series(bankIds[8]!, 'metrics=texas_ratio')])
  serve({ ...next, resident: both.watched })
  t.equal((await app.inject(lacking)).json().data.length, 8, 'of nine quarters')
  t.equal(
    before.watched.holding(selection),
    undefined,
    'a request of the version before is left to the engine',
  )
})

t.test('the newest years have a file, and all those before share one', async (t) => {
  const own = await temporaryFolder(t)
  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  await build.client.command({
    query: `INSERT INTO bank_rows SELECT * REPLACE (toLastDayOfMonth(subtractYears(report_date, earlier)) AS report_date)
      FROM bank_rows ARRAY JOIN [4, 9, 14] AS earlier`,
  })
  await build.publish()
  const { published, both, history } = await keep(t, own)
  const files = [...(await filesOf(own)).keys()].filter((name) => name.startsWith('bank_rows'))
  t.strictSame(
    files.map((name) => name.split('-')[1]),
    ['670', '675'],
    'those of 2010 to 2024 and those since 2025',
  )
  const ten = `metrics=${others.slice(0, 10)}`
  const windows = ['', '&from=2011Q1&to=2012Q2', '&from=2016Q1', '&to=2020Q4&sort=-report_date', '&quarters=3']
  await both.same(
    t,
    [some, bankIds[8]!].flatMap((id) => windows.map((window) => series(id, `${ten}${window}`))),
  )
  serve({ ...published, resident: both.watched })
  const before = history.counts.read
  const quarters = (await app.inject(lacking)).json().data.map((row: { report_date: string }) => row.report_date)
  t.equal(history.counts.read, before + 1)
  t.strictSame(quarters, [...quarters].sort())
  t.equal(quarters.length, 4 * 8, 'eight quarters, and those 4, 9 and 14 years before')
})

const selection: Selection = {
  relation: 'bank_rows',
  columns: [figure('texas_ratio', 'Texas ratio')],
  tests: [{ column: 'rssd_id', operator: '=', value: some }],
  order: [],
  limit: undefined,
  offset: 0,
}
