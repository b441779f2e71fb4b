// A dataset of the scope `client`: what one key keeps, over the real control database.
import t from 'tap'
import { id } from '../../server/catalog/columns.ts'
import { type ClientStep, dataset } from '../../server/catalog/define.ts'
import { integer } from '../../server/catalog/parameters.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { build } from '../helpers/app.ts'

const watched: ClientStep['client'] = async ({ keyId, mayChange, control }, { rssd_id }) => {
  if (mayChange && rssd_id !== undefined)
    await control.insert({ table: 'watched', values: [{ key_id: keyId, rssd_id }], format: 'JSONEachRow' })
  const answer = await control.query({
    query: 'SELECT DISTINCT rssd_id FROM watched WHERE key_id = {keyId:String} ORDER BY rssd_id',
    query_params: { keyId },
    format: 'JSONEachRow',
  })
  return { watched: (await answer.json<{ rssd_id: number }>()).map((row) => row.rssd_id) }
}
const common = {
  grain: ['rssd_id'],
  steps: [{ binds: { watched: 'Array(UInt32)' }, client: watched }],
  columns: [id('rssd_id', 'RSSD ID')],
  sources: [],
  examples: [{ title: 'Mine' }],
} as const
const from = 'SELECT arrayJoin({watched:Array(UInt32)}) AS rssd_id'
const list = dataset({ ...common, key: 'watchlist', summary: 'What I watch.', scope: 'client', from })
const add = dataset({
  ...common,
  key: 'watchlist-add',
  summary: 'Watches one more.',
  scope: 'client',
  from: 'SELECT {rssd_id:UInt32} AS rssd_id',
  parameters: { rssd_id: { ...integer({ doc: 'Whom to watch.', min: 1 }), where: undefined } },
})

t.test('what belongs to a key', async (t) => {
  const screener = (await loadDatasets()).get('bank-screener')!
  const { app, engine, newKey } = await build(t, { datasets: [list, add, screener], key: false })
  await engine.loader().command({
    query:
      'CREATE TABLE watched (key_id String, rssd_id UInt32) ENGINE = MergeTree ORDER BY (key_id, rssd_id)',
  })
  const mine = (await newKey('free')).headers
  const others = (await newKey('premium')).headers
  const ask = (url: string, headers: object = mine, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/api/v1/watchlist/${url}`, headers: { ...headers } })
  const watching = async (headers = mine) =>
    (await ask('', headers)).json().data.map((row: { rssd_id: number }) => row.rssd_id)
  const rows = async () =>
    Number(
      (
        await (
          await engine.loader().query({ query: 'SELECT count() AS n FROM watched', format: 'JSONEachRow' })
        ).json<{ n: string }>()
      )[0]!.n,
    )

  t.strictSame(await watching(), [])
  const added = await ask('add/?rssd_id=7')
  t.equal(added.statusCode, 200)
  t.equal(added.headers['cache-control'], 'private, no-store')
  t.equal(added.headers.etag, undefined)
  t.strictSame(await watching(), [7], 'the same URL as before, and no answer of before')
  t.strictSame(await watching(others), [], 'and of another key nothing')
  await ask('add/?rssd_id=7')
  t.strictSame(await watching(), [7], 'a repeat changes nothing more')

  const before = await rows()
  t.equal((await ask('add/?rssd_id=8', mine, 'HEAD')).statusCode, 200)
  t.equal((await ask('', mine, 'HEAD')).body, '')
  for (const header of [
    { 'if-none-match': '*' },
    { 'if-none-match': '"anything"' },
    { 'if-match': '"anything"' },
    { 'if-modified-since': 'Sat, 01 Jan 2028 00:00:00 GMT' },
    { 'if-unmodified-since': 'Sat, 01 Jan 2028 00:00:00 GMT' },
    { range: 'bytes=0-3' },
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ]) {
    const answer = await ask('add/?rssd_id=8', { ...mine, ...header })
    t.equal(answer.statusCode, 200, JSON.stringify(header))
    t.equal(answer.headers['cache-control'], 'private, no-store')
  }
  t.equal(await rows(), before, 'nothing was written')
  t.strictSame(await watching(), [7])

  for (const url of ['', 'add/?rssd_id=9'])
    t.match((await ask(url, {})).json(), { code: 'key-required', status: 401 })
  const refused = await ask('add/?rssd_id=nobody')
  t.equal(refused.statusCode, 400)
  t.match(refused.headers['cache-control'], /no-store/)
  t.equal(await rows(), before)
  for (const format of ['csv', 'ndjson', 'columns', 'arrow', 'parquet', 'xlsx'])
    t.match((await ask(`?format=${format}`)).headers, {
      'cache-control': 'private, no-store',
      etag: undefined,
    })
  t.match(
    (await app.inject({ url: '/api/v1/screeners/banks/?limit=1', headers: mine })).headers,
    { 'cache-control': 'public, no-cache', etag: String },
    'what is everybody’s is kept as before',
  )
})

t.test('a declaration that would give away what belongs to a key is refused', (t) => {
  t.throws(
    () => dataset({ ...common, key: 'failures', summary: 'x', scope: 'client', from }),
    /failures: belongs to a key, so it cannot be Public/,
  )
  t.throws(() => dataset({ ...common, key: 'watchlist', summary: 'x', from }), /needs the scope `client`/)
  t.end()
})
