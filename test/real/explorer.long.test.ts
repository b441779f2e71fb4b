// The pages of the explorer over real filings: the agencies' own files, loaded as anybody would, in a real browser.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { memoryLog } from '../helpers/engine.ts'
import { accessible, shot, sound, visit } from '../helpers/explorer.ts'
import { bulkFile, noRealData, realData } from './quarters.ts'

/** Two quarters, so that there is something to draw through time; of credit unions the one that is held whole. */
const files: Readonly<Record<string, readonly string[]>> = {
  treasury: [`${realData}treasury/par-yield`],
  'fdic-failures': ['failed_banks.csv', 'bank-data.csv'].map((file) => `${realData}fdic-history/${file}`),
  'ubpr-formulas': [`${realData}ubpr`],
  'fr-y-9c': [`${realData}fr-y-9c/bulk-sample`],
  'ncua-5300': [`${realData}ncua/2025Q4`],
  'fdic-institutions': ['20180630', '20180930'].map((day) => `${realData}fdic-sdi/${day}/bank_data.csv`),
  'ffiec-call-report': ['2018-09-30', '2018-12-31'].map(bulkFile),
}
const executable = await chromiumPath()
const skip =
  noRealData('ffiec-call-report', 'ubpr', 'ncua', 'fr-y-9c', 'fdic-sdi', 'treasury', 'fdic-history') ||
  (executable ? false : 'no Chromium is installed (CHROMIUM may name one)')

t.test('the explorer over real quarters', { skip, timeout: 1_800_000 }, async (t) => {
  const { app, engine, serve, listen, newKey } = await build(t, { data: false })
  for (const [source, paths] of Object.entries(files)) {
    const options = { progress: silent, log: memoryLog(), publishing, partial: true }
    const { editions } = await runLoad(engine, findSource(source)!, [...paths], options)
    const failed = editions.filter(({ status }) => status !== 'published')
    t.strictSame(failed, [], `${source} is loaded`)
  }
  serve(await readPublished(engine, (await currentPublication(engine))!))
  const at = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const { secret: key } = await newKey('premium')
  const ask = async (path: string) => (await app.inject(`/api/v1${path}`)).json()

  type Visited = Awaited<ReturnType<typeof visit>>
  /** @param but what the browser says of an answer that is rightly none */
  const page = (
    path: string,
    heading: string | RegExp,
    look: (page: Visited['page']) => Promise<void>,
    but?: RegExp,
  ) =>
    t.test(path, async (t) => {
      const visited = await visit(at, path, { key })
      await visited.page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await look(visited.page)
      t.equal(await visited.page.getByRole('note').count(), 0, 'nothing is said to be invented')
      await accessible(t, visited.page, path)
      const errors = visited.errors.filter((error) => !but?.test(error))
      await sound(t, { ...visited, errors })
      await shot(visited.page, `real${path.replaceAll(/[^\w]+/g, '-').slice(0, 40)}`)
    })

  const { data: georgian } = await ask(
    '/screeners/banks/?state=GA&min_total_assets=500000&sort=-construction_loans&fields=rssd_id,legal_name,construction_loans',
  )
  const [first, second] = georgian
  t.equal(georgian.length, 24, 'as many as FDIC’s BankFind has of the end of 2018')

  await page('/', /US banking/, async (page) => {
    await page.getByRole('heading', { name: /The industry now 2018 Q4/ }).waitFor()
    t.match(await page.getByText('Banks that filed').locator('..').textContent(), /5,[34]\d\d/)
    await page.getByRole('link', { name: /^Georgia banks over/ }).click()
    const grid = page.getByRole('region', { name: 'Banks', exact: true })
    t.equal(await grid.getByRole('rowheader').first().textContent(), first.legal_name)
  })
  await page(`/bank/${first.rssd_id}`, first.legal_name, async (page) => {
    await page.getByRole('slider', { name: 'Return on assets through time' }).waitFor()
    await page
      .getByRole('img', { name: /^percentile \d+ of banks of/ })
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Scorecard' }).waitFor()
    await page.getByRole('button', { name: 'Where Total assets comes from' }).click()
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /RCFD2170|RCON2170/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  })
  await page(`/bank/${first.rssd_id}/ubpr`, first.legal_name, async (page) => {
    const contents = page.getByRole('navigation', { name: 'Pages of the report' })
    t.ok((await contents.getByRole('listitem').count()) > 20, 'the pages of the guide')
    await contents.getByRole('link').first().click()
    const { data } = await ask(`/banks/${first.rssd_id}/ubpr/ranks/?codes=UBPRE013`)
    const row = page.getByRole('row', { name: /^Net Income/ }).first()
    await row.waitFor()
    t.match(await row.textContent(), data[0].value.toFixed(2))
    t.match(await row.textContent(), data[0].peer_average.toFixed(2), 'beside its peers')
  })
  for (const part of ['record', 'branches', 'structure'])
    await page(`/bank/${first.rssd_id}/${part}`, first.legal_name, async () => {})
  await page(`/compare?banks=${first.rssd_id},${second.rssd_id}`, 'Compare banks', async (page) => {
    await page.getByRole('columnheader', { name: second.legal_name }).waitFor()
  })

  const { data: unions } = await ask('/cus/?sort=-total_assets&limit=1&fields=cu_number,legal_name')
  await page(`/credit-union/${unions[0].cu_number}`, unions[0].legal_name, async (page) => {
    await page
      .getByRole('img', { name: /^percentile \d+ of credit unions of over/ })
      .first()
      .waitFor()
  })
  await page('/screen/credit-unions?state=GA&map=1', 'Screen of credit unions', async (page) => {
    const { meta } = await ask('/screeners/credit-unions/?state=GA&fields=cu_number')
    await page.getByText(new RegExp(`^${meta.total} of [45],\\d{3} credit unions`)).waitFor()
  })
  const { data: holders } = await ask(
    '/holding-companies/?sort=-total_assets&limit=1&fields=rssd_id,legal_name',
  )
  await page(`/holding-company/${holders[0].rssd_id}`, holders[0].legal_name, async (page) => {
    await page
      .getByRole('img', { name: /^percentile \d+ of holding companies/ })
      .first()
      .waitFor()
  })
  await page('/screen/holding-companies', 'Screen of holding companies', async (page) => {
    await page
      .getByRole('region', { name: 'Holding companies', exact: true })
      .getByRole('link')
      .first()
      .waitFor()
  })
  await page('/industry', 'The banking industry', async (page) => {
    await page.getByRole('slider', { name: 'Net interest margin through time' }).waitFor()
  })
  await page('/rates?day=2018-12-31', /ates/, async (page) => {
    await page.getByRole('img', { name: /par yield curve/ }).waitFor()
  })
  // no model is trained here, which the page says
  await page(
    '/failures',
    /since/,
    async (page) => {
      await page.getByRole('region', { name: 'Failures', exact: true }).getByRole('row').nth(3).waitFor()
      await page.getByText('No model is trained yet.').waitFor()
    },
    /model-card|status of 404/,
  )
  await page('/sources', 'Sources', async (page) => {
    await page.getByRole('row', { name: /^FFIEC Call Reports/ }).waitFor()
  })
})
