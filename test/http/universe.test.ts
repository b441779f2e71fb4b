// Datasets over another universe than banks, each declared in about ten lines and served by the whole service.
import t from 'tap'
import { id, metricColumns, reportDate, text } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { asOf, institution, metricList, oneOfMany, window } from '../../server/catalog/parameters.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { writeCatalogs } from '../../server/catalog/write-catalogs.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { writeEntities } from '../../sql/entities/index.ts'
import { linkedTables } from '../../sql/sources/index.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { derive } from '../../sql/universes/index.ts'
import { declared, fileSavingsClubs, savingsClubs } from '../derive/savings-clubs.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'

const number = id('cu_number', 'Charter number')
const common = {
  universe: savingsClubs,
  sources: ['invented-5300'],
  examples: [{ title: 'Whatever is held' }],
}
const snapshot = dataset({
  ...common,
  key: 'credit-union-snapshot',
  summary: 'One savings club in its latest filed quarter.',
  from: savingsClubs.tables.quarters,
  grain: ['cu_number', 'report_date'],
  parameters: { cu_number: institution(savingsClubs), as_of: asOf() },
  columns: [number, text('name', 'Name'), reportDate, metricColumns('all')],
})
const trends = dataset({
  ...common,
  key: 'credit-union-trends',
  summary: 'Quarterly series of one savings club, oldest first.',
  from: savingsClubs.tables.rows,
  grain: ['cu_number', 'report_date'],
  order: ['report_date'],
  parameters: {
    cu_number: institution(savingsClubs),
    ...window(),
    metrics: metricList({ universe: savingsClubs }),
  },
  columns: [number, reportDate, metricColumns('headline')],
})
const screener = dataset({
  ...common,
  key: 'credit-union-screener',
  summary: 'Every savings club that matches, by charter number.',
  from: savingsClubs.tables.quarters,
  grain: ['cu_number'],
  parameters: { as_of: asOf(), state: oneOfMany('state', ['AL', 'GA'], { doc: 'State.' }) },
  bounds: true,
  columns: [number, text('name', 'Name'), reportDate, metricColumns('headline')],
})

t.test('a second universe is served beside banks', async (t) => {
  const both = [banks, savingsClubs]
  const served = await loadDatasets()
  const datasets = [snapshot, trends, screener, served.get('bank-screener')!, served.get('metrics')!]
  const { app, engine, serve } = await build(t, { datasets })
  const made = await beginBuild(
    engine,
    {
      ...publishing,
      synthetic: true,
      hooks: [(build) => writeEntities(build, both, linkedTables), writeCatalogs],
    },
    memoryLog(),
  )
  await fileSavingsClubs(made.client)
  await derive(made, { savings_club: 'all' }, () => {}, { of: both })
  await made.publish()
  const published = await readPublished(engine, (await currentPublication(engine))!, both)
  serve(published)
  const get = async (url: string) => (await app.inject(`/api/v1${url}`)).json()

  const one = await get('/cus/2/')
  t.strictSame(Object.keys(one.data), [
    'cu_number',
    'name',
    'report_date',
    ...declared.metrics.map(({ key }) => key),
  ])
  t.match(one, {
    data: { cu_number: 2, total_assets: 75, net_worth_ratio: 12, loans_to_assets: 80 },
    meta: { as_of: '2025-03-31', units: { net_worth_ratio: 'percent' } },
  })
  t.match(
    await get('/cus/4/'),
    { data: { total_assets: 240 }, meta: { as_of: '2024-12-31' } },
    'its own latest',
  )
  t.match(await get('/cus/6/'), { status: 404, detail: /the savings club with charter number 6 is unknown/ })
  t.match(await get(`/cus/${published.examples.bank}/`), { status: 404 }, 'a bank is no savings club')

  const series = await get('/cus/1/trends/?quarters=2&metrics=total_assets,asset_growth_1y')
  t.match(series.data, [
    { report_date: '2024-12-31', total_assets: 46, asset_growth_1y: null },
    { report_date: '2025-03-31', total_assets: 50, asset_growth_1y: 25 },
  ])
  t.strictSame(Object.keys((await get('/cus/1/trends/')).data[0]), [
    ...['cu_number', 'report_date'],
    ...savingsClubs.headline,
  ])
  t.match(await get('/cus/1/trends/?metrics=net_worth_ration'), {
    status: 400,
    errors: [{ parameter: 'metrics', did_you_mean: 'net_worth_ratio' }],
  })
  t.match(await get('/cus/1/trends/?metrics=roa'), { status: 400, errors: [{ parameter: 'metrics' }] })

  const ids = async (query: string) =>
    (await get(`/screeners/credit-unions/?${query}`)).data.map((row: { cu_number: number }) => row.cu_number)
  t.strictSame(await ids(''), [1, 2, 3])
  t.strictSame(await ids('min_net_worth_ratio=10.5&sort=-total_assets'), [2])
  t.strictSame(await ids('state=AL'), [3])
  t.strictSame(await ids('as_of=2024Q2&max_total_assets=100'), [1, 2, 3])
  t.match(await get('/screeners/credit-unions/?min_roa=1'), {
    status: 400,
    errors: [{ parameter: 'min_roa' }],
  })
  t.match(await get('/screeners/credit-unions/?as_of=2026Q2'), { status: 404, detail: /latest 2025Q1/ })
  t.match(
    await get('/screeners/banks/?limit=1'),
    { meta: { as_of: published.publication.asOf } },
    'banks as before',
  )
  t.match(await get('/screeners/banks/?min_net_worth_ratio=1'), { status: 400 })

  const known = (await get('/reference/metrics/?fields=universe,key')).data
  t.equal(known.length, banks.metrics.length + savingsClubs.metrics.length)
  t.strictSame(
    known
      .filter(({ key }: { key: string }) => key === 'total_assets')
      .map((row: { universe: string }) => row.universe),
    ['bank', 'savings_club'],
  )
  t.strictSame((await get('/reference/metrics/?universe=bank&fields=key')).meta.total, banks.metrics.length)
  const { paths } = await get('/openapi.json')
  const metrics = paths['/api/v1/cus/{cu_number}/trends/'].get.parameters.find(
    ({ name }: { name: string }) => name === 'metrics',
  )
  t.strictSame(
    metrics.schema.items.enum,
    savingsClubs.metrics.map(({ key }) => key),
  )
})

t.test('metrics of another universe are refused where a dataset is declared', (t) => {
  const bad = {
    ...common,
    key: 'credit-union-trends',
    summary: 'x',
    from: 'x',
    grain: [],
    columns: [],
  } as const
  const parameters = { cu_number: institution(savingsClubs), metrics: metricList() }
  t.throws(
    () => dataset({ ...bad, parameters }),
    /parameter metrics is of banks, the dataset of savings_clubs/,
  )
  t.end()
})
