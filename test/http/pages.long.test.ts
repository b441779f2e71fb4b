// The pages as a reader sees them, in a real browser.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { catalog } from '../../server/catalog/catalog.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { build } from '../helpers/app.ts'
import { openBrowser, watchedPage } from '../helpers/browser.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

t.test('pages in a browser', { skip }, async (t) => {
  const { listen, published } = await build(t)
  const origin = await listen()
  const browser = await openBrowser(t, executable!)
  const bank = published.examples.bank

  await t.test('the reference lists the operations, with nothing from elsewhere', async (t) => {
    const { page, errors, outside } = await watchedPage(browser, origin)
    await page.goto(`${origin}/docs`)
    await page.getByText('/api/v1/banks/{rssd_id}/trends/', { exact: true }).first().waitFor()
    for (const name of ['Bank Directory', 'Bank Snapshot', 'Bank Trends']) {
      t.ok(await page.getByRole('button', { name }).count(), name)
    }
    await page.waitForLoadState('networkidle')
    t.strictSame(errors, [])
    t.strictSame(outside, [])
  })

  await t.test('a dataset has its columns with units, and a try answers', async (t) => {
    const { page, errors, outside } = await watchedPage(browser, origin)
    await page.goto(`${origin}/docs/bank-trends`)
    const units = page.locator('h2:has-text("Columns") + .wide tr', {
      has: page.locator('text="total_assets"'),
    })
    t.match(await units.textContent(), /thousands of US dollars/)

    await page.getByRole('button', { name: 'Ask' }).click()
    await page.locator('#answer table').waitFor()
    const heads = await page.locator('#answer th').allInnerTexts()
    t.match(heads.join(' '), /rssd_id report_date roa\s+percent nim\s+percent/)
    t.equal(await page.locator('#answer tbody tr').count(), 8, 'eight quarters')
    t.equal(await page.locator('#answer tbody td').first().textContent(), bank)
    t.match(await page.locator('#answer').textContent(), /8 of 8 rows.*synthetic/)
    t.strictSame(errors, [])
    t.strictSame(outside, [])
  })

  await t.test('a wrong value is shown as the problem says it', async (t) => {
    const { page } = await watchedPage(browser, origin)
    await page.goto(`${origin}/docs/bank-screener`)
    await page.getByLabel('Address').fill('/api/v1/screeners/banks/?stat=GA')
    await page.getByLabel('Address').press('Enter')
    await page.locator('#answer .problem').waitFor()
    t.match(
      await page.locator('#answer').textContent(),
      /400 invalid-parameter: stat: .*did you mean “state”/,
    )
    await page.getByLabel('Address').fill('https://example.org/')
    await page.getByLabel('Address').press('Enter')
    t.match(await page.locator('#answer').textContent(), /Only addresses of this server/)
  })

  await t.test('a page draws the branches of a bank from GeoJSON, as RFC 7946 has it', async (t) => {
    const { page, errors } = await watchedPage(browser, origin)
    await page.goto(`${origin}/docs/bank-branches-map`)
    // what a library for maps does with a collection of points: every position becomes a mark
    const drawn = await page.evaluate<Record<string, unknown>>(`(async () => {
      const answer = await fetch('/api/v1/banks/${bank}/branches/map/?format=geojson')
      const { type, features } = await answer.json()
      const element = (name) => document.createElementNS('http://www.w3.org/2000/svg', name)
      const map = document.body.appendChild(element('svg'))
      map.setAttribute('viewBox', '-180 -90 360 180')
      for (const { type, geometry, properties } of features) {
        const [longitude, latitude] = geometry.coordinates
        if (type !== 'Feature' || geometry.type !== 'Point' || geometry.coordinates.length !== 2 || !properties.name) continue
        // 50 states and Puerto Rico: a pair the wrong way round lies elsewhere
        if (!(longitude > -180 && longitude < -60 && latitude > 15 && latitude < 75)) continue
        const mark = map.appendChild(element('circle'))
        for (const [name, value] of Object.entries({ cx: longitude, cy: -latitude, r: 1 })) mark.setAttribute(name, value)
      }
      const marks = map.querySelectorAll('circle').length
      return { type, media: answer.headers.get('content-type'), features: features.length, marks }
    })()`)
    t.match(drawn, { type: 'FeatureCollection', media: 'application/geo+json; charset=utf-8' })
    t.ok(Number(drawn.features) > 0)
    t.equal(drawn.marks, drawn.features)
    t.strictSame(errors, [])
  })

  await t.test('no page is wider than a narrow screen, light or dark', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, errors } = await watchedPage(browser, origin, { width: 390, height: 844, colorScheme })
      for (const path of ['/docs/bank-screener', '/docs/catalog', '/docs/errors', '/docs/sec-filings']) {
        await page.goto(`${origin}${path}`)
        const [content, screen] = (await page.evaluate(
          '[document.documentElement.scrollWidth, innerWidth]',
        )) as number[]
        t.ok(content! <= screen!, `${path} in ${colorScheme}: ${content} of ${screen} pixels`)
      }
      t.strictSame(errors, [])
    }
  })
})

t.test('every dataset has a page, and every example on it answers', async (t) => {
  const { app } = await build(t)
  const served = await loadDatasets()
  const unescaped = (text: string) =>
    text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  const index = (await app.inject('/docs/catalog')).body
  for (const { key, name } of catalog) {
    const { statusCode, body } = await app.inject(`/docs/${key}`)
    t.equal(statusCode, 200, key)
    t.match(unescaped(body), `<h1>${name}</h1>`)
    t.match(index, `href="/docs/${key}"`)
    const dataset = served.get(key)
    if (!dataset) {
      t.match(body, /Not served yet/)
      continue
    }
    const links = [...body.matchAll(/class="example" href="([^"]+)"/g)].map(([, url]) => unescaped(url!))
    t.equal(links.length, dataset.examples.length, `${key}: a link an example`)
    for (const url of links) {
      const answer = await app.inject({ method: 'HEAD', url })
      t.equal(answer.statusCode, 200, url)
    }
  }
})

t.test('a page that is not there says which was likely meant', async (t) => {
  const { app } = await build(t, { data: false })
  const near = await app.inject('/docs/bank-trend')
  t.equal(near.statusCode, 404)
  t.match(near.json().detail, /did you mean \/docs\/bank-trends\?/)
  t.match((await app.inject('/docs/xyzzy')).json().detail, /\/docs\/catalog lists them/)
})
