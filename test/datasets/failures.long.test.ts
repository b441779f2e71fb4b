// The register of failures over what FDIC exports, where nothing else is loaded: no filed quarter is needed to answer.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'

const header =
  '"CERT","CHCLASS1","CITYST","COST","FAILDATE","FIN","ID","NAME","QBFASSET","QBFDEP","RESTYPE","RESTYPE1","SAVR"\n'
const lines = [
  '21111,"N","NEWARK, NJ",2491,"11/01/2019","10534","4100","CITY NATIONAL BANK OF NEW JERSEY",120574,111234,"FAILURE","PA","DIF"',
  '15426,"NM","ALMENA, KS",,"10/23/2020","10538","4104","ALMENA STATE BANK",65733,64941,"FAILURE","PA","DIF"',
  '3510,"N","CHARLOTTE, NC",0,"01/16/2009",,"4061","BANK OF AMERICA",1471631047,954000000,"ASSISTANCE","A/A","***"',
  ',"NM","FON DU LAC TWP, IL",,"05/28/1934",,"1","FOND DU LAC STATE BANK",0,238,"FAILURE","PO","FDIC"',
]

t.test('the register of failures', async (t) => {
  const { loadText, data, get } = await ratesApp(t)
  await loadText('fdic-failures', header + lines.join('\n'))
  const names = async (query: string) =>
    (await data(`/failures/?${query}`)).map(({ id }: { id: number }) => id)

  t.strictSame(await names(''), [4104, 4100, 4061, 1], 'newest first')
  t.strictSame((await data('/failures/?to=1934'))[0], {
    id: 1,
    cert: null,
    name: 'FOND DU LAC STATE BANK',
    city: 'FON DU LAC TWP',
    state: 'IL',
    failed_date: '1934-05-28',
    kind: 'FAILURE',
    resolution: 'PO',
    resolved_date: null,
    acquirer: null,
    acquirer_city: null,
    acquirer_state: null,
    charter: 'NM',
    insurance_fund: 'FDIC',
    fund: null,
    total_assets: null,
    total_deposits: 238,
    cost: null,
    rssd_id: null,
  })
  const { meta } = (await get('/failures/?year=2020')).json()
  t.match(meta, { as_of: null, count: 1, sources: ['fdic-failures'], limit: 100 })
  t.equal(meta.units.cost, 'thousands of US dollars')

  t.strictSame(await names('from=2009&to=2019'), [4100, 4061], 'years')
  t.strictSame(await names('from=2019Q4&to=2020-10-22'), [4100], 'a quarter and a day')
  t.strictSame(await names('state=KS,IL'), [4104, 1])
  t.strictSame(await names('kind=assistance'), [4061])
  t.strictSame(await names('q=state+almena'), [4104])
  t.strictSame(
    await names('min_cost=0&sort=cost'),
    [4061, 4100],
    'what is unknown meets no bound; 0 is a figure',
  )
  t.strictSame(await names('sort=-cost'), [4100, 4061, 1, 4104], 'what is unknown is not the least')
  t.match((await get('/failures/?as_of=2020Q4')).json(), { status: 400, errors: [{ parameter: 'as_of' }] })
  t.match((await get('/failures/?from=2020&to=2019')).json(), { status: 400, errors: [{ parameter: 'to' }] })
  t.match((await get('/failures/?min_roa=1')).json(), { status: 400, errors: [{ parameter: 'min_roa' }] })
  t.match((await get('/banks/')).json(), { code: 'no-data', detail: /needs filed Call Reports/ })
  t.equal((await get('/reference/mdrm/')).status, 200, 'a dictionary needs no filings')

  const years = await data('/failures/annual/')
  t.equal(years.length, 2020 - 1934 + 1, 'a row for every year')
  const unknown = { total_assets: null, total_deposits: null, cost: null }
  t.match(years[0], {
    year: 1934,
    failures: 1,
    assistance: 0,
    ...unknown,
    total_deposits: 238,
    with_cost: 0,
    with_deposits: 1,
  })
  t.match(years[1], { year: 1935, failures: 0, with_cost: 0, ...unknown }, 'nothing is not 0')
  t.match(years.at(-12), { year: 2009, failures: 0, assistance: 1, ...unknown }, 'assistance is no failure')
  t.match(years.at(-2), { year: 2019, failures: 1, total_assets: 120574, cost: 2491, with_cost: 1 })
  t.match(await data('/failures/annual/?from=2019&to=2019&state=KS'), [
    { year: 2019, failures: 0, ...unknown },
  ])

  // the list has the bank before its figures are known, and its acquirer
  await loadText(
    'fdic-failures',
    `Bank Name,City,State,Cert,Acquiring Institution,Closing Date,Fund\nAlmena State Bank,Almena,KS,15426,Equity Bank,23-Oct-20,10538\nRepublic First Bank,Philadelphia,PA,27332,"Fulton Bank, N.A.",26-Apr-24,10546\n`,
    'banklist.csv',
  )
  const recent = async (query: string) =>
    (await data(`/failures/recent/?fields=cert,name,acquirer,total_assets${query}`)).map(Object.values)
  t.strictSame(
    await recent(''),
    [
      [27332, 'Republic First Bank', 'Fulton Bank, N.A.', null],
      [15426, 'Almena State Bank', 'Equity Bank', 65733],
      [21111, 'CITY NATIONAL BANK OF NEW JERSEY', null, 120574],
      [null, 'FOND DU LAC STATE BANK', null, null],
    ],
    'each once, and no assistance',
  )
  t.strictSame(
    (await recent('&days=1')).map(([cert]: unknown[]) => cert),
    [27332],
  )
  t.strictSame(
    (await recent('&as_of=2020Q4&days=400')).map(([cert]: unknown[]) => cert),
    [15426, 21111],
  )
  t.equal((await get('/failures/recent/?as_of=2020Q4')).json().meta.as_of, '2020-12-31')
  t.equal((await get('/failures/recent/?days=0')).status, 400)

  const first = (await get('/failures/?limit=3')).json()
  const second = (await get(first.links.next.replace('/api/v1', ''))).json()
  t.strictSame(
    [...first.data, ...second.data].map(({ id }) => id),
    [4104, 4100, 4061, 1],
    'by pages',
  )
  t.equal(second.links.next, null)
})

const real = join(import.meta.dirname, '../../../shared/data/fdic-history')
t.test(
  'the failures that FDIC tells of',
  { skip: !existsSync(real) && 'the real files are not here' },
  async (t) => {
    const { load, data, get } = await ratesApp(t)
    const files = ['failed_banks.csv', 'bank-data.csv'].map((name) => join(real, name))
    t.match(await load('fdic-failures', files), {
      editions: [{ status: 'published' }, { status: 'published' }],
    })
    const [largest] = await data('/failures/?kind=FAILURE&sort=-total_assets&limit=1')
    t.match(largest, { name: 'WASHINGTON MUTUAL BANK', cert: 32633, failed_date: '2008-09-25', cost: 0 })
    const { meta } = (await get('/failures/?year=2010&kind=FAILURE')).json()
    t.equal(meta.total, 157, 'as FDIC counts them')
    const years = await data('/failures/annual/')
    t.match(
      years[0],
      { year: 1934, failures: null, with_cost: null, cost: null },
      'unknown before the first loaded',
    )
    t.equal(years.find(({ year }: { year: number }) => year === 2010).failures, 157)
  },
)
