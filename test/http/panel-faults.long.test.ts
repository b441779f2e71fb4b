// What becomes of panels out of files: files that are torn, lost or of another version, other tags than the engine's, and
// clients that leave or pause.
import { once } from 'node:events'
import { copyFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tableFromIPC } from 'apache-arrow'
import t, { type Test } from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import type { HistoryOptions } from '../../server/resident/history/history.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { BothWays } from '../helpers/both-ways.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { inodesOf, keepHistory } from '../helpers/kept-history.ts'

const served = await build(t)
const { app, engine, serve } = served
const everything = banks.metrics.filter(({ tier }) => !tier).map(({ key }) => key)
const wide = everything.slice(0, 100)
const panel = '/api/v1/screeners/panel/?format=arrow&metrics='
const keep = (t: Test, folder: string, options?: Partial<HistoryOptions>) =>
  keepHistory(t, served, folder, options)

const folder = await temporaryFolder(t)
const kept = await keep(t, folder)
const isOfColumns = (name: string): boolean => name.startsWith('bank_quarters')
const names = (await readdir(folder)).filter(isOfColumns)

/** A folder with the same files. */
async function copied(t: Test): Promise<string> {
  const own = await temporaryFolder(t)
  for (const name of await readdir(folder)) await copyFile(join(folder, name), join(own, name))
  return own
}

const changed =
  (place: (size: number) => number) =>
  async (path: string): Promise<void> => {
    const bytes = await readFile(path)
    bytes[place(bytes.length)]! ^= 1
    await writeFile(path, bytes)
  }

t.test('there is a file for each year', (t) => {
  t.strictSame(
    names.map((name) => name.split('-')[1]),
    ['2024', '2025', '2026'],
  )
  t.end()
})

const spoilt: Record<string, (path: string, other: string) => Promise<unknown>> = {
  'cut short': async (path) => truncate(path, (await readFile(path)).length - 4096),
  'all but empty': (path) => truncate(path, 10),
  'another byte in the index': changed((size) => size - 200),
  'another byte in the numbers of institutions': changed(() => 100),
  'another file': (path, other) => copyFile(other, path),
}
for (const [what, spoil] of Object.entries(spoilt)) {
  t.test(`${what}: it is made anew`, async (t) => {
    const own = await copied(t)
    await spoil(join(own, names[1]!), join(own, names[2]!))
    const { both, lines } = await keep(t, own)
    await both.same(t, [`${panel}roa,nim`, `${panel}${wide}`])
    t.strictSame(lines(), [
      'a file of the history is wrong: it is written anew',
      'a file of the history was written',
    ])
    t.strictSame(
      await readFile(join(own, names[1]!)),
      await readFile(join(folder, names[1]!)),
      'the same bytes',
    )
  })
}

t.test(
  'values that are others: the engine answers, with its own tag, and the file is made anew',
  async (t) => {
    const own = await copied(t)
    // in the middle of the metrics: nothing looks at it before it is asked for
    await changed((size) => Math.floor(size / 2))(join(own, names[1]!))
    const { published, both, history, lines } = await keep(t, own)
    t.strictSame(lines(), [])
    serve({ ...published, resident: both.none })
    const all = everything.join(',')
    const expected = await app.inject(panel + all)
    serve({ ...published, resident: both.watched })
    const answers = await Promise.all([1, 2, 3].map(() => app.inject(panel + all)))
    for (const { statusCode, headers, rawPayload } of answers) {
      t.equal(statusCode, 200)
      t.equal(headers.etag, expected.headers.etag)
      t.strictSame(rawPayload, expected.rawPayload)
    }
    t.ok(history.panels.lost >= 1)
    await history.idle()
    t.strictSame(lines(), [
      'a file of the history cannot be read: the engine is asked',
      'a file of the history was written',
    ])
    await both.same(t, [panel + all])
  },
)

t.test('a file that was emptied: so does a HEAD, and a range', async (t) => {
  for (const request of [
    { method: 'HEAD' as const, headers: {} },
    { method: 'GET' as const, headers: { range: 'bytes=100-199' } },
  ]) {
    const own = await copied(t)
    const { published, both, history } = await keep(t, own)
    await truncate(join(own, names[1]!), 0)
    serve({ ...published, resident: both.none })
    const expected = await app.inject({ ...request, url: `${panel}${wide}` })
    serve({ ...published, resident: both.watched })
    const { statusCode, headers, rawPayload } = await app.inject({ ...request, url: `${panel}${wide}` })
    t.equal(statusCode, expected.statusCode)
    t.equal(headers.etag, expected.headers.etag)
    t.strictSame(rawPayload, expected.rawPayload)
    t.equal(history.panels.lost, 1)
    await history.idle()
  }
})

t.test('its bytes have a tag and a place in the cache of their own', async (t) => {
  const { published, both } = kept
  let files = false
  const { watched } = both
  serve({
    ...published,
    resident: { ...watched, panel: (selection) => (files ? watched.panel(selection) : undefined) },
  })
  // one answer each time, in other words: what a text led to before is not looked for anew
  const spellings = ['TX,CA,IA', 'CA,TX,IA', 'IA,TX,CA', 'IA,CA,TX', 'CA,IA,TX', 'TX,IA,CA'].values()
  const ask = (headers: Record<string, string> = {}) =>
    app.inject({ url: `${panel}${everything.slice(30, 50)}&state=${spellings.next().value}`, headers })
  const engines = await ask()
  files = true
  const own = await ask()
  t.not(own.headers.etag, engines.headers.etag)
  t.notSame(own.rawPayload, engines.rawPayload)
  const tag = String(own.headers.etag)
  const range = { range: 'bytes=100-1099', 'if-range': tag }
  t.strictSame((await ask(range)).rawPayload, own.rawPayload.subarray(100, 1100))
  t.equal((await ask({ 'if-none-match': tag })).statusCode, 304)
  files = false
  const other = await ask({ 'if-none-match': tag })
  t.equal(other.statusCode, 200)
  t.equal(other.headers.etag, engines.headers.etag)
  t.equal((await ask(range)).statusCode, 200, 'a range of other bytes is the whole')
})

t.test('what it does not hold is left to the engine', async (t) => {
  const { published, both } = kept
  serve({ ...published, resident: both.watched })
  const before = both.used
  for (const query of [
    'format=arrow&metrics=roa&limit=3',
    'format=arrow&metrics=roa&sort=-roa',
    'format=arrow&metrics=roa&sort=-report_date,rssd_id',
    'format=json&metrics=roa,texas_ratio&state=TX',
    'format=parquet&metrics=roa&state=TX',
  ])
    t.equal((await app.inject(`/api/v1/screeners/panel/?${query}`)).statusCode, 200, query)
  t.equal(both.used, before)
  // room for all files of rows, and for columns of the last year or two
  const sizes = await engine.rows<{ mib: number }>({
    database: kept.published.publication.database,
    sql: universes
      .map(
        ({ tables, metrics }) =>
          `SELECT count() * ${(metrics.length + 2) * 11} / 1048576 AS mib FROM ${tables.rows}`,
      )
      .join(' UNION ALL '),
  })
  const few = await keep(t, await temporaryFolder(t), { mib: sizes.reduce((sum, { mib }) => sum + mib, 2.5) })
  await few.both.same(t, [`${panel}roa&from=2026Q1`])
  serve({ ...few.published, resident: few.both.watched })
  const used = few.both.used
  t.equal((await app.inject(`${panel}roa`)).statusCode, 200)
  t.equal(few.both.used, used, 'the engine was asked for earlier years')
})

t.test('a client that leaves or pauses holds nothing up', async (t) => {
  const slow = await keep(t, folder, { limits: { oneBatch: 1, batch: 20, whole: 1 } })
  serve({ ...slow.published, resident: slow.both.watched })
  const url = new URL(await served.listen())
  const ask = async () => {
    const socket = connect(Number(url.port), url.hostname)
    await once(socket, 'connect')
    socket.write(
      `GET ${panel}${everything} HTTP/1.1\r\nHost: test\r\nAuthorization: ${served.headers.authorization}\r\nConnection: close\r\n\r\n`,
    )
    await once(socket, 'readable')
    return socket
  }
  const files = [...(await inodesOf(folder)).keys()].filter(isOfColumns)
  const paused = await ask()
  const left = await ask()
  left.destroy()
  await sleep(200)
  // another version is taken while it is being sent: its files are read to the end
  const { history } = slow
  const empty = { look: async () => [] }
  await history.take(empty)
  t.strictSame(
    [...(await inodesOf(folder)).keys()].filter((name) => files.includes(name)),
    [],
    'they are gone',
  )
  const chunks: Buffer[] = []
  for await (const chunk of paused) chunks.push(chunk as Buffer)
  const answer = Buffer.concat(chunks)
  const body = unchunked(answer.subarray(answer.indexOf('\r\n\r\n') + 4))
  serve({ ...slow.published, resident: slow.both.none })
  const expected = tableFromIPC((await app.inject(`${panel}${everything}`)).rawPayload)
  const table = tableFromIPC(body)
  t.equal(table.numRows, expected.numRows)
  t.strictSame([...table.getChild('overall_score')!], [...expected.getChild('overall_score')!])
})

t.test('a publish writes the year that it changed', async (t) => {
  const own = await temporaryFolder(t)
  const { history } = await keep(t, own)
  const files = await inodesOf(own)
  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  await build.client.command({
    query: `ALTER TABLE bank_quarters DELETE WHERE report_date = '2025-06-30' AND hq_state = 'TX'`,
  })
  await build.publish()
  const next = await readPublished(engine, (await currentPublication(engine))!, universes, history)
  await next.resident.warm()
  const now = await inodesOf(own)
  const gone = [...files.keys()].filter((name) => !now.has(name))
  const made = [...now.keys()].filter((name) => !files.has(name))
  t.strictSame([gone.length, made.length], [1, 1])
  t.ok(
    gone[0]?.startsWith('bank_quarters-2025-') && made[0]?.startsWith('bank_quarters-2025-'),
    `${gone} ${made}`,
  )
  for (const [name, inode] of now) if (files.has(name)) t.equal(inode, files.get(name), name)
  const both = new BothWays({ app, serve }, next)
  await both.same(t, [`${panel}roa,nim`, `${panel}${wide}&from=2025Q2&to=2025Q3`])
})

t.test('more rows than a batch of the engine', async (t) => {
  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  for (const quarter of ['2024-12-31', '2025-12-31', '2026-03-31'])
    await build.client.command({
      query: `INSERT INTO bank_quarters SELECT * REPLACE (toUInt32(rssd_id + 10000000 * (1 + more)) AS rssd_id)
        FROM bank_quarters ARRAY JOIN range(180) AS more WHERE report_date = '${quarter}'`,
    })
  await build.publish()
  const { published, both } = await keep(t, await temporaryFolder(t))
  for (const query of ['roa,nim,asset_growth_3y', `${wide.slice(0, 30)}&min_total_assets=300000`]) {
    const [own, engines] = [both.watched, both.none].map(async (resident) => {
      serve({ ...published, resident })
      return tableFromIPC((await app.inject(panel + query)).rawPayload)
    })
    const [mine, other] = [await own!, await engines!]
    t.ok(
      mine.numRows === other.numRows && (mine.numRows > 65_409 || query !== 'roa,nim,asset_growth_3y'),
      `${mine.numRows} rows`,
    )
    t.strictSame(
      mine.schema.fields.map(({ name, type, nullable, metadata }) => [
        name,
        String(type),
        nullable,
        ...metadata,
      ]),
      other.schema.fields.map(({ name, type, nullable, metadata }) => [
        name,
        String(type),
        nullable,
        ...metadata,
      ]),
    )
    for (const { name } of mine.schema.fields) {
      const [left, right] = [[...mine.getChild(name)!], [...other.getChild(name)!]]
      t.equal(
        left.findIndex((value, n) => String(value) !== String(right[n])),
        -1,
        name,
      )
    }
  }
})

/** A body without the marks of its chunks. */
function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (size === 0) return Buffer.concat(parts)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
}
