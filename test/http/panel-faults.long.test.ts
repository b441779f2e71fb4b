// What becomes of panels out of files: files that are torn, lost or slow, other tags than the engine's, and clients that leave
// or pause.
import { once } from 'node:events'
import fs from 'node:fs'
import { copyFile, readdir, readFile, truncate } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tableFromIPC } from 'apache-arrow'
import t, { type Test } from 'tap'
import { figure } from '../../server/catalog/columns.ts'
import { ColumnFile } from '../../server/resident/history/column-file.ts'
import type { HistoryOptions } from '../../server/resident/history/history.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { changed, copied, inodesOf, keepHistory } from '../helpers/kept-history.ts'

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
    const own = await copied(t, folder)
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
    const own = await copied(t, folder)
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
    const own = await copied(t, folder)
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
    resident: { ...watched, panel: (...asked) => (files ? watched.panel(...asked) : undefined) },
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
    'format=json&metrics=roa&limit=3',
    'format=columns&metrics=roa&state=TX',
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

t.test('a disk that is slow is read by threads', async (t) => {
  const own = await copied(t, folder)
  const { both } = await keep(t, own)
  const { readSync } = fs
  const { resourceUsage } = process
  t.teardown(() => {
    Object.assign(fs, { readSync })
    process.resourceUsage = resourceUsage
    syncBuiltinESMExports()
  })
  let atOnce = 0
  Object.assign(fs, {
    readSync: (...of: Parameters<typeof readSync>) => {
      atOnce++
      for (const began = performance.now(); performance.now() - began < 3; );
      return readSync(...of)
    },
  })
  let fromDisk = 0
  process.resourceUsage = () => ({ ...resourceUsage.call(process), fsRead: ++fromDisk })
  syncBuiltinESMExports()
  const few = everything.slice(200, 240)
  await both.same(t, [`${panel}${few}`, `${panel}${few}&state=TX,CA&min_total_assets=300000&charter=N,SM`])
  t.ok(atOnce > 0 && atOnce < 20, `${atOnce} reads at once, of some hundred`)
})

t.test('what nobody takes is not read', async (t) => {
  const { published } = await keep(t, folder, { limits: { oneBatch: 1, batch: 20 } })
  const asked = {
    relation: 'bank_quarters',
    columns: [figure('roa', 'ROA'), figure('nim', 'NIM')],
    tests: [],
    order: ['report_date', 'rssd_id'].map((column) => ({ column, descending: false })),
    limit: undefined,
    offset: 0,
  }
  const panel = published.resident.panel(asked, 'arrow')!
  const opened = panel.open()
  await opened.choose(new AbortController().signal)
  let reads = 0
  const { read } = ColumnFile.prototype
  t.teardown(() => Object.assign(ColumnFile.prototype, { read }))
  ColumnFile.prototype.read = function (...of) {
    reads++
    return read.apply(this, of)
  }
  const chunks = opened.arrow({})
  await chunks.next()
  await sleep(50)
  t.equal(reads, 2, 'one batch of two columns')
  await chunks.return(undefined)
  opened.close()
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
