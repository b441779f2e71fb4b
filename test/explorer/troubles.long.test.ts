// What goes wrong looks like an answer: it says what it is, and what can be done.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

t.test('nothing is loaded', { skip }, async (t) => {
  const { listen } = await build(t, { data: false })
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  for (const path of ['/', '/screen', '/bank/852218', '/industry', '/compare', '/failures', '/rates']) {
    const { page } = await visit(at, path)
    await page.getByRole('heading', { level: 1 }).or(page.locator('.note')).first().waitFor()
    t.notMatch(await page.locator('main').textContent(), /undefined|NaN|\[object/, path)
    await accessible(t, page, `${path} without data`)
  }
  const { page } = await visit(at, '/screen')
  await page.getByText(/Nothing is loaded for the banks yet/).waitFor()
  await shot(page, 'no-data')
})

t.test('what is asked is not there, or may not be read', { skip }, async (t) => {
  const { listen, published } = await build(t, { env: { ALLOWANCE_NO_KEY: '40' } })
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const bank = published.examples.bank!

  await t.test('a bank that does not exist', async (t) => {
    const { page } = await visit(at, '/bank/1')
    await page.getByText('No bank has the number 1').waitFor()
    await page.getByRole('note').getByText('Synthetic data').waitFor()
    await accessible(t, page, 'no such bank')
    await shot(page, 'no-such-bank')
  })

  await t.test('a page that does not exist', async (t) => {
    const { page } = await visit(at, '/nothing')
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
    await page.getByRole('note').getByText('Synthetic data').waitFor()
    await accessible(t, page, 'no such page')
    await page.getByRole('link', { name: 'at the start' }).click()
    await page.getByRole('heading', { name: /The industry now/ }).waitFor()
  })

  await t.test('of several to compare, one that does not exist is left out', async (t) => {
    const { page } = await visit(at, `/compare?banks=${bank},1`)
    await page.getByText('No bank has the number 1').waitFor()
    await page.getByRole('slider', { name: 'Return on assets through time' }).waitFor()
    await accessible(t, page, 'comparing one that does not exist')
    await page.getByRole('button', { name: 'Remove 1' }).click()
    await page.waitForURL((url) => url.search === `?banks=${bank}`)
    await page.getByText('No bank has the number 1').waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'The banks now' }).getByRole('link').click()
    await page.waitForURL(`**/bank/${bank}`)
    const alone = await visit(at, '/compare?banks=1')
    await alone.page.getByText('No bank has the number 1').waitFor()
    await alone.page.getByRole('button', { name: 'Remove 1' }).waitFor()
  })

  await t.test('a metric that does not exist is left out, and said', async () => {
    const { page } = await visit(at, '/screen?min_nonsense=3&show=total_assets,rubbish')
    await page.getByText(/There is no metric nonsense, rubbish/).waitFor()
    await page.getByText(/^130 of 130 banks/).waitFor()
  })

  await t.test('a key that is not in force', async () => {
    const { page } = await visit(at, `/bank/${bank}`, { key: `bds_f_${'x'.repeat(43)}` })
    await page.getByText('This key is not in force').first().waitFor()
    await page.getByRole('button', { name: 'Go on without a key' }).first().click()
    await page.getByText('The scorecard needs a free key').waitFor()
  })

  await t.test('the day’s allowance is used up', async (t) => {
    const { page } = await visit(at, `/bank/${bank}`)
    for (let i = 0; i < 45; i++)
      await page.evaluate(`fetch('/api/v1/banks/?limit=${i + 1}').then((r) => r.text())`)
    await page.goto(`${at.origin}/industry`)
    await page.getByText('Today’s allowance is used up').first().waitFor()
    await accessible(t, page, 'no allowance')
    await shot(page, 'allowance-used-up')
  })
})

t.test('the engine is away', { skip }, async (t) => {
  const { listen, published, config, app } = await build(t, {
    env: { QUERY_SECONDS: '1', CACHE_MIB: '0', RESIDENT_MIB: '0' },
  })
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const bank = published.examples.bank!
  const { legal_name: name } = (await app.inject(`/api/v1/banks/${bank}/?fields=legal_name`)).json().data
  const { pid } = (await readEngineFile(enginePaths(config).address))!
  t.teardown(() => process.kill(pid, 'SIGCONT'))
  process.kill(pid, 'SIGSTOP')
  const { page } = await visit(at, `/bank/${bank}`)
  await page.getByText('The bank cannot be read for the moment').waitFor()
  t.notMatch(await page.locator('main').textContent(), /undefined|NaN|\[object|ECONN|clickhouse/i)
  await accessible(t, page, 'without an engine')
  await shot(page, 'engine-away')
  process.kill(pid, 'SIGCONT')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
})
