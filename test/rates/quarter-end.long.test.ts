// The rate environment over filed quarters: no curve is made up for a quarter that has none.
import t from 'tap'
import { fixture } from '../loaders/helpers.ts'
import { ratesApp } from './rates-app.ts'

t.test('the curve of a filed quarter', async (t) => {
  const { load, loadText, data, get } = await ratesApp(t)
  t.equal((await get('/industry/rate-environment/')).status, 503, 'nothing is filed yet')
  const { editions } = await load('ffiec-call-report', [fixture('ffiec-call-report/2018Q4')])
  t.strictSame(
    editions.map(({ status }) => status),
    ['published'],
  )

  await t.test('without rates: null, not 0', async (t) => {
    const row = await data('/industry/rate-environment/')
    t.match(row, {
      report_date: '2018-12-31',
      curve_date: null,
      yield_10y: null,
      curve_slope: null,
      federal_funds_rate: null,
      mortgage_rate_30y: null,
    })
    t.ok(row.banks > 0)
  })
  await t.test('rates of earlier in the quarter are not carried forward', async (t) => {
    await loadText(
      'treasury',
      'Date,"3 Mo","2 Yr","10 Yr"\n12/14/2018,2.42,2.73,2.89\n12/13/2018,2.43,2.77,2.91\n',
    )
    t.match(await data('/industry/rate-environment/'), { curve_date: null, yield_10y: null })
  })
  await t.test('the Federal Reserve’s curve, until Treasury’s own is there', async (t) => {
    await loadText(
      'fred',
      'DATE,DGS3MO,DGS2,DGS10,DFF,DFII10,MORTGAGE30US\n2018-12-27,2.40,2.60,2.77,2.40,1.01,4.55\n2018-12-28,2.35,2.52,2.72,2.40,0.99,.\n2018-12-31,9.00,9.00,9.99,2.40,0.98,.\n',
    )
    t.match(await data('/industry/rate-environment/'), { curve_date: '2018-12-31', yield_10y: 9.99 })
    await loadText(
      'treasury',
      'Date,"3 Mo","2 Yr","10 Yr"\n12/31/2018,2.45,2.48,2.69\n12/28/2018,2.40,2.52,2.72\n',
    )
    t.match(await data('/industry/rate-environment/'), {
      curve_date: '2018-12-31',
      yield_3m: 2.45,
      curve_level: 2.69,
      curve_slope: 0.24,
      curve_curvature: -0.18,
      spread_10y_2y: 0.21,
      real_yield_10y: 0.98,
      breakeven_inflation_10y: 1.71,
      federal_funds_rate: 2.4,
      mortgage_rate_30y: 4.55,
    })
  })
})
