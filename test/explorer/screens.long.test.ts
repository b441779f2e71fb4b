// Screens of credit unions and holding companies, and comparing them: as the API has them, by role and name.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

const kinds = [
  {
    ...{ name: 'Credit unions', path: '/screen/credit-unions', id: 'cu_number', state: 'state' },
    ...{ api: '/screeners/credit-unions/?', one: '/credit-union/', series: '/cus/' },
    choice: { label: 'Charter', value: '2', rest: 'charter_type=2' },
  },
  {
    ...{ name: 'Holding companies', path: '/screen/holding-companies', id: 'rssd_id', state: 'hq_state' },
    ...{ api: '/holding-companies/?active=1&', one: '/holding-company/', series: '/holding-companies/' },
    choice: null,
  },
]

t.test('screens of other institutions than banks', { skip }, async (t) => {
  const { app, listen } = await build(t)
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const ask = async (path: string) => (await app.inject(`/api/v1${path}`)).json()

  for (const { name, path, id, state, api, one, choice } of kinds)
    await t.test(name, async (t) => {
      const visited = await visit(at, '/screen')
      const { page } = visited
      const nouns = name.toLowerCase()
      await page.getByRole('navigation', { name: 'Kinds of institution' }).getByText(name).click()
      await page.getByRole('heading', { level: 1, name: `Screen of ${nouns}` }).waitFor()
      const { data: all, meta } = await ask(`${api}fields=${id},legal_name,roa,${state}&sort=-roa`)
      const count = (some: number) => page.getByText(new RegExp(`^${some} of ${meta.total} ${nouns}`))
      await count(meta.total).waitFor()
      t.equal(new URL(page.url()).pathname, path)

      // the grid by another order
      const grid = page.getByRole('region', { name, exact: true })
      const roa = grid.getByRole('columnheader', { name: /^(Return on assets|Net income to average assets)/ })
      await roa.getByRole('button').click()
      await grid.getByRole('rowheader', { name: all[0].legal_name, exact: true }).first().waitFor()
      await page.waitForURL(/sort=-roa/)

      // a bound written by hand, a column and a filter by name, and the state on the map
      const bound = 500_000
      await page.getByRole('textbox', { name: 'Total assets, least' }).fill('$500 million')
      await page.getByRole('textbox', { name: 'Total assets, least' }).press('Enter')
      const bounded = await ask(`${api}min_total_assets=${bound}&fields=${id},${state}`)
      t.ok(bounded.meta.total < meta.total, `${bounded.meta.total} of ${meta.total}`)
      await count(bounded.meta.total).waitFor()
      await page.getByRole('combobox', { name: 'Add a column' }).fill('asset growth 1y')
      await page.getByRole('combobox', { name: 'Add a column' }).press('Enter')
      await grid.getByRole('columnheader', { name: /growth/i }).waitFor()
      await page.getByText('On a map').click()
      await page.getByRole('img', { name: `${name} that match, by state` }).waitFor()
      const first = bounded.data.find((row: Record<string, string>) => row[state])[state]
      await page.getByRole('combobox', { name: /^State/ }).selectOption(first)
      const there = bounded.data.filter((row: Record<string, string>) => row[state] === first).length
      await count(there).waitFor()
      if (choice) {
        await page.getByRole('combobox', { name: new RegExp(`^${choice.label}`) }).selectOption(choice.value)
        const left = await ask(`${api}min_total_assets=${bound}&state=${first}&${choice.rest}`)
        await count(left.meta.total).waitFor()
        await page.waitForURL(new RegExp(choice.rest))
        await page.getByRole('combobox', { name: new RegExp(`^${choice.label}`) }).selectOption('')
      }
      await count(there).waitFor()
      await page.waitForURL(
        (url) => url.searchParams.get('state') === first && !url.search.includes('charter'),
      )
      await accessible(t, page, path)
      await shot(page, `screen-${nouns.replace(' ', '-')}`)

      // what is shown restores itself, and is asked of the API as it is told
      await page.reload()
      await count(there).waitFor()
      await page.getByText('The queries of this page').click()
      const told = new URL((await page.locator('pre').textContent())!)
      t.equal((await app.inject(told.pathname + told.search)).json().meta.total, there)
      await page.getByText('The queries of this page').click()
      await grid.getByRole('rowheader').first().getByRole('link').click()
      await page.waitForURL((url) => url.pathname.startsWith(one))
      await sound(t, visited)
    })

  await t.test('a metric that none has', async () => {
    const { page } = await visit(at, '/screen/holding-companies?filter=supplementary_leverage_ratio')
    await page.getByText('No holding company has a value.').waitFor()
  })

  await t.test('on a narrow screen the figures that matter are seen at once', async (t) => {
    const visited = await visit(at, '/screen?sort=-noncurrent_loans_ratio', { width: 390 })
    const { page } = visited
    const grid = page.getByRole('region', { name: 'Banks', exact: true })
    const { data } = await ask(
      '/screeners/banks/?sort=-noncurrent_loans_ratio&limit=1&fields=legal_name,city,hq_state,noncurrent_loans_ratio',
    )
    const [{ legal_name, city, hq_state, noncurrent_loans_ratio: worst }] = data
    await grid.getByRole('rowheader', { name: legal_name }).first().waitFor()
    t.equal(await grid.getByRole('rowheader').first().textContent(), `${legal_name}${city}, ${hq_state}`)
    t.equal(await grid.getByRole('cell').first().textContent(), `${worst.toFixed(2)}%`)
    const seen = async (name: string) => {
      const head = await grid.getByRole('columnheader', { name }).boundingBox()
      return head!.x >= 20 && head!.x + head!.width <= 370
    }
    t.ok(await seen('Noncurrent loans to loans'))
    await accessible(t, page, 'a grid on a narrow screen')

    // sorted by another column, by the keys: it stands beside the names, and the keys go on from it
    const leverage = grid.getByRole('button', { name: 'Tier 1 leverage ratio' })
    t.notOk(await seen('Tier 1 leverage ratio'))
    await leverage.press('Enter')
    await page.waitForURL(/sort=-tier1_leverage_ratio/)
    t.ok(await seen('Tier 1 leverage ratio'))
    t.match(await page.locator(':focus').textContent(), /^Tier 1 leverage ratio/)
    const place = grid.getByRole('columnheader', { name: 'Place' })
    await place.getByRole('button', { name: 'Place' }).press('Enter')
    await page.waitForURL(/sort=hq_state/)
    t.equal(await place.getAttribute('aria-sort'), 'ascending')

    await grid.focus()
    await grid.press('End')
    await grid.locator('tr[aria-rowindex="131"]').waitFor()
    t.ok((await grid.getByRole('row').count()) < 60, 'only what is in sight is on the page')
    await sound(t, visited)
    await shot(page, 'narrow-grid')
  })

  for (const { name, series, id, path } of kinds)
    await t.test(`comparing ${name}`, async (t) => {
      const plural = path.split('/').at(-1)
      const { data } = await ask(
        `${series}?active=1&sort=-total_assets&limit=3&fields=${id},legal_name,roa,report_date`,
      )
      const visited = await visit(at, `/compare?${plural}=${data[0][id]},${data[1][id]}`)
      const { page } = visited
      await page.getByRole('columnheader', { name: data[1].legal_name }).waitFor()
      const heads = page.getByRole('columnheader').getByRole('link')
      for (const [i, { legal_name }] of data.slice(0, 2).entries()) {
        t.equal(await heads.nth(i).getAttribute('title'), legal_name, 'the whole name is at hand')
        t.ok((await heads.nth(i).boundingBox())!.height < 42, 'a name takes two lines at most')
      }
      const row = page.getByRole('row', { name: /^(Return on assets|Net income to average assets)/ })
      for (const { roa } of data.slice(0, 2)) t.match(await row.textContent(), Math.abs(roa).toFixed(2))
      await accessible(t, page, `comparing ${name}`)
      await sound(t, visited)
      await shot(page, `compare-${plural}`)
    })
})
