// Every page for everybody: narrow and dark, as wide as a page at four times its size, light on paper, over the small universe.
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { accessible, shot, sound, type Visiting, visit } from '../helpers/explorer.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'

t.test('pages on other screens and on paper', { skip, timeout: 1_200_000 }, async (t) => {
  const { app, listen, published, newKey } = await build(t)
  const at: Visiting = { origin: await listen(), browser: await openBrowser(t, executable!) }
  const { secret: key } = await newKey('premium')
  const first = async (path: string, column: string) =>
    (await app.inject(`/api/v1${path}`)).json().data[0][column]
  const { bank } = published.examples
  const holder = await first('/holding-companies/?limit=1&active=1&sort=-bank_assets', 'rssd_id')
  const union = await first('/cus/?limit=1&active=1&sort=-total_assets', 'cu_number')
  const other = await first(
    `/screeners/banks/?limit=1&sort=-total_assets&max_total_assets=1000000`,
    'rssd_id',
  )
  const pages = [
    '/',
    '/screen?map=1&filter=roa',
    '/screen/credit-unions',
    '/screen/holding-companies',
    ...['', '?metric=roa', '/ubpr', '/record', '/branches', '/structure'].map(
      (page) => `/bank/${bank}${page}`,
    ),
    ...['', '/branches'].map((page) => `/credit-union/${union}${page}`),
    ...['', '/structure'].map((page) => `/holding-company/${holder}${page}`),
    `/compare?banks=${bank},${other}`,
    '/industry',
    '/rates',
    '/failures',
    '/sources',
  ]
  const name = (path: string) => path.replaceAll(/\W+/g, '-').replace(/^-$/, '-home')

  for (const path of pages)
    await t.test(path, async (t) => {
      // 320 pixels are a page of 1,280 at four times its size
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [320, 'light'],
        [1280, 'dark'],
      ] as const) {
        const visited = await visit(at, path, { width, colorScheme, key })
        const { page } = visited
        await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor()
        await page.getByRole('note').waitFor()
        await accessible(t, page, `${path}, ${width} pixels, ${colorScheme}`)
        await sound(t, visited)
        if (width !== 320) await shot(page, `${width === 390 ? 'narrow' : 'dark'}${name(path)}`)
        if (colorScheme === 'dark') {
          // a page that is printed has no dark ground, and nothing that only works on a screen
          await page.emulateMedia({ media: 'print' })
          const [ground, ink] = (await page.evaluate(
            `['backgroundColor', 'color'].map((of) => getComputedStyle(document.documentElement)[of])`,
          )) as string[]
          t.strictSame([ground, ink], ['rgb(255, 255, 255)', 'rgb(27, 31, 36)'], 'paper is white')
          t.equal(await page.getByRole('navigation', { name: 'Pages', exact: true }).count(), 0)
          t.equal(await page.getByRole('button', { name: /^Table of/ }).count(), 0)
        }
        await page.context().close()
      }
    })
})
