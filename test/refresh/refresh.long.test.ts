// Sources are asked for what is new over real HTTP, and what changed is loaded into a real engine and published once.
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Source } from '../../loaders/lib/source.ts'
import { dryRun } from '../../loaders/refresh/dry-run.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { memoryLog } from '../helpers/engine.ts'
import type { Answer } from '../rates/replay.ts'
import { fetched, pathOf, refreshEngine, shelf } from './helpers.ts'

const PMMS = '/pmms/docs/PMMS_history.csv'
const LIST = '/bank-failures/download-data.csv'
const survey = (...weeks: string[]) =>
  `date,pmms30,pmms30p,pmms15\n${weeks.map((week) => `${week},6.15,,5.44\n`).join('')}`
const list = (...banks: string[]) =>
  `Bank Name,City,State,Cert,Acquiring Institution,Closing Date,Fund\n${banks.map((bank) => `${bank}\n`).join('')}`
const almena = 'Almena State Bank,Almena,KS,15426,Equity Bank,23-Oct-20,10538'
const failures = (ids: readonly number[], edition: string) =>
  JSON.stringify({
    meta: { total: ids.length, index: { createTimestamp: edition } },
    data: ids.map((ID) => ({
      data: {
        ...{ ID, CERT: 15426, NAME: 'Almena State Bank', CITYST: 'ALMENA, KS', FAILDATE: '10/23/2020' },
        ...{ RESTYPE: 'FAILURE', RESTYPE1: 'PA', CHCLASS1: 'NM', SAVR: 'DIF', FIN: 10538 },
        ...{ QBFASSET: 69_750, QBFDEP: 68_690, COST: 17_055 },
      },
    })),
  })

async function twoSources(t: Test) {
  const files = new Map<string, string>([
    [PMMS, survey('1/2/2026')],
    [LIST, list(almena)],
    ['/failures', failures([1, 2], '2026-01-03')],
  ])
  const answer = shelf(files)
  return { files, answer, ...(await refreshEngine(t, ['pmms', 'fdic-failures'], answer)) }
}

t.test('what is new of several sources is one publish; what did not change is not sent again', async (t) => {
  const { refresh, files, answer, published, state, rows } = await twoSources(t)
  const first = await refresh()
  t.match(first.sources, [
    { source: 'pmms', status: 'published', fetched: ['PMMS_history.csv'], failed: [] },
    { source: 'fdic-failures', status: 'published', fetched: ['banklist.csv', 'failures.json'], failed: [] },
  ])
  t.ok(first.dataVersion)
  t.equal(await published(), 1)
  t.strictSame(
    await rows(
      'SELECT toUInt32((SELECT count() FROM failed_banks)) AS banks, toUInt32((SELECT count() FROM failures)) AS all',
    ),
    [{ banks: 1, all: 2 }],
  )
  const before = await state('pmms')
  t.ok(before?.lastNew)
  t.equal(before?.lastFailed, null)

  answer.sent.length = 0
  const second = await refresh({ now: () => new Date('2026-02-01T00:00:00Z') })
  t.match(second.sources, [
    { status: 'unchanged', unchanged: 1 },
    { status: 'unchanged', unchanged: 2 },
  ])
  t.equal(second.dataVersion, null)
  t.equal(await published(), 1)
  t.match(
    answer.sent,
    [/^\/failures/],
    'of the pages only the first, which says that the edition is the same',
  )
  t.match(await state('pmms'), { lastAsked: '2026-02-01T00:00:00Z', lastNew: before!.lastNew })

  files.set(
    LIST,
    list(
      almena,
      'First City Bank of Florida,Fort Walton Beach,FL,16748,United Fidelity Bank,16-Oct-20,10537',
    ),
  )
  answer.sent.length = 0
  const third = await refresh()
  t.match(third.sources, [{ status: 'unchanged' }, { status: 'published', fetched: ['banklist.csv'] }])
  t.equal(await published(), 2)
  t.notOk(answer.sent.includes(PMMS))
  t.strictSame(await rows('SELECT toUInt32(count()) AS n FROM failed_banks'), [{ n: 2 }])
})

t.test('one source that fails stops no other, is written down, and tried again', async (t) => {
  const { refresh, files, state, published, url } = await twoSources(t)
  files.set(LIST, '<!DOCTYPE html><title>Moved</title>')
  const first = await refresh({ now: () => new Date('2026-01-01T00:00:00Z') })
  t.match(first.sources, [
    { source: 'pmms', status: 'published' },
    {
      source: 'fdic-failures',
      status: 'failed',
      failed: [{ name: 'banklist.csv', reason: /web page \(HTML\)/ }],
    },
  ])
  t.equal(await published(), 1, 'what is sound of it is served')
  t.match(await state('fdic-failures'), {
    failingSince: '2026-01-01T00:00:00Z',
    lastFailed: '2026-01-01T00:00:00Z',
    lastNew: '2026-01-01T00:00:00Z',
    lastFailure: /^banklist\.csv: banklist\.csv: this is a web page/,
  })

  files.delete(LIST)
  await refresh({ now: () => new Date('2026-01-02T00:00:00Z') })
  const later = await state('fdic-failures')
  t.equal(later?.failingSince, '2026-01-01T00:00:00Z', 'it goes on failing, for another reason')
  t.match(later?.lastFailure, /https:\/\/www\.fdic\.gov|answered 404/)
  t.notMatch(later?.lastFailure, url, 'where it is really fetched from concerns nobody else')

  files.set(LIST, list(almena))
  const third = await refresh({ now: () => new Date('2026-01-03T00:00:00Z') })
  t.match(third.sources[1], { status: 'published', failed: [] })
  t.match(await state('fdic-failures'), { failingSince: null, lastFailed: '2026-01-02T00:00:00Z' })
})

/** A source whose load meets a fault that is not the file's, after it changed something. */
const broken: Source = {
  ...{ key: 'broken', name: '', publisher: '', licence: '', address: '', what: '' },
  fetch: { base: 'http://127.0.0.1:1', addresses: () => [{ name: 'broken.txt', path: '/broken.txt' }] },
  discover: async (paths) => ({
    editions: paths.map(() => ({
      ...{ name: 'broken.txt', reportDate: null, bytes: 1, volume: 1 },
      sha256: async () => 'a'.repeat(64),
    })),
    ...{ refused: [], ignored: [] },
  }),
  load: async (_, { client }) => {
    await client.command({ query: 'TRUNCATE TABLE observations' })
    throw new Error('the engine fell over at 10.0.0.5')
  },
}

t.test('a source whose load breaks the build is left out of it', async (t) => {
  const files = new Map([
    [PMMS, survey('1/2/2026')],
    ['/broken.txt', 'x'],
  ])
  const { refresh, rows, published, notes, state } = await refreshEngine(
    t,
    ['pmms', broken],
    shelf(files),
    {},
  )
  const outcome = await refresh()
  t.match(outcome.sources, [
    { source: 'pmms', status: 'published' },
    { source: 'broken', status: 'failed', failed: [{ name: 'broken.txt' }] },
  ])
  t.equal(await published(), 1)
  t.strictSame(await rows("SELECT toUInt32(count()) AS n FROM observations WHERE series = 'PMMS_15Y'"), [
    { n: 1 },
  ])
  t.match(notes.join('\n'), /not loaded: broken\.txt: cannot be loaded: the engine fell over/)
  t.notMatch((await state('broken'))?.lastFailure, /10\.0\.0\.5/, 'which is nothing for the public')
})

t.test('what a restore took away is fetched as if it had never been', async (t) => {
  const { refresh, engine, answer, publishing } = await twoSources(t)
  await refresh()
  const build = await beginBuild(engine, { synthetic: false, empty: true, ...publishing }, memoryLog())
  await build.publish()
  answer.sent.length = 0
  const again = await refresh()
  t.match(again.sources, [{ status: 'published' }, { status: 'published' }])
  t.equal(answer.sent.length, 3)
})

t.test('a source that lacks a setting is not asked, and the others are', async (t) => {
  const { refresh, asked } = await refreshEngine(
    t,
    ['pmms', 'ubpr-formulas'],
    shelf(new Map([[PMMS, survey('1/2/2026')]])),
    {
      SOURCE_URL_UBPR_FORMULAS: '',
    },
  )
  const { sources } = await refresh()
  t.match(sources, [
    { status: 'published' },
    { status: 'not-asked', reason: 'SOURCE_URL_UBPR_FORMULAS is not set' },
  ])
  t.strictSame(asked, [PMMS])
})

t.test('of what is published by year only the open years are asked again', async (t) => {
  const answer: Answer = (request, response) => {
    const year = new URL(request.url!, 'http://x').searchParams.get('field_tdr_date_value')!
    if (year === '2026') return void response.writeHead(404).end()
    response.writeHead(200).end(`Date,"3 Mo","10 Yr"\n12/29/${year},1.25,2.50\n01/03/${year},1.00,2.00`)
  }
  const curve = 'daily_treasury_yield_curve'
  const { refresh, asked, engine } = await refreshEngine(t, ['treasury'], answer, {
    SOURCE_FROM_TREASURY: '2022',
  })
  const now = () => new Date('2026-01-02T00:00:00Z')
  const years = () =>
    asked.splice(0).flatMap((url) => (url.includes(`type=${curve}`) ? [/csv\/(\d+)/.exec(url)![1]] : []))
  await refresh({ now })
  t.strictSame(years(), ['2022', '2023', '2024', '2025', '2026'])
  const { sources } = await refresh({ now })
  t.strictSame(years(), ['2025', '2026'])
  t.match(sources, [{ status: 'unchanged', failed: [] }], 'a year without a table yet is no failure')

  const intended = (await dryRun(engine, [fetched('treasury')], now())).filter(({ name }) =>
    name.startsWith(curve),
  )
  t.equal(asked.length, 0, 'a dry run asks nobody')
  t.match(intended, [
    { name: `${curve}-2022.csv`, asks: false, why: /does not change/ },
    { asks: false },
    { asks: false },
    { name: `${curve}-2025.csv`, asks: true, why: /compared by its content/ },
    { name: `${curve}-2026.csv`, asks: true, why: 'was never loaded' },
  ])
})

t.test('two at once: the second waits, or says that one runs', async (t) => {
  const files = new Map([[PMMS, survey('1/2/2026')]])
  const inner = shelf(files)
  let [under, most] = [0, 0]
  const slow: Answer = (request, response) => {
    most = Math.max(most, ++under)
    setTimeout(() => {
      under -= 1
      inner(request, response)
    }, 100)
  }
  const { refresh, published } = await refreshEngine(t, ['pmms'], slow, {})
  const [one, other] = await Promise.all([refresh(), refresh()])
  t.strictSame([one.sources[0]!.status, other.sources[0]!.status].sort(), ['published', 'unchanged'])
  t.equal(most, 1)
  t.equal(await published(), 1)

  const impatient = await refreshEngine(t, ['pmms'], slow, { BUILD_WAIT_SECONDS: '0' })
  const ends = await Promise.allSettled([impatient.refresh(), impatient.refresh()])
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
  t.match(refused, [/Another refresh is running: a refresh, process \d+/])
})

t.test('stopped while it fetches: what had come is gone on with', async (t) => {
  const wanted = survey('1/2/2026').padEnd(200_000, '\n')
  const ranges: (string | undefined)[] = []
  const stop = new AbortController()
  const { refresh, published } = await refreshEngine(t, ['pmms'], (request, response) => {
    const { range } = request.headers
    ranges.push(range)
    if (range === undefined) {
      response.writeHead(200, { etag: '"v1"', 'content-length': String(wanted.length) })
      response.write(wanted.slice(0, 100_000))
      setTimeout(() => stop.abort(new Error('stopped')), 100)
      return
    }
    t.equal(request.headers['if-range'], '"v1"')
    const from = Number(/bytes=(\d+)-/.exec(range)![1])
    response.writeHead(206, {
      etag: '"v1"',
      'content-range': `bytes ${from}-${wanted.length - 1}/${wanted.length}`,
    })
    response.end(wanted.slice(from))
  })
  await t.rejects(refresh({ signal: stop.signal }), /stopped/)
  t.equal(await published(), 0)
  const again = await refresh()
  t.match(again.sources, [{ status: 'published', rowsKept: 1 }])
  t.match(ranges, [undefined, /^bytes=\d+-$/])
})

t.test('stopped while it loads: what is served stays, and the next one loads it', async (t) => {
  const { refresh, files, published, publishing, rows, state } = await twoSources(t)
  await refresh()
  const before = await state('pmms')
  files.set(PMMS, survey('1/2/2026', '1/9/2026'))
  const stop = new AbortController()
  const derive = async () => {
    stop.abort(new Error('stopped'))
    await wait(1)
  }
  await t.rejects(refresh({ signal: stop.signal, publishing: { ...publishing, derive } }), /stopped/)
  t.equal(await published(), 1)
  const count = () => rows("SELECT toUInt32(count()) AS n FROM observations WHERE series = 'PMMS_15Y'")
  t.strictSame(await count(), [{ n: 1 }])
  t.strictSame(await state('pmms'), before)
  t.match((await refresh()).sources, [{ status: 'published' }, { status: 'unchanged' }])
  t.strictSame(await count(), [{ n: 2 }])
})

t.test('a publisher that stands still holds up nobody for long', async (t) => {
  const files = shelf(new Map([[PMMS, survey('1/2/2026')]]))
  const answer: Answer = (request, response) => {
    if (pathOf(request) === PMMS) return files(request, response)
  }
  const { refresh, engine } = await refreshEngine(t, ['fred', 'pmms'], answer, { FETCH_TRIES: '1' })
  t.equal(engine.config.fetchIdleSeconds, 1)
  const { sources } = await refresh()
  t.match(sources, [
    { source: 'fred', status: 'failed' },
    { source: 'pmms', status: 'published' },
  ])
  t.equal(sources[0]!.failed.length, 3, 'after three of them the next ones are not tried')
})
