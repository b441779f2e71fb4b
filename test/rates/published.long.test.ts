// Each source fetched from a server that replays files, through the same path as the command's.
import t, { type Test } from 'tap'
import { fetchAndLoad as fetchAndLoadSource } from '../../loaders/fetch/load.ts'
import { silent } from '../../loaders/lib/progress.ts'
import { fetchedSeries, restrictedSeries } from '../../sql/sources/fred-series.ts'
import { memoryLog } from '../helpers/engine.ts'
import { collected, fetched, quick } from '../refresh/helpers.ts'
import { ratesEngine } from './loading.ts'
import { replay, says } from './replay.ts'

/** Fetches and loads a source whose address is the replay's. */
async function fetchAndLoad(t: Test, source: string, env: Record<string, string>) {
  const { engine, sqlFolder, ...rates } = await ratesEngine(t, { ...quick, ...env })
  const notes: string[] = []
  const progress = { ...silent, note: (text: string) => void notes.push(text) }
  const publishing = { derive: async () => {}, sqlFolder }
  const load = () => fetchAndLoadSource(engine, fetched(source), { progress, log: memoryLog(), publishing })
  return { ...rates, notes, load, outcome: await load() }
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
  const { outcome, series, load } = await fetchAndLoad(t, 'treasury', {
    SOURCE_URL_TREASURY: url,
    SOURCE_FROM_TREASURY: String(from),
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
    const again = await load()
    t.equal(again.dataVersion, null)
    t.strictSame(new Set(again.editions.map(({ status }) => status)), new Set(['already-there']))
  })
})

t.test('fred: the series that may be handed on; the others are named', async (t) => {
  const { url, asked } = await replay(t, (request, response) => {
    const id = new URL(request.url!, 'http://x').searchParams.get('id')!
    says(200, `observation_date,${id}\n2026-01-01,${id.length}\n`)(request, response)
  })
  const { outcome, notes, series } = await fetchAndLoad(t, 'fred', { SOURCE_URL_FRED: url })
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
  const pmms = await fetchAndLoad(t, 'pmms', { SOURCE_URL_PMMS: survey.url })
  t.strictSame(survey.asked, ['/pmms/docs/PMMS_history.csv'])
  t.strictSame(await pmms.series('PMMS_15Y'), [['2026-01-02', 5.44]])

  const moved = await replay(t, says(200, '<!DOCTYPE html><title>Page not found</title>'))
  const rates = await fetchAndLoad(t, 'fdic-national-rates', { SOURCE_URL_FDIC_NATIONAL_RATES: moved.url })
  t.match(rates.outcome.editions, [{ status: 'failed', reason: /web page \(HTML\), not data/ }])
})

t.test('a series that the publisher no longer has is refused by name; the others are loaded', async (t) => {
  const { url } = await replay(t, (request, response) => {
    const id = new URL(request.url!, 'http://x').searchParams.get('id')!
    if (id === 'DGS7') return says(404)(request, response)
    says(200, `observation_date,${id}\n2026-01-01,1.5\n`)(request, response)
  })
  const { files, failed } = await collected(t, 'fred', { SOURCE_URL_FRED: url })
  t.equal(files.length, fetchedSeries.length - 1)
  t.match(failed, [{ name: 'DGS7.csv', reason: /id=DGS7: the publisher answered 404/ }])
})

t.test('an address that has none of the files says so of each', async (t) => {
  const gone = await replay(t, says(404))
  const { files, failed } = await collected(t, 'fred', { SOURCE_URL_FRED: gone.url })
  t.strictSame(files, [])
  t.equal(failed.length, fetchedSeries.length)
  t.match(failed[0]!.reason, /fredgraph\.csv\?id=.*404/)
})
