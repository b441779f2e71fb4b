// Further pages of the explorer, over the small universe.
import t, { type Test } from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

type Page = Awaited<ReturnType<typeof visit>>['page']

t.test('further pages of the explorer', { skip }, async (t) => {
  const { app, listen, engine, published } = await build(t)
  // so small a universe leaves nothing to try its model on: measures as a training on more writes them
  const bin = (bin: number, predicted: number, observed: number) => ({
    ...{ bin, banks: 1000, failures: observed * 1000, least: predicted, most: predicted },
    ...{ predicted, observed },
  })
  const measures = [
    {
      ...{ part: 'test', observations: 4000, failures: 187, failed_banks: 60, auc: 0.912, auc_low: 0.88 },
      ...{ auc_high: 0.94, log_loss: 0.1, brier: 0.03, brier_skill: 0.25, calibration_error: 0.004 },
      top: [{ share: 5, listed: 200, caught: 120, precision: 60, recall: 64.2 }],
      calibration: [],
      levels: [bin(1, 0.001, 0.002), bin(2, 0.01, 0.012), bin(3, 0.05, 0.043), bin(4, 0.2, 0.13)],
    },
  ]
  await engine.loader(published.publication.database).command({
    query: `ALTER TABLE risk_models UPDATE card = replaceOne(card, '"measures":[]', {measures:String}) WHERE true`,
    query_params: { measures: `"measures":${JSON.stringify(measures)}` },
    clickhouse_settings: { mutations_sync: '2' },
  })
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const ask = async (path: string) => (await app.inject(`/api/v1${path}`)).json()

  /** Opens a page, waits for its heading, does what is told, and holds what every page must. */
  const page = (path: string, heading: string | RegExp, then: (t: Test, page: Page) => Promise<void>) =>
    t.test(path, async (t) => {
      const visited = await visit(at, path)
      await visited.page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await then(t, visited.page)
      await accessible(t, visited.page, path)
      await sound(t, visited)
      await shot(visited.page, path.replaceAll(/\W+/g, '-').slice(1, 30))
    })

  /** Opens where a figure comes from, holds that an item has the value that the API tells, and closes it. */
  async function traced(t: Test, page: Page, label: string, item: string, asked: string): Promise<void> {
    const { data } = await ask(`/reference/metrics/roa/?${asked}`)
    const { value } = data.lineage.find(({ code }: { code: string }) => code === item)
    t.type(value, 'number')
    await page.getByRole('button', { name: `where ${label} comes from` }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Where the figure comes from' })
    await dialog.getByRole('heading', { name: label }).waitFor()
    const row = dialog.getByRole('row', { name: new RegExp(item) }).first()
    t.match(await row.textContent(), value.toLocaleString('en-US'))
    t.match(
      await dialog.textContent(),
      new RegExp(`All ${data.count} (credit unions|holding companies): median`),
    )
    await accessible(t, page, `the lineage of ${label}`)
    t.match(page.url(), /\?metric=roa/)
    await page.reload()
    await dialog.getByRole('heading', { name: label }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('metric'))
    await page.getByRole('button', { name: ': what Loans is made of' }).press('Enter')
    await dialog.getByRole('heading', { name: /loans/i }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('metric'))
  }

  const { data: unions } = await ask('/cus/?limit=1&active=1&sort=-total_assets')
  await page(`/credit-union/${unions[0].cu_number}`, unions[0].legal_name, async (t, page) => {
    t.match(await page.getByText(/^against credit unions/).textContent(), /million|billion/)
    t.ok(await page.getByRole('slider', { name: 'Net worth ratio through time' }).count())
    const { data } = await ask(`/cus/${unions[0].cu_number}/trends/?against=cohort&quarters=1&metrics=roa`)
    await page
      .getByRole('img', { name: /^percentile \d+ of credit unions/ })
      .first()
      .waitFor()
    const tile = page.getByText(data[0].label, { exact: true }).first().locator('..')
    t.match(await tile.textContent(), new RegExp(`median ${data[0].median.toFixed(2)}`))
    t.ok(
      await tile
        .getByRole('img', { name: new RegExp(`^percentile ${data[0].percentile.toFixed(0)} of`) })
        .count(),
    )
    for (const picture of ['Loans', 'Shares and deposits', 'Investments'])
      await page.getByRole('img', { name: `${picture} by quarter, stacked` }).waitFor()
    const asked = `universe=credit_union&cu_number=${unions[0].cu_number}`
    await traced(t, page, data[0].label, 'ACCT_661A', asked)
  })

  const { data: holders } = await ask('/holding-companies/?limit=1&active=1&sort=-total_assets')
  await page(`/holding-company/${holders[0].rssd_id}`, holders[0].legal_name, async (t, page) => {
    const { data } = await ask(`/holding-companies/${holders[0].rssd_id}/`)
    await page
      .getByRole('img', { name: /^percentile \d+ of holding companies/ })
      .first()
      .waitFor()
    t.ok(await page.getByText(/^Median of holding companies of peer group/).count())
    for (const picture of ['Loans', 'Deposits', 'Securities'])
      await page.getByRole('img', { name: `${picture} by quarter, stacked` }).waitFor()
    const asked = `universe=holding_company&rssd_id=${holders[0].rssd_id}`
    await traced(t, page, 'Return on assets', 'BHCK4340', asked)
    await page.getByRole('link', { name: data.banks[0].legal_name }).click()
    await page.getByRole('heading', { level: 1, name: data.banks[0].legal_name }).waitFor()
    t.equal(new URL(page.url()).pathname, `/bank/${data.banks[0].rssd_id}`)
  })

  await page('/failures', /since 1934/, async (t, page) => {
    const { meta } = await ask('/failures/?limit=1')
    const count = meta.total.toLocaleString('en-US')
    await page.getByText(`${count} of ${count}`, { exact: true }).waitFor()
    const grid = page.getByRole('region', { name: 'Failures', exact: true })
    t.ok((await grid.getByRole('row').count()) < 100, 'only what is in sight is on the page')
    await page.emulateMedia({ media: 'print' })
    await grid.locator(`tr[aria-rowindex="${Math.min(meta.total, 2000) + 1}"]`).waitFor()
    t.equal(await grid.getByRole('row').count(), Math.min(meta.total, 2000) + 1, 'paper has what scrolls')
    await page.emulateMedia({ media: null })
    await grid.focus()
    await grid.press('End')
    await grid.locator(`tr[aria-rowindex="${meta.total + 1}"]`).waitFor()
    const { data } = await ask('/failures/?limit=1&sort=-cost')
    await grid.getByRole('button', { name: 'Estimated loss' }).click()
    await grid.focus()
    await grid.press('Home')
    await grid
      .getByRole('row', { name: new RegExp(data[0].name, 'i') })
      .first()
      .waitFor()
    t.match(page.url(), /sort=-cost/)
    await page.getByRole('button', { name: 'Table of Failures and assistance' }).click()
    t.ok(await page.getByRole('row', { name: /^1934/ }).count())
    const [measured] = (await ask('/risk/model-card/')).data.measures
    const picture = page.getByRole('img', { name: 'Calibration of the model' })
    t.equal(await picture.locator('circle').count(), measured.levels.length)
    t.equal(await picture.locator('title').last().textContent(), 'given 20.00%, failed 13.00%: 130 of 1,000')
    t.match(await page.getByRole('row', { name: /^Quarters after the window/ }).textContent(), /0\.912/)
    await page.getByText(/^What it weighs/).click()
    t.ok(await page.getByRole('columnheader', { name: 'Effect of a standard deviation' }).count())
  })

  await page('/rates', 'Interest rates', async (t, page) => {
    t.ok(await page.getByRole('img', { name: /par yield curve/ }).count())
    t.ok(await page.getByRole('slider', { name: 'Treasury yields through time' }).count())
    const daily = page.getByRole('slider', { name: 'Treasury yields by day through time' })
    await daily.waitFor()
    const { data } = await ask('/rates/yield-curve/?tenor=2Y,10Y&sort=-date,tenor&limit=2')
    t.strictSame(
      data.map((row: { tenor: string }) => row.tenor),
      ['10Y', '2Y'],
    )
    const slope = page.getByRole('slider', { name: '10-year less 2-year yield through time' }).first()
    const said = (data[0].yield - data[1].yield).toFixed(2)
    t.match(await slope.getAttribute('aria-valuetext'), `: ${said.replace('-', '−')} percentage points`)
    await page.getByLabel('1 year', { exact: true }).check()
    await page.waitForURL(/years=1/)

    // the curve of a day of the reader's choice: that of the business day before a Sunday
    const { data: curve } = await ask('/rates/yield-curve/?from=2025-03-01&to=2025-03-09')
    const last = curve.at(-1).date
    t.equal(new Date('2025-03-09').getUTCDay(), 0)
    await page.getByLabel('Compare with').fill('2025-03-09')
    await page.waitForURL(/day=2025-03-09/)
    const name = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(last),
    )
    await page.getByText(name, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'A year earlier' }).click()
    await page.waitForURL((url) => !url.search.includes('day='))
  })

  await page('/industry', 'The banking industry', async (t, page) => {
    const { data } = await ask('/industry/peer-groups/')
    for (const { label } of data) t.ok(await page.getByRole('rowheader', { name: label }).count(), label)
  })

  await page('/sources', 'Sources', async (t, page) => {
    const { meta } = await ask('/reference/sources/')
    t.equal(await page.getByRole('row').count(), meta.total + 1)
    t.ok(await page.getByText('what the other pages show is invented').count())
  })

  const { data: banks } = await ask(
    '/screeners/banks/?sort=-total_assets&limit=3&fields=rssd_id,legal_name,roa',
  )
  await page(`/compare?banks=${banks[0].rssd_id},${banks[1].rssd_id}`, 'Compare banks', async (t, page) => {
    await page.getByRole('columnheader', { name: banks[1].legal_name }).waitFor()
    await page.getByRole('combobox', { name: 'Add a bank' }).fill(banks[2].legal_name)
    await page.getByRole('option').first().waitFor()
    await page.getByRole('combobox', { name: 'Add a bank' }).press('Enter')
    await page.getByRole('columnheader', { name: banks[2].legal_name }).waitFor()
    const row = await page.getByRole('row', { name: /^Return on assets/ }).textContent()
    for (const { roa } of banks) t.match(row, Math.abs(roa).toFixed(2))
    await page.getByRole('button', { name: `Remove ${banks[0].legal_name}` }).click()
    await page.waitForURL(new RegExp(`banks=${banks[1].rssd_id},${banks[2].rssd_id}$`))
  })
})
