// Who exists: an institution that any source knows. One that filed nothing has empty answers, and who is unknown is 404.
import t from 'tap'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { formatsOf } from '../../server/formats/offered.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'

/** Failed in 1985: FDIC remembers the institution, and nobody has a report of it. */
const GONE = 4_000_001
/** A merger is all that is known of it. */
const MERGED = 4_000_002
const UNKNOWN = 4_000_003

/** What sources other than filings tell of the bank that is gone. */
const tellsOfGone = [
  'bank-fdic-demographics',
  'bank-structure',
  'bank-structure-full',
  'bank-events',
  'bank-profile',
]

t.test('who exists', async (t) => {
  const { app, engine, serve, newKey } = await build(t)
  const made = await beginBuild(engine, { synthetic: true, ...publishing }, memoryLog())
  await made.client.insert({
    table: 'fdic_institutions',
    format: 'JSONEachRow',
    values: [
      {
        report_date: '2025-12-31',
        cert: 99_001,
        rssd_id: GONE,
        name: 'Bank of 1985',
        city: 'Enid',
        state: 'OK',
      },
    ],
  })
  await made.client.insert({
    table: 'transformations',
    format: 'JSONEachRow',
    values: [{ predecessor_rssd_id: MERGED, successor_rssd_id: GONE, date: '1980-01-01', kind: 1 }],
  })
  await made.publish()
  const published = await readPublished(engine, (await currentPublication(engine))!)
  serve(published)
  const { headers } = await newKey('premium')
  const get = (url: string) => app.inject({ url: `/api/v1${url}`, headers })
  const json = async (url: string) => (await get(url)).json()

  t.match(await json(`/banks/${GONE}/trends/`), { data: [], meta: { as_of: null, count: 0, total: 0 } })
  t.match(await json(`/banks/${MERGED}/trends/?quarters=4`), { data: [], meta: { total: 0 } })
  const snapshot = await json(`/banks/${GONE}/`)
  t.strictSame(snapshot.data, {}, 'an object without members')
  t.match(snapshot.meta, { as_of: null, count: 0, total: 0 })
  t.equal((await get(`/banks/${GONE}/?format=ndjson`)).body, '')
  t.match((await get(`/banks/${GONE}/?format=csv&fields=rssd_id,roa`)).body, /^"rssd_id","roa"\s*$/)
  t.strictSame((await json(`/banks/${GONE}/?format=columns&fields=rssd_id,roa`)).data, {
    rssd_id: [],
    roa: [],
  })

  t.match(await json(`/banks/${GONE}/?as_of=2025Q4`), {
    status: 404,
    detail: /2025Q4 is unknown.*filed none/,
  })
  t.match(await json(`/banks/${UNKNOWN}/`), {
    status: 404,
    code: 'not-found',
    detail: /the bank with RSSD ID 4000003 is unknown: no source/,
  })
  t.match(await json(`/banks/${published.examples.bank}/peer-ranking/?peer_ids=${GONE}`), {
    status: 400,
    errors: [{ parameter: 'peer_ids', reason: /no bank with RSSD ID 4000001 ever filed/ }],
  })

  for (const dataset of new Set((await loadDatasets()).values())) {
    if (dataset.parameters.rssd_id?.entity !== 'bank' || !dataset.pathParameters.includes('rssd_id')) continue
    const queries = dataset.parameters.cohort ? ['', 'cohort=similar'] : ['']
    for (const query of queries)
      for (const format of formatsOf(dataset)) {
        const url = dataset.path.replace('{rssd_id}', String(GONE)).replace('{concept}', 'Assets')
        const answer = await get(`${url}?format=${format}&${query}`)
        t.equal(answer.statusCode, 200, `${url} ${query} as ${format}`)
        if (format !== 'json') continue
        const { data } = answer.json()
        if (tellsOfGone.includes(dataset.key))
          t.match(JSON.stringify(data), /Bank of 1985|4000002/, dataset.key)
        else t.strictSame(data, dataset.result === 'one' ? {} : [], dataset.key)
      }
  }

  await t.test('who filed costs no query to be found', async (t) => {
    const asked: string[] = []
    const { rows, read } = engine
    engine.rows = ((query) => {
      asked.push(query.sql)
      return rows.call(engine, query)
    }) as typeof engine.rows
    engine.read = (query) => {
      asked.push(query.sql)
      return read.call(engine, query)
    }
    t.teardown(() => Object.assign(engine, { rows, read }))
    await published.resident.warm()
    asked.length = 0
    for (const path of ['/', '/trends/'])
      t.equal((await get(`/banks/${published.examples.bank}${path}`)).statusCode, 200)
    t.equal((await get(`/banks/${UNKNOWN}/`)).statusCode, 404)
    t.strictSame(asked, [])
  })
})
