// Each source fetched from a server that replays files, through the same path as the command's.
import t, { type Test } from 'tap'
import { fetchedSeries, restrictedSeries } from '../../loaders/fred/catalog.ts'
import { silent } from '../../loaders/lib/progress.ts'
import type { Refusal } from '../../loaders/lib/source.ts'
import { findSource } from '../../loaders/sources.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { ratesEngine } from './loading.ts'
import { replay, says } from './replay.ts'

/** Fetches and loads a source whose address is the replay's. */
async function fetchAndLoad(t: Test, source: string, env: Record<string, string>) {
  for (const [name, value] of Object.entries(env)) {
    process.env[name] = value
    t.teardown(() => delete process.env[name])
  }
  const engine = await ratesEngine(t)
  const notes: string[] = []
  const fetched = async () =>
    findSource(source)!.download!(await temporaryFolder(t), {
      ...silent,
      note: (text) => void notes.push(text),
    })
  return { ...engine, notes, fetched, outcome: await engine.load(source, await fetched()) }
}

t.test('treasury: each feed, year by year', async (t) => {
  const thisYear = new Date().getUTCFullYear()
  const { url, asked } = await replay(t, (request, response) => {
    const query = new URL(request.url!, 'http://x').searchParams
    const [type, year] = [query.get('type'), Number(query.get('field_tdr_date_value'))]
    if (year === thisYear) return says(404)(request, response)
    const header =
      type === 'daily_treasury_bill_rates'
        ? '"4 WEEKS BANK DISCOUNT","4 WEEKS COUPON EQUIVALENT"'
        : type === 'daily_treasury_yield_curve'
          ? '"3 Mo","10 Yr"'
          : '"5 YR","10 YR"'
    says(200, `Date,${header}\n12/29/${year},1.25,2.50\n01/03/${year},1.00,2.00`)(request, response)
  })
  const from = thisYear - 2
  const { outcome, series, load, fetched } = await fetchAndLoad(t, 'treasury', {
    TREASURY_URL: url,
    TREASURY_FROM_YEAR: String(from),
  })
  t.equal(asked.length, 9)
  t.match(
    asked[0],
    `/daily-treasury-rates.csv/${from}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${from}`,
  )
  t.strictSame(new Set(outcome.editions.map(({ status }) => status)), new Set(['published']))
  t.equal(outcome.editions.length, 6, 'this year has no table yet')
  for (const id of ['UST_PAR_10Y', 'UST_REAL_10Y', 'UST_BILL_COUPON_4W'])
    t.equal((await series(id)).length, 4, id)

  await t.test('fetched again, nothing changes', async (t) => {
    const again = await load('treasury', await fetched())
    t.equal(again.dataVersion, null)
    t.strictSame(new Set(again.editions.map(({ status }) => status)), new Set(['already-there']))
  })
})

t.test('fred: the series that may be handed on; the others are named', async (t) => {
  const { url, asked } = await replay(t, (request, response) => {
    const id = new URL(request.url!, 'http://x').searchParams.get('id')!
    says(200, `observation_date,${id}\n2026-01-01,${id.length}\n`)(request, response)
  })
  const { outcome, notes, series } = await fetchAndLoad(t, 'fred', { FRED_URL: url })
  t.strictSame(
    asked,
    fetchedSeries.map(({ id }) => `/graph/fredgraph.csv?id=${id}`),
  )
  t.equal(outcome.editions.filter(({ status }) => status === 'published').length, fetchedSeries.length)
  for (const { id } of restrictedSeries) t.match(notes.join(), id)
  t.strictSame(await series('DGS10'), [['2026-01-01', 5]])
})

t.test('pmms and the national rates', async (t) => {
  const survey = await replay(t, says(200, 'date,pmms30,pmms30p,pmms15\n1/2/2026,6.15,,5.44\n'))
  const pmms = await fetchAndLoad(t, 'pmms', { PMMS_URL: survey.url })
  t.strictSame(survey.asked, ['/pmms/docs/PMMS_history.csv'])
  t.strictSame(await pmms.series('PMMS_15Y'), [['2026-01-02', 5.44]])

  const moved = await replay(t, says(200, '<!DOCTYPE html><title>Page not found</title>'))
  const rates = await fetchAndLoad(t, 'fdic-national-rates', { FDIC_URL: moved.url })
  t.match(rates.outcome.editions, [{ status: 'failed', reason: /web page \(HTML\), not data/ }])
})

t.test('a series that the publisher no longer has is refused by name; the others are loaded', async (t) => {
  const { url } = await replay(t, (request, response) => {
    const id = new URL(request.url!, 'http://x').searchParams.get('id')!
    if (id === 'DGS7') return says(404)(request, response)
    says(200, `observation_date,${id}\n2026-01-01,1.5\n`)(request, response)
  })
  process.env.FRED_URL = url
  t.teardown(() => delete process.env.FRED_URL)
  const missing: Refusal[] = []
  const paths = await findSource('fred')!.download!(
    await temporaryFolder(t),
    silent,
    (one) => void missing.push(one),
  )
  t.equal(paths.length, fetchedSeries.length - 1)
  t.match(missing, [{ name: 'DGS7.csv', reason: /id=DGS7: the publisher answered 404/ }])
})

t.test('an address that has none of the files fails the whole fetch', async (t) => {
  const gone = await replay(t, says(404))
  process.env.FRED_URL = gone.url
  t.teardown(() => delete process.env.FRED_URL)
  await t.rejects(findSource('fred')!.download!(await temporaryFolder(t), silent), {
    message: /fredgraph\.csv\?id=.*404/,
  })
})
