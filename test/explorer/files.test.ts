// How the explorer is served: its pages, its script and its style, without a browser.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Column } from '../../server/catalog/columns.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { type Rate, rateNames, unitOf } from '../../server/explorer/lib/rates.ts'
import { EXPLORER_PATHS } from '../../server/http/paths.ts'
import { build } from '../helpers/app.ts'

/** Bytes of script that a page may be, compressed. */
const MOST_SCRIPT = 200_000

t.test('the explorer as it is served', async (t) => {
  const { app } = await build(t, { data: false, key: false })
  const shell = await app.inject('/')
  const addresses = [...shell.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
  const files = addresses.filter((address) => address.startsWith('/assets/'))

  t.test('every page of it is the same document', async (t) => {
    for (const path of EXPLORER_PATHS) {
      const { statusCode, headers, body } = await app.inject(path.replace(':id', '852218'))
      t.equal(statusCode, 200, path)
      t.match(headers['content-type'], /text\/html/)
      t.equal(body, shell.body, path)
    }
    const again = await app.inject({
      url: '/screen',
      headers: { 'if-none-match': String(shell.headers.etag) },
    })
    t.equal(again.statusCode, 304)
  })

  t.test('HEAD of a page, as of all others of this server, has the headers of GET and no body', async (t) => {
    for (const url of [
      '/',
      '/bank/852218/ubpr',
      files[0]!,
      '/docs',
      '/docs/errors',
      '/llms.txt',
      '/health/live',
      '/api/v1/account/',
    ]) {
      const [get, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })]
      t.equal(head.statusCode, 200, url)
      t.equal(head.body, '')
      for (const name of ['content-type', 'etag', 'cache-control', 'content-security-policy'])
        t.equal(head.headers[name], get.headers[name], `${name} of ${url}`)
      t.equal(Number(head.headers['content-length']), get.rawPayload.length, `the length of ${url}`)
    }
  })

  t.test(
    'a browser that asks for no page is shown one that says so, a program gets the problem',
    async (t) => {
      const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
      const lost = await app.inject({ url: '/nothing', headers: { accept } })
      t.equal(lost.statusCode, 404)
      t.equal(lost.body, shell.body)
      t.equal(lost.headers['content-security-policy'], shell.headers['content-security-policy'])
      t.match(lost.headers, { 'cache-control': 'no-store', vary: /Accept/ })
      for (const [url, headers] of [
        ['/nothing', {}],
        ['/api/v1/nothing/', { accept }],
        ['/docs/nothing', { accept }],
        ['/assets/nothing.js', { accept }],
      ] as const) {
        const { statusCode, headers: of } = await app.inject({ url, headers })
        t.equal(statusCode, 404, url)
        t.match(of['content-type'], /problem\+json/, url)
      }
    },
  )

  t.test('the policy allows this server alone, and nothing that stands in the page', (t) => {
    const policy = String(shell.headers['content-security-policy'])
    t.notMatch(policy, /unsafe|http|\*/)
    t.match(policy, /default-src 'none'/)
    t.notMatch(shell.body, /<style|<script(?! type="module" src=)|style=|\son\w+=/)
    t.ok(addresses.every((address) => address.startsWith('/')))
    t.end()
  })

  t.test('its files are named by their content, kept for ever, and compressed', async (t) => {
    t.ok(files.length >= 2)
    for (const url of files) {
      t.match(url, /-[A-Z0-9]{8}\.(js|css)$/)
      const { statusCode, headers, rawPayload } = await app.inject({
        url,
        headers: { 'accept-encoding': 'gzip' },
      })
      t.equal(statusCode, 200)
      t.match(headers['cache-control'], /max-age=31536000, immutable/)
      t.match(headers['content-type'], url.endsWith('js') ? /javascript/ : /css/)
      // what is short gains nothing
      if (rawPayload.length > 2000 || headers['content-encoding'])
        t.equal(headers['content-encoding'], 'gzip')
      t.ok(headers.etag)
      t.ok(rawPayload.length > 0)
    }
  })

  t.test('a page’s script is small: what it may load at all together', async (t) => {
    const seen = new Map<string, number>()
    const visit = async (url: string): Promise<void> => {
      if (seen.has(url)) return
      const { body, statusCode } = await app.inject(url)
      t.equal(statusCode, 200, url)
      seen.set(url, gzipSync(body).length)
      for (const [, name] of body.matchAll(/"\.\/([\w-]+\.js)"/g)) await visit(`/assets/${name}`)
    }
    for (const url of files.filter((one) => one.endsWith('.js'))) await visit(url)
    const bytes = [...seen.values()].reduce((sum, one) => sum + one, 0)
    t.ok(seen.size > 3, 'pages have parts of their own')
    t.ok(bytes < MOST_SCRIPT, `${bytes} bytes`)
  })

  t.test('series of rates are called as their columns are', async (t) => {
    const { columns } = (await loadDatasets()).get('industry-rate-environment-trends')!
    for (const [key, name] of Object.entries(rateNames)) {
      const column = columns.find((one) => 'name' in one && one.name === key) as Column | undefined
      t.equal(column?.label, name)
      t.equal(column?.unit, unitOf(key as Rate))
    }
  })

  t.test('a file of another version says which it is now', async (t) => {
    const { statusCode, body } = await app.inject(files.at(-1)!.replace(/.(?=\.js$)/, '_'))
    t.equal(statusCode, 404)
    t.match(JSON.parse(body).detail, /it is \/assets\/main-\w+\.js now/)
  })
})
