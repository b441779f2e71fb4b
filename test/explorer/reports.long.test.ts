// The report of one bank and what is on record of it, over the small universe.
import { execFile as execute } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { read, utils } from '@e965/xlsx'
import t, { type Test } from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'
import { python, withoutModules } from '../helpers/python.ts'

const execFile = promisify(execute)
const runner = fileURLToPath(new URL('../clients/run_page.py', import.meta.url))

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

t.test('reports of one bank', { skip }, async (t) => {
  const { app, listen, published, engine, newKey } = await build(t, { env: { CACHE_MIB: '0' } })
  const { secret: key } = await newKey('premium')
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const bank = published.examples.bank!
  const ask = async (path: string) => (await app.inject(`/api/v1/banks/${bank}${path}`)).json()
  const { legal_name: name } = (await ask('/?fields=legal_name')).data
  const whole = async (t: Test, visited: Awaited<ReturnType<typeof visit>>, name: string) => {
    await accessible(t, visited.page, name)
    await sound(t, visited)
    await shot(visited.page, name)
  }

  await t.test('while no guide is loaded the UBPR has the ratios of the catalog', async (t) => {
    const { page } = await visit(at, `/bank/${bank}/ubpr`)
    await page.getByRole('heading', { level: 2, name: 'Ratios of the report' }).waitFor()
    const { data } = await ask('/deep-dive/?schedule=UBPR')
    t.equal(await page.getByRole('rowheader').count(), data.length)
    t.equal(await page.getByRole('navigation', { name: 'Pages of the report' }).count(), 0)
  })

  // as a guide has them: on the first page and on one far behind
  await engine.loader(published.publication.database).command({
    query: `INSERT INTO ubpr_pages SELECT position, if(position < 20, 'Summary Ratios', 'Capital Analysis'),
      if(position < 20, '1', '11A'), toString(position), 'Printed', code FROM ubpr_concepts WHERE position > 0`,
  })

  await t.test('the UBPR by page, with bank, peers and percentile of five quarters', async (t) => {
    const visited = await visit(at, `/bank/${bank}`, { key })
    const { page } = visited
    await page.getByRole('link', { name: 'UBPR' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('heading', { level: 2, name: '1 Summary Ratios' }).waitFor()
    const contents = page.getByRole('navigation', { name: 'Pages of the report' })
    t.strictSame(await contents.getByRole('link').allTextContents(), [
      '1 Summary Ratios',
      '11A Capital Analysis',
    ])
    await contents.getByRole('link', { name: 'Capital Analysis' }).click()
    await page.waitForURL(/page=11A/)
    const table = page.getByRole('region', { name: 'Page 11A' })
    const dates = table.getByRole('columnheader', { name: /^\d{4} Q\d$/ })
    // until the peers are read there are three
    await dates.nth(4).waitFor()
    t.equal(await dates.count(), 5)
    const { data: lines } = await ask('/deep-dive/?schedule=UBPR11A&fields=mdrm,description')
    const { data: ranks } = await ask(`/ubpr/ranks/?codes=${lines[0].mdrm}`)
    t.match(lines[0].description, /^Printed: /)
    const row = table.getByRole('row').filter({ hasText: ranks[0].label }).first()
    t.equal(await row.getByRole('rowheader').textContent(), `Printed ${ranks[0].label}`)
    const cells = await row.getByRole('cell').allTextContents()
    t.equal(cells.length, 15)
    t.equal(cells[2], ranks[0].percentile.toFixed(0))
    const title = await row.getByRole('cell').first().getAttribute('title')
    t.equal(Number.parseFloat(title!), Number(ranks[0].value.toFixed(6)), 'as exact as the API')
    await row.getByRole('button', { name: 'Printed' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Where the figure comes from' })
    await dialog.getByRole('heading', { name: ranks[0].label }).waitFor()
    await dialog
      .getByRole('row', { name: /RC(FD|ON|FA|OA)\w{4}|RIAD\w{4}/ })
      .first()
      .waitFor()
    t.match(page.url(), new RegExp(`page=11A.*metric=${lines[0].mdrm}`))
    await accessible(t, page, 'the lineage of a line of the report')
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('metric'))
    await whole(t, visited, 'bank-ubpr')
  })

  await t.test('without a key the UBPR has the bank itself, and says what takes one', async (t) => {
    const visited = await visit(at, `/bank/${bank}/ubpr?page=11A`, { width: 390, colorScheme: 'dark' })
    const { page } = visited
    await page.getByText('The peer group beside it needs a premium key').waitFor()
    await page.getByLabel('Page of the report').selectOption('1')
    await page.getByRole('heading', { level: 2, name: '1 Summary Ratios' }).waitFor()
    await whole(t, visited, 'narrow-bank-ubpr')
  })

  await t.test('orders, complaints and filings are on record', async (t) => {
    const visited = await visit(at, `/bank/${bank}/record`, { key })
    const { page } = visited
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const { data: orders } = await ask('/enforcement/?include=holding_company')
    const list = page.getByRole('region', { name: 'Orders and penalties' })
    t.equal(await list.getByRole('listitem').count(), orders.length)
    t.equal(
      await list.getByRole('link', { name: 'Document' }).first().getAttribute('href'),
      orders[0].documents[0],
    )
    const { data: products } = await ask('/complaints/?group_by=product')
    for (const { product, complaints } of products) {
      const row = await page.getByRole('row', { name: product }).first().textContent()
      t.ok(row!.startsWith(`${product}${complaints}`), row!)
    }
    // each year and product of the picture's table, against the complaints one by one
    const { data: each } = await ask('/complaints/?fields=received_date,product&limit=10000')
    await page.getByRole('button', { name: 'Table of Complaints' }).click()
    const year = each[0].received_date.slice(0, 4)
    const row = page.getByRole('row', { name: new RegExp(`^${year}`) })
    const counted = products.map(
      ({ product }: { product: string }) =>
        each.filter(
          (one: { received_date: string; product: string }) =>
            one.received_date.startsWith(year) && one.product === product,
        ).length,
    )
    t.strictSame((await row.getByRole('cell').allTextContents()).map(Number), counted)
    await page.getByRole('button', { name: 'Table of Complaints' }).click()

    const { data: registrant } = await ask('/sec/registrant/')
    const { data: filings } = await ask('/sec/filings/?form=10-K&limit=10000')
    t.ok(filings.length > 0)
    await page.getByRole('link', { name: `CIK ${registrant.cik}` }).waitFor()
    await page.getByLabel('Form').selectOption('10-K')
    await page.waitForURL(/form=10-K/)
    await page.getByText(`${filings.length} of `).waitFor()
    const grid = page.getByRole('region', { name: 'Filings', exact: true })
    const address = await grid.getByRole('link', { name: '10-K' }).first().getAttribute('href')
    t.equal(address, filings[0].document_url)
    t.match(address, /^https:\/\/www\.sec\.gov\//)
    await whole(t, visited, 'bank-record')
  })

  await t.test('a query is a workbook and SQL that DuckDB runs', async (t) => {
    const { page } = await visit(at, `/bank/${bank}/ubpr?page=11A`, { key })
    await page.getByText('The queries of this page').click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Excel of Lines of the report' }).click()
    const file = await saved
    t.equal(file.suggestedFilename(), 'bank-deep-dive.xlsx')
    const bytes = await readFile(await file.path())
    const { data } = await ask('/deep-dive/?schedule=UBPR')
    const sheet = read(bytes).Sheets
    t.ok(utils.sheet_to_json(Object.values(sheet)[0]!, { header: 1 }).length >= data.length)

    await page.getByLabel('SQL').check()
    const query = page.getByRole('region', { name: 'Query: Peer group' })
    const sql = (await query.locator('pre').textContent())!.replace('your key', key)
    t.match(sql, /FROM read_parquet\('http/)
    const lines = (await ask('/deep-dive/?schedule=UBPR11A')).data.length
    await t.test('run', { skip: withoutModules('duckdb, duckdb_extension_httpfs') }, async (t) => {
      const running = execFile(python, [runner])
      running.child.stdin!.end(`import duckdb\nprint(len(duckdb.sql(${JSON.stringify(sql)}).fetchall()))`)
      t.equal(Number((await running).stdout), lines * 5)
    })
  })

  await t.test('without a key the record says what takes one', async (t) => {
    const visited = await visit(at, `/bank/${bank}/record`, { width: 390, colorScheme: 'dark' })
    await visited.page.getByText(/orders, complaints and filings needs a free key/).waitFor()
    await whole(t, visited, 'narrow-bank-record')
  })
})
