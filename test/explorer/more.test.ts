// Further pages of the explorer, over the small universe.
import t, { type Test } from 'tap'
import { build } from '../helpers/app.ts'
import { chromiumPath, openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

t.test('further pages of the explorer', { skip }, async (t) => {
  const { app, listen } = await build(t)
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const ask = async (path: string) => (await app.inject(`/api/v1${path}`)).json()

  /** Opens a page, waits for its heading, does what is told, and holds what every page must. */
  const page = (
    path: string,
    heading: string | RegExp,
    then: (t: Test, page: Awaited<ReturnType<typeof visit>>['page']) => Promise<void>,
  ) =>
    t.test(path, async (t) => {
      const visited = await visit(at, path)
      await visited.page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await then(t, visited.page)
      await accessible(t, visited.page, path)
      await sound(t, visited)
      await shot(visited.page, path.replaceAll(/\W+/g, '-').slice(1, 30))
    })

  const { data: unions } = await ask('/cus/?limit=1&active=1&sort=-total_assets')
  await page(`/credit-union/${unions[0].cu_number}`, unions[0].legal_name, async (t, page) => {
    t.match(await page.getByText(/^against credit unions/).textContent(), /million|billion/)
    t.ok(await page.getByRole('slider', { name: 'Net worth ratio through time' }).count())
  })

  const { data: holders } = await ask('/holding-companies/?limit=1&active=1&sort=-total_assets')
  await page(`/holding-company/${holders[0].rssd_id}`, holders[0].legal_name, async (t, page) => {
    const { data } = await ask(`/holding-companies/${holders[0].rssd_id}/`)
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
  })

  await page('/rates', 'Interest rates', async (t, page) => {
    t.ok(await page.getByRole('img', { name: /par yield curve/ }).count())
    t.ok(await page.getByRole('slider', { name: 'Treasury yields through time' }).count())
  })

  await page('/industry', 'The banking industry', async (t, page) => {
    const { data } = await ask('/industry/peer-groups/')
    for (const { label } of data) t.ok(await page.getByRole('rowheader', { name: label }).count(), label)
  })

  await page('/sources', 'Sources', async (t, page) => {
    const { meta } = await ask('/reference/sources/')
    t.equal(await page.getByRole('row').count(), meta.total + 1)
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
