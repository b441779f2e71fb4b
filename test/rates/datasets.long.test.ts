// The datasets of rates over small files: no filing is loaded, so they must answer without a filed quarter.
import t from 'tap'
import { ratesApp } from './rates-app.ts'

type Row = Record<string, string | number | null>
const pick = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]))

t.test('the curve: long form, one publisher a day, the current one', async (t) => {
  const { loadText, data, get } = await ratesApp(t)
  await loadText(
    'treasury',
    'Date,"1 Mo","3 Mo","2 Yr","10 Yr"\n01/03/2024,5.54,5.48,4.33,3.91\n01/02/2024,5.55,5.46,4.33,3.95\n',
  )
  await loadText(
    'fred',
    'DATE,DGS10,DGS2,DGS3MO\n2024-01-01,.,.,.\n2024-01-02,9.99,9.99,9.99\n2024-01-04,3.99,4.38,5.48\n2024-01-05,4.05,.,.\n',
  )
  t.strictSame(pick(await data('/rates/yield-curve/'), 'date', 'tenor', 'months', 'yield', 'source'), [
    ['2024-01-02', '1M', 1, 5.55, 'treasury'],
    ['2024-01-02', '3M', 3, 5.46, 'treasury'],
    ['2024-01-02', '2Y', 24, 4.33, 'treasury'],
    ['2024-01-02', '10Y', 120, 3.95, 'treasury'],
    ['2024-01-03', '1M', 1, 5.54, 'treasury'],
    ['2024-01-03', '3M', 3, 5.48, 'treasury'],
    ['2024-01-03', '2Y', 24, 4.33, 'treasury'],
    ['2024-01-03', '10Y', 120, 3.91, 'treasury'],
    ['2024-01-04', '3M', 3, 5.48, 'fred'],
    ['2024-01-04', '2Y', 24, 4.38, 'fred'],
    ['2024-01-04', '10Y', 120, 3.99, 'fred'],
    ['2024-01-05', '10Y', 120, 4.05, 'fred'],
  ])
  await t.test('latest is the newest whole curve, also of a window and of some tenors', async (t) => {
    t.strictSame(pick(await data('/rates/yield-curve/?latest=1'), 'date', 'tenor'), [
      ['2024-01-04', '3M'],
      ['2024-01-04', '2Y'],
      ['2024-01-04', '10Y'],
    ])
    t.equal((await data('/rates/yield-curve/?latest=1&to=2024-01-03')).length, 4)
    t.strictSame(pick(await data('/rates/yield-curve/?latest=1&tenor=10Y'), 'date', 'yield'), [
      ['2024-01-04', 3.99],
    ])
  })
  await t.test('parameters', async (t) => {
    t.equal((await data('/rates/yield-curve/?tenor=2y,10y&from=2024-01-03&to=2024-01-04')).length, 4)
    t.match((await get('/rates/yield-curve/?tenor=9Y')).json(), {
      status: 400,
      errors: [{ parameter: 'tenor' }],
    })
    t.match((await get('/rates/yield-curve/?as_of=soon')).json(), {
      status: 400,
      errors: [{ parameter: 'as_of' }],
    })
    t.match((await get('/rates/yield-curve/?latest=maybe')).json(), { status: 400 })
  })
  await t.test('weekends and holidays are not invented', async (t) => {
    t.strictSame(await data('/rates/yield-curve/?from=2024-01-06&to=2024-01-07'), [])
    t.strictSame(await data('/rates/yield-curve/?to=2024-01-01'), [])
  })
})

t.test('as_of gives what was known then', async (t) => {
  const { loadText, data, sql, get } = await ratesApp(t)
  await loadText('fred', 'DATE,UNRATE\n2020-03-01,4.4\n2020-04-01,14.7\n')
  const [first] = await sql<{ at: string }>(
    `SELECT concat(replaceOne(toString(max(learnt_at)), ' ', 'T'), 'Z') AS at FROM observations`,
  )
  await loadText('fred', 'DATE,UNRATE\n2020-02-01,3.5\n2020-03-01,4.4\n2020-04-01,14.8\n2020-05-01,13.2\n')
  const now = [
    ['2020-02-01', 3.5],
    ['2020-03-01', 4.4],
    ['2020-04-01', 14.8],
    ['2020-05-01', 13.2],
  ]
  const known = async (query: string) =>
    pick(await data(`/industry/macro/?series=UNRATE${query}`), 'date', 'value')
  t.strictSame(await known(''), now)
  t.strictSame(await known('&as_of=2100-01-01'), now)
  const after = new Date(Date.parse(first!.at) + 1).toISOString()
  t.strictSame(
    await known(`&as_of=${after}`),
    [
      ['2020-03-01', 4.4],
      ['2020-04-01', 14.7],
    ],
    'between the two loads: what the first told, and nothing that was learnt later',
  )
  t.strictSame(await known(`&as_of=${after}&latest=1`), [['2020-04-01', 14.7]])
  t.strictSame(
    await known('&as_of=2020-04-15'),
    [
      ['2020-02-01', 3.5],
      ['2020-03-01', 4.4],
      ['2020-04-01', 14.7],
    ],
    'before the series was first loaded: the first value learnt, of days up to then',
  )
  t.equal((await get('/industry/macro/?series=UNRATE&as_of=2020-04-15')).json().meta.as_of, '2020-04-15')
  t.equal((await get('/industry/macro/?series=UNRATE&as_of=2020Q1')).json().meta.as_of, '2020-03-31')
  await loadText(
    'fred',
    'DATE,UNRATE\n2020-02-01,3.5\n2020-03-01,4.4\n2020-04-01,.\n2020-05-01,13.2\n2020-06-01,11.0\n',
  )
  t.notOk(
    (await known('')).some(([date]) => date === '2020-04-01'),
    'what was withdrawn is absent, not 0 or null',
  )
})

t.test('bills, real yields, mortgages, deposits, national rates, consumer credit', async (t) => {
  const { loadText, data } = await ratesApp(t)
  await loadText(
    'treasury',
    'Date,"4 WEEKS BANK DISCOUNT","4 WEEKS COUPON EQUIVALENT","52 WEEKS BANK DISCOUNT","52 WEEKS COUPON EQUIVALENT"\n01/02/2024,5.30,5.41,4.60,\n',
  )
  await loadText(
    'fred',
    'DATE,DTB3,DFII10,TERMCBCCALLNS,SNDR\n2024-01-02,5.22,1.74,21.59,0.46\n2024-01-03,5.23,.,.,.\n',
  )
  t.strictSame(
    pick(
      await data('/rates/treasury-bill/'),
      'date',
      'tenor',
      'weeks',
      'discount_rate',
      'coupon_equivalent',
      'source',
    ),
    [
      ['2024-01-02', '4W', 4, 5.3, 5.41, 'treasury'],
      ['2024-01-02', '52W', 52, 4.6, null, 'treasury'],
      ['2024-01-03', '13W', 13, 5.23, null, 'fred'],
    ],
  )
  t.strictSame(pick(await data('/rates/real-yield/?latest=1'), 'date', 'tenor', 'yield'), [
    ['2024-01-02', '10Y', 1.74],
  ])
  t.strictSame(pick(await data('/rates/consumer/'), 'series', 'rate'), [['credit_card', 21.59]])

  await loadText(
    'pmms',
    'date,pmms30,pmms30p,pmms15\n11/10/2022,7.08,0.9,6.38\n"11/17/2022","6.61","","5.98"\n',
  )
  t.strictSame(pick(await data('/rates/mortgage/?latest=1'), 'date', 'series', 'rate', 'points', 'source'), [
    ['2022-11-17', '15y_fixed', 5.98, null, 'pmms'],
    ['2022-11-17', '30y_fixed', 6.61, null, 'pmms'],
  ])
  t.strictSame(pick(await data('/rates/mortgage/?series=30y_fixed&to=2022-11-10'), 'rate', 'points'), [
    [7.08, 0.9],
  ])

  t.strictSame(pick(await data('/rates/deposit/'), 'date', 'series', 'rate', 'source'), [
    ['2024-01-02', 'savings', 0.46, 'fred'],
  ])
  await loadText(
    'fdic-national-rates',
    'Date,Product,National Rate,Treasury Yield,National Rate Cap\n01/16/2024,Savings,0.47,5.40,6.08\n01/16/2024,12 month CD,1.86,4.80,6.51\n',
  )
  t.strictSame(
    pick(
      await data('/rates/national-rates/'),
      'date',
      'product',
      'national_rate',
      'treasury_yield',
      'rate_cap',
      'source',
    ),
    [
      ['2024-01-16', 'cd_12m', 1.86, 4.8, 6.51, 'fdic-national-rates'],
      ['2024-01-16', 'savings', 0.47, 5.4, 6.08, 'fdic-national-rates'],
    ],
    'FDIC’s own table stands in place of FRED’s for the month',
  )
})
