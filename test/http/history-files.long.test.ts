// What a publish does to the files of the history on the disk: those that changed are written, those of no version go, and
// older years share one.
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { figure } from '../../server/catalog/columns.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import type { Selection } from '../../server/query/selection.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { BothWays } from '../helpers/both-ways.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { inodesOf, keepHistory } from '../helpers/kept-history.ts'

const served = await build(t)
const { app, engine, serve, published: first } = served
const headline = new Set<string>(banks.headline)
// what only some plans see is not kept for all
const others = banks.metrics.filter(({ key, tier }) => !tier && !headline.has(key)).map(({ key }) => key)
const ids = await engine.rows<{ id: number }>({
  database: first.publication.database,
  sql: 'SELECT DISTINCT rssd_id AS id FROM bank_rows ORDER BY id',
})
const [some, other] = [ids[7]!.id, ids[8]!.id]
const series = (id: number, query: string) => `/api/v1/banks/${id}/trends/?${query}`
const lacking = series(some, 'metrics=texas_ratio,roa')

t.test('a publish writes the years that it changed, and removes what no version has', async (t) => {
  const own = await temporaryFolder(t)
  const { both: before, history } = await keepHistory(t, served, own)
  const files = await inodesOf(own)
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
  const now = await inodesOf(own)
  const gone = [...files.keys()].filter((name) => !now.has(name))
  const made = [...now.keys()].filter((name) => !files.has(name))
  t.strictSame([gone.length, made.length], [1, 1])
  t.ok(gone[0]?.startsWith('bank_rows-675-') && made[0]?.startsWith('bank_rows-675-'), `${gone} ${made}`)
  for (const [name, inode] of now) if (files.has(name)) t.equal(inode, files.get(name), name)
  const both = new BothWays({ app, serve }, next)
  await both.same(t, [lacking, series(other, 'metrics=texas_ratio')])
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
  const { published, both, history } = await keepHistory(t, served, own)
  const files = [...(await inodesOf(own)).keys()].filter((name) => name.startsWith('bank_rows'))
  t.strictSame(
    files.map((name) => name.split('-')[1]),
    ['670', '675'],
    'those of 2010 to 2024 and those since 2025',
  )
  const ten = `metrics=${others.slice(0, 10)}`
  const windows = [
    '',
    '&from=2011Q1&to=2012Q2',
    '&from=2016Q1',
    '&to=2020Q4&sort=-report_date',
    '&quarters=3',
  ]
  await both.same(
    t,
    [some, other].flatMap((id) => windows.map((window) => series(id, `${ten}${window}`))),
  )
  serve({ ...published, resident: both.watched })
  const before = history.series.read
  const quarters = (await app.inject(lacking))
    .json()
    .data.map((row: { report_date: string }) => row.report_date)
  t.equal(history.series.read, before + 1)
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
