// A person who never saw it, with a question and no docs: from the start by what can be read on the pages, and by the keys alone.
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'
/** The small universe has few banks in a state: those of the largest one. */
const LEAST = 500_000

/** Goes to a control as the keyboard does: by Tab alone. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let steps = 0; steps < 200; steps++) {
    if (await control.and(page.locator(':focus')).count()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no Tab leads to ${control}`)
}

t.test(
  'which banks of a state have the most construction lending, and how the worst has done',
  { skip },
  async (t) => {
    const { app, listen } = await build(t)
    const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
    const ask = async (path: string) => (await app.inject(`/api/v1${path}`)).json().data
    const everywhere = await ask(`/screeners/banks/?min_total_assets=${LEAST}&fields=hq_state&limit=1000`)
    const counts = new Map<string, number>()
    for (const { hq_state: state } of everywhere) counts.set(state, (counts.get(state) ?? 0) + 1)
    const [state] = [...counts].sort((a, b) => b[1] - a[1])[0]!
    const asked = `/screeners/banks/?state=${state}&min_total_assets=${LEAST}&fields=rssd_id,legal_name,construction_loans,noncurrent_loans_ratio`
    const most = await ask(`${asked}&sort=-construction_loans`)
    const [worst] = await ask(`${asked}&sort=-noncurrent_loans_ratio`)

    await t.test('by the pointer', async (t) => {
      const visited = await visit(at, '/')
      const { page } = visited
      await page.getByRole('link', { name: 'Screen all banks' }).click()
      await page.getByLabel('State').selectOption(state)
      await page.getByRole('textbox', { name: 'Total assets, least' }).fill('500 million')
      await page.getByRole('textbox', { name: 'Total assets, least' }).press('Enter')
      await page.getByRole('combobox', { name: 'Add a column' }).fill('construction lending')
      await page
        .getByRole('option', { name: /^Construction and land development loans/ })
        .first()
        .click()
      const grid = page.getByRole('region', { name: 'Banks', exact: true })
      const added = grid.getByRole('columnheader', { name: 'Construction and land development loans' })
      await added.waitFor()
      const [column, frame] = [(await added.boundingBox())!, (await grid.boundingBox())!]
      t.ok(column.x + column.width <= frame.x + frame.width, 'what is added is in sight')
      await added.getByRole('button').click()
      await page.waitForURL(/sort=-construction_loans/)
      await page.getByText(new RegExp(`^${most.length} of `)).waitFor()
      t.strictSame(
        await grid.getByRole('rowheader').allTextContents(),
        most
          .slice(0, await grid.getByRole('rowheader').count())
          .map((one: { legal_name: string }) => one.legal_name),
      )
      // the worst of them
      await grid.getByRole('button', { name: 'Noncurrent loans to loans' }).click()
      await page.waitForURL(/sort=-noncurrent_loans_ratio/)
      t.equal(await grid.getByRole('rowheader').first().textContent(), worst.legal_name)
      await grid.getByRole('rowheader').first().getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: worst.legal_name }).waitFor()
      const through = page.getByRole('slider', { name: 'Noncurrent loans to loans through time' })
      await through.waitFor()
      t.match(await through.getAttribute('aria-valuetext'), worst.noncurrent_loans_ratio.toFixed(2))
      await page.getByRole('slider', { name: /^Construction loans to tier 1 capital/ }).waitFor()
      await sound(t, visited)
      await shot(page, 'newcomer-bank')
      await page.goBack()
      await grid.getByRole('rowheader', { name: worst.legal_name }).waitFor()
      t.match(
        page.url(),
        new RegExp(`state=${state}.*min_total_assets=${LEAST}`),
        'the way back is the screen as it was',
      )
    })

    await t.test('by the keys alone', async (t) => {
      const visited = await visit(at, '/')
      const { page } = visited
      await tabTo(page, page.getByRole('link', { name: 'Screen all banks' }))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Screen of banks' }).waitFor()
      t.equal(await page.locator('#main:focus').count(), 1, 'the keys go on in the new page')
      const field = page.getByRole('textbox', { name: 'Total assets, least' })
      await field.waitFor()
      await tabTo(page, page.getByLabel('State'))
      await page.keyboard.type(state)
      await page.waitForURL(new RegExp(`state=${state}`))
      await tabTo(page, field)
      await page.keyboard.type('500 million')
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`min_total_assets=${LEAST}`))
      await tabTo(page, page.getByRole('combobox', { name: 'Add a column' }))
      await page.keyboard.type('construction and land')
      await page
        .getByRole('option', { name: /^Construction and land/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      const grid = page.getByRole('region', { name: 'Banks', exact: true })
      const head = grid.getByRole('button', { name: 'Construction and land development loans' })
      await head.waitFor()
      await tabTo(page, head)
      await page.keyboard.press('Enter')
      await page.waitForURL(/sort=-construction_loans/)
      const first = grid.getByRole('rowheader').first().getByRole('link')
      t.equal(await first.textContent(), most[0].legal_name)
      await tabTo(page, first)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: most[0].legal_name }).waitFor()
      await tabTo(page, page.getByRole('slider', { name: 'Noncurrent loans to loans through time' }))
      await page.keyboard.press('Home')
      await sound(t, visited)
    })
  },
)
