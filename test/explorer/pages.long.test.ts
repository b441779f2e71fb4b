// The pages of the explorer as a person finds things: by role and name, in a real browser, over the small universe.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

t.test('pages of the explorer', { skip }, async (t) => {
  const { app, listen, published, newKey } = await build(t)
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const bank = published.examples.bank!
  const { legal_name: name } = (await app.inject(`/api/v1/banks/${bank}/?fields=legal_name`)).json().data

  await t.test(
    'home has the industry, failures and the curve, and says that they are invented',
    async (t) => {
      const visited = await visit(at, '/')
      const { page } = visited
      await page.getByRole('heading', { name: /The industry now/ }).waitFor()
      t.match(await page.getByRole('note').textContent(), /Synthetic data/)
      t.match(await page.getByText('Banks that filed').locator('..').textContent(), /130/)
      t.ok(await page.getByRole('slider', { name: 'Total assets through time' }).count())
      t.ok(await page.getByRole('img', { name: /Treasury yields/ }).count())
      t.ok((await page.getByRole('row').count()) > 3, 'failures')

      await page.getByRole('button', { name: /Table of Treasury yields/ }).press('Enter')
      t.match(await page.getByRole('row', { name: /^10Y/ }).textContent(), /10Y\d\.\d+%/)
      await accessible(t, page, 'home')
      await sound(t, visited)
      await shot(page, 'home')
    },
  )

  await t.test('the search completes by the keys alone, and leads to the bank', async (t) => {
    const visited = await visit(at, '/')
    const { page } = visited
    const field = page.getByRole('combobox', { name: 'Search all institutions' })
    await field.fill(String(bank))
    const option = page.getByRole('option', { name: new RegExp(name) })
    await option.waitFor()
    t.equal(await option.getAttribute('aria-selected'), 'true')
    await accessible(t, page, 'the search open')
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    t.equal(new URL(page.url()).pathname, `/bank/${bank}`)
    await page.goBack()
    await page.getByRole('heading', { name: /The industry now/ }).waitFor()
    await sound(t, visited)
  })

  await t.test(
    'the screen counts, orders and filters as the API does, and its address restores it',
    async (t) => {
      const address =
        '/screen?min_total_assets=500000&show=total_assets,construction_loans&sort=-construction_loans'
      const visited = await visit(at, address)
      const { page } = visited
      const { data, meta } = (
        await app.inject(
          '/api/v1/screeners/banks/?min_total_assets=500000&sort=-construction_loans&fields=rssd_id,legal_name,hq_state',
        )
      ).json()
      const grid = page.getByRole('region', { name: 'Banks', exact: true })
      await grid.getByRole('rowheader').first().waitFor()
      t.equal(await grid.getByRole('rowheader').first().textContent(), data[0].legal_name)
      t.match(await page.getByText(/of 130 banks/).textContent(), new RegExp(`^${meta.total} of 130`))
      t.equal(
        await grid.getByRole('columnheader', { name: /Construction/ }).getAttribute('aria-sort'),
        'descending',
      )
      const most = page.getByRole('slider', { name: 'Total assets: at least' })
      t.match(await most.getAttribute('aria-valuetext'), '$500 million')

      await shot(page, 'explorer-screen', { height: 720 })
      const { hq_state: state } = data[0]
      await page.getByLabel('State').selectOption(state)
      const ofState = data.filter((row: { hq_state: string }) => row.hq_state === state).length
      await page.getByText(new RegExp(`^${ofState} of 130 banks`)).waitFor()
      await page.waitForURL(new RegExp(`state=${state}`))
      await page.reload()
      await page.getByText(new RegExp(`^${ofState} of 130 banks`)).waitFor()

      await page.getByText('The queries of this page').click()
      await page.getByLabel('curl').check()
      t.match(await page.locator('pre').textContent(), new RegExp(`state=${state}.*min_total_assets=500000`))
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV of Banks that match' }).click()
      t.equal((await download).suggestedFilename(), 'bank-screener.csv')
      await accessible(t, page, 'screen')
      await sound(t, visited)
      await shot(page, 'screen')
    },
  )

  await t.test(
    'a handle moved by keys bounds the metric, and a column and a filter are added by name',
    async (t) => {
      const visited = await visit(at, '/screen')
      const { page } = visited
      await page.getByText(/^130 of 130 banks/).waitFor()
      const handle = page.getByRole('slider', { name: 'Total assets: at least' })
      await handle.focus()
      for (let i = 0; i < 30; i++) await handle.press('ArrowRight')
      t.notMatch(await page.getByText(/of 130 banks/).textContent(), /^130 of/)
      await page.waitForURL(/min_total_assets=\d/)

      await page.getByRole('combobox', { name: 'Add a filter' }).fill('efficiency ratio')
      await page
        .getByRole('option', { name: /^Efficiency ratio/ })
        .first()
        .click()
      await page.getByRole('textbox', { name: 'Efficiency ratio, most' }).fill('60 %')
      await page.getByRole('textbox', { name: 'Efficiency ratio, most' }).press('Enter')
      await page.waitForURL(/max_efficiency_ratio=60/)

      // what is written stays while the page reads what it lacks
      let release = (): void => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(/screeners.*cre_concentration/, (route) => held.then(() => route.continue()))
      await page.getByRole('combobox', { name: 'Add a column' }).fill('cre concentration')
      await page.getByRole('combobox', { name: 'Add a column' }).press('Enter')
      await page.getByRole('button', { name: /Remove the column .*real estate/i }).waitFor()
      await page.getByRole('textbox', { name: 'Total assets, least' }).fill('plenty')
      release()
      await page.getByRole('columnheader', { name: /real estate/i }).waitFor()
      t.equal(await page.getByRole('textbox', { name: 'Total assets, least' }).inputValue(), 'plenty')
      await page.getByRole('textbox', { name: 'Total assets, least' }).press('Enter')
      await page
        .getByRole('textbox', { name: 'Total assets, least' })
        .and(page.locator('[aria-invalid=true]'))
        .waitFor()
      await sound(t, visited)
    },
  )

  await t.test(
    'a bank has its figures with ranks, trends and parts, and says what takes a key',
    async (t) => {
      const visited = await visit(at, `/bank/${bank}`)
      const { page } = visited
      await page.getByRole('heading', { level: 1, name }).waitFor()
      const ranks = (await app.inject(`/api/v1/banks/${bank}/ranks/?metrics=roa`)).json().data[0]
      t.ok(
        await page
          .getByRole('img', { name: new RegExp(`percentile ${ranks.percentile.toFixed(0)} of`) })
          .count(),
      )
      for (const picture of ['Return on assets', 'Net interest margin', 'Common equity tier 1 ratio'])
        t.ok(await page.getByRole('slider', { name: `${picture} through time` }).count(), picture)
      for (const picture of ['Loans', 'Deposits', 'Securities'])
        t.ok(await page.getByRole('img', { name: `${picture} by quarter, stacked` }).count(), picture)
      t.ok(await page.getByText('The scorecard needs a free key').count())
      t.ok(await page.getByText('The failure score needs a premium key').count())

      // what happened to it, drawn along the years and as a table
      const { events } = (await app.inject(`/api/v1/banks/${bank}/profile/`)).json().data
      const timeline = page.getByRole('img', { name: 'Events through time' })
      t.ok(events.length > 1)
      t.equal(await timeline.locator('rect').count(), events.length)
      await page.getByRole('button', { name: 'Table of Events through time' }).press('Enter')
      const rows = page.getByRole('region', { name: 'Events through time' }).getByRole('row')
      t.equal(await rows.count(), events.length + 1)
      t.match(await rows.nth(1).textContent(), new RegExp(`${events[0].date.slice(0, 4)}`))
      await page.getByRole('button', { name: 'Table of Events through time' }).press('Enter')

      // figures stand in line whatever their labels are, and so do pictures
      const tops =
        (await page.evaluate(`[...document.querySelectorAll('.tiles > div, .multiples > .picture')].map((one) =>
        [one, one.querySelector('dd, .canvas')].map((part) => Math.round(part.getBoundingClientRect().top)).join(' '))`)) as string[]
      const lines = new Set(tops.map((top) => top.split(' ')[0]))
      t.ok(tops.length > 20 && lines.size < tops.length / 2)
      t.equal(new Set(tops).size, lines.size)

      const slider = page.getByRole('slider', { name: 'Return on assets through time' })
      const ticks = (await slider.locator('text').allTextContents()).filter((text) => !text.includes('%'))
      t.equal(new Set(ticks).size, ticks.length, 'no time is named twice')
      t.ok(ticks.length > 1)
      for (const tick of ticks) t.match(tick, /^\d{4} Q[1-4]$/, 'every time is called a quarter')
      await slider.focus()
      await slider.press('Home')
      t.match(await slider.getAttribute('aria-valuetext'), /^\d{4} Q\d: /)
      await accessible(t, page, 'a bank')
      await sound(t, visited)
      await shot(page, 'bank')
      await shot(page, 'explorer-bank', { height: 1150 })
    },
  )

  await t.test('a figure opens where it comes from, and its address does too', async (t) => {
    const visited = await visit(at, `/bank/${bank}`)
    const { page } = visited
    await page.getByRole('button', { name: 'Where Return on assets comes from' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Where the figure comes from' })
    await dialog.getByRole('heading', { name: 'Return on assets' }).waitFor()
    t.match(await dialog.textContent(), /PCTOFANN\(m:net_income/)
    t.match(
      await dialog
        .getByRole('row', { name: /RIAD4340/ })
        .first()
        .textContent(),
      /[\d,]{3,}/,
    )
    const query = await dialog.getByRole('link', { name: 'The query of this figure' }).getAttribute('href')
    t.match(
      await dialog.locator('.large').textContent(),
      (await app.inject(query!)).json().data.value.toFixed(2),
    )
    await accessible(t, page, 'the lineage')
    t.match(page.url(), /\?metric=roa/)
    await page.reload()
    await dialog.getByRole('heading', { name: 'Return on assets' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('metric'))

    // so do figures of pictures, and what a whole is made of
    for (const [picture, label] of [
      ['Net interest margin', 'Net interest margin'],
      ['Loans', 'Total loans and leases'],
      ['Construction and land development loans', 'Construction and land development loans'],
    ] as const) {
      await page.getByRole('button', { name: `: what ${picture} is made of` }).press('Enter')
      await dialog.getByRole('heading', { name: label }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => !url.search.includes('metric'))
    }
    await sound(t, visited)
  })

  await t.test('with a key there are the scorecard and the failure score, in the tab alone', async (t) => {
    const { secret } = await newKey('premium')
    const visited = await visit(at, `/bank/${bank}`)
    const { page } = visited
    await page.getByRole('button', { name: 'Key' }).click()
    await page.getByLabel('API key', { exact: true }).last().fill(secret)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText(/of 100 points/).waitFor()
    await page.getByText(/likely to fail within a year|There is no score/).waitFor()
    await page.getByRole('button', { name: 'Tier 1 leverage ratio', exact: true }).last().press('Enter')
    await page.getByRole('dialog').getByRole('heading', { name: 'Tier 1 leverage ratio' }).waitFor()
    await page.keyboard.press('Escape')
    t.notOk(page.url().includes(secret))
    await page.getByText('The queries of this page').click()
    t.notOk((await page.content()).includes(secret), 'it is shown nowhere')
    await accessible(t, page, 'a bank with a key')
    await sound(t, visited)
    await shot(page, 'bank-with-a-key')
    await page.getByRole('button', { name: 'Key' }).first().click()
    await page.getByRole('button', { name: 'Take it away' }).click()
    await page.getByText('The scorecard needs a free key').waitFor()
  })

  await t.test('narrow and dark', async (t) => {
    for (const path of ['/', '/screen', `/bank/${bank}`]) {
      const visited = await visit(at, path, { width: 390, colorScheme: 'dark' })
      await visited.page.getByRole('heading', { level: 1 }).waitFor()
      const search = visited.page.getByRole('combobox', { name: /^Search/ })
      await search.fill('bank')
      const found = (await visited.page.getByRole('listbox').getByRole('option').first().boundingBox())!
      t.ok(found.x >= 0 && found.x + found.width <= 390, 'what is found is within the screen')
      await search.press('Escape')
      await accessible(t, visited.page, `${path} narrow and dark`)
      await sound(t, visited)
      await shot(visited.page, `narrow${path.replaceAll(/\W/g, '-')}`)
    }
  })
})
