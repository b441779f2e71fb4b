// Pages of the explorer that show where things are and who holds whom, over the small universe.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { readPublished } from '../../server/published.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

interface Edge {
  readonly offspring_rssd_id: number
}

t.test('maps and trees of the explorer', { skip }, async (t) => {
  const { app, listen, engine, serve, published } = await build(t, { env: { CACHE_MIB: '0' } })
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const ask = async (path: string) => (await app.inject(`/api/v1${path}`)).json()
  const [bank] = (await ask('/screeners/banks/?limit=1&sort=-total_assets')).data
  // of some offices that lie well inside of a state, in Alaska and Hawaii too
  const cities = [
    ['New York', -76.15, 43.05],
    ['Colorado', -104.99, 39.74],
    ['Alaska', -147.72, 64.84],
    ['Hawaii', -155.5, 19.6],
    ['Florida', -81.38, 28.54],
  ] as const
  const { data: offices } = await ask(`/banks/${bank.rssd_id}/branches/map/?limit=${cities.length}`)
  const numbers = offices.map((office: { branch_number: number }) => office.branch_number)
  const moved = (values: readonly (string | number)[]) =>
    `transform(branch_number, [${numbers}]::Array(Int64), [${values}], `
  await engine.loader(published.publication.database).command({
    query: `ALTER TABLE branch_deposits UPDATE
      longitude = ${moved(cities.map(([, longitude]) => longitude))} longitude),
      latitude = ${moved(cities.map(([, , latitude]) => latitude))} latitude),
      name = ${moved(cities.map((_, i) => `'Office ${i}'`))} name) WHERE rssd_id = ${bank.rssd_id}`,
    clickhouse_settings: { mutations_sync: '2' },
  })
  // what the server held of them is as they were
  serve(await readPublished(engine, published.publication, universes))
  const page = async (path: string) => {
    const visited = await visit(at, path)
    const { page } = visited
    const whole = async (name: string) => {
      await accessible(t, page, path)
      await sound(t, visited)
      await shot(page, name)
    }
    return { page, whole }
  }

  await t.test('branches', async (t) => {
    const { page: first, whole } = await page(`/bank/${bank.rssd_id}`)
    await first.getByRole('link', { name: 'Branches' }).click()
    await first.waitForURL(`**/bank/${bank.rssd_id}/branches`)
    await first.getByRole('heading', { level: 1, name: bank.legal_name }).waitFor()
    const { data } = await ask(`/banks/${bank.rssd_id}/branches/map/?sort=-deposits&limit=10000`)
    const map = first.getByRole('img', { name: 'Deposits by state, and offices' })
    await map.locator('circle').first().waitFor()
    t.equal(await map.locator('circle').count(), data.length, 'each office that has coordinates is a point')
    t.equal(await map.locator('path').count(), 51)
    const outside = await first.evaluate(`(() => {
      const named = (kind, text) => [...document.querySelectorAll('.map ' + kind)].find((one) => one.textContent.startsWith(text))
      return ${JSON.stringify(cities.map(([state]) => state))}.filter((state, i) => {
        const { cx, cy } = named('circle', 'Office ' + i + ',')
        return !named('path', state + ':').isPointInFill(new DOMPoint(cx.baseVal.value, cy.baseVal.value))
      })
    })()`)
    t.strictSame(outside, [], 'points lie in the states that they are in')
    const grid = first.getByRole('region', { name: 'Offices', exact: true })
    await grid.getByRole('rowheader', { name: data[0].name }).first().waitFor()
    await first.getByRole('button', { name: 'Table of Deposits by state, and offices' }).click()
    const states = new Set(data.map(({ state }: { state: string }) => state))
    const table = first.getByRole('region', { name: 'Deposits by state, and offices' })
    t.equal(await table.getByRole('row').count(), states.size + 1)
    await first.getByRole('button', { name: 'Table of Deposits by state, and offices' }).click()
    await map.waitFor()
    await whole('bank-branches')
  })

  await t.test('structure', async (t) => {
    const { data } = await ask(`/banks/${bank.rssd_id}/structure/full/`)
    const { page: tree, whole } = await page(`/bank/${bank.rssd_id}/structure`)
    await tree.getByRole('heading', { level: 1, name: bank.legal_name }).waitFor()
    t.ok(data.parents.length + data.subsidiaries.length > 0)
    for (const { legal_name } of [...data.parents, ...data.subsidiaries.slice(0, 20)])
      t.ok(await tree.getByRole('listitem').filter({ hasText: legal_name }).count(), legal_name)
    await whole('bank-structure')
  })

  await t.test('structure of a holding company', async (t) => {
    const [holder] = (await ask('/holding-companies/?limit=1&active=1&sort=-bank_assets')).data
    const { data } = await ask(`/banks/${holder.rssd_id}/structure/full/`)
    const { page: tree, whole } = await page(`/holding-company/${holder.rssd_id}`)
    await tree.getByRole('link', { name: 'Structure' }).click()
    await tree.waitForURL(`**/holding-company/${holder.rssd_id}/structure`)
    await tree.getByRole('heading', { level: 1, name: holder.legal_name }).waitFor()
    const below = tree.getByRole('figure', { name: 'Below it' })
    await below.getByRole('listitem').first().waitFor()
    t.ok(data.subsidiaries.length > 0)
    for (const { legal_name } of data.subsidiaries.slice(0, 20))
      t.ok(await below.getByRole('listitem').filter({ hasText: legal_name }).count(), legal_name)
    // the same as a table, one key away
    await below.getByRole('button', { name: 'Table of Below it' }).press('Enter')
    const table = below.getByRole('region', { name: 'Below it' })
    const [{ rssd_id, legal_name, depth }] = data.subsidiaries
    const edge = data.relationships.find((one: Edge) => one.offspring_rssd_id === rssd_id)
    const row = table
      .getByRole('row')
      .filter({ hasText: String(rssd_id) })
      .first()
    t.equal(await row.getByRole('rowheader').textContent(), legal_name)
    const [id, holds, steps, , share] = await row.getByRole('cell').allTextContents()
    t.strictSame(
      [id, holds, steps, share],
      [String(rssd_id), data.legal_name, String(depth), `${edge.percent_equity}%`],
    )
    for (const { legal_name } of data.subsidiaries)
      t.ok(await table.getByRole('rowheader', { name: legal_name, exact: true }).count(), legal_name)
    await accessible(t, tree, 'the structure as a table')
    await below.getByRole('button', { name: 'Table of Below it' }).press('Enter')
    await below.getByRole('listitem').first().waitFor()
    await whole('holding-company-structure')
  })

  await t.test('offices and ATMs of a credit union', async (t) => {
    const [union] = (await ask('/cus/?limit=1&active=1&sort=-total_assets')).data
    const { page: places, whole } = await page(`/credit-union/${union.cu_number}`)
    await places.getByRole('link', { name: 'Branches' }).click()
    await places.getByRole('heading', { level: 1, name: union.legal_name }).waitFor()
    for (const [path, name, noun] of [
      ['branches', 'Offices', 'office'],
      ['atms', 'ATMs', 'ATM'],
    ] as const) {
      const { data } = await ask(`/cus/${union.cu_number}/${path}/?sort=state`)
      await places.getByRole('heading', { name: new RegExp(`^${data.length} ${noun}`) }).waitFor()
      const grid = places.getByRole('region', { name, exact: true })
      t.match(await grid.getByRole('row').nth(1).textContent(), data[0].name)
      t.equal(Number(await grid.getByRole('table').getAttribute('aria-rowcount')), data.length + 1)
    }
    // a map of one state would say nothing
    t.equal(await places.getByRole('img').count(), 0)
    await whole('credit-union-branches')
  })

  await t.test('a screen on a map', async (t) => {
    const { page: screen, whole } = await page('/screen?min_total_assets=1000000')
    await screen.getByText('On a map').click()
    const map = screen.getByRole('img', { name: 'Banks that match, by state' })
    await map.locator('path').first().waitFor()
    const { data } = await ask('/screeners/banks/?min_total_assets=1000000&fields=hq_state&limit=10000')
    const [{ hq_state: state }] = data
    const count = data.filter((row: { hq_state: string }) => row.hq_state === state).length
    await screen.waitForURL(/map=1/)
    const { data: states } = await ask('/reference/states/?fields=state,name&limit=100')
    const { name } = states.find((row: { state: string }) => row.state === state)
    const shape = map.locator('path', { hasText: new RegExp(`^${name}: ${count}$`) })
    await shape.click({ force: true })
    await screen.waitForURL(new RegExp(`state=${state}`))
    await screen.getByText(`${count} of`).waitFor()
    t.ok((await map.locator('path:not(.none)').count()) > 1, 'the other states stay to be chosen')
    await whole('screen-map')
  })
})
