import t from 'tap'
import { build } from '../helpers/app.ts'

t.test('answers', async (t) => {
  const { app, engine, published } = await build(t)
  const { database, dataVersion } = published.publication
  const [bank] = await engine.rows<{ rssd_id: number; quarters: number }>({
    database,
    sql: 'SELECT rssd_id, toUInt32(count()) AS quarters FROM bank_quarters GROUP BY rssd_id ORDER BY max(total_assets) DESC LIMIT 1',
  })
  const path = `/api/v1/banks/${bank!.rssd_id}`

  t.test('the envelope', async (t) => {
    const response = await app.inject(`${path}/trends/?metrics=roa,nim&quarters=2`)
    t.equal(response.statusCode, 200)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    const { data, meta, links } = response.json()
    t.same(Object.keys(data[0]), ['rssd_id', 'report_date', 'roa', 'nim'])
    t.same(meta, {
      dataset: 'bank-trends',
      as_of: '2026-06-30',
      data_version: dataVersion,
      synthetic: true,
      sources: ['ffiec-call-report'],
      count: 2,
      total: 2,
      limit: null,
      units: { roa: 'percent', nim: 'percent' },
    })
    t.same(links, {
      self: `${path}/trends/?metrics=roa,nim&quarters=2`,
      next: null,
      docs: '/docs/bank-trends',
    })
    const docs = await app.inject(links.docs)
    t.equal(docs.statusCode, 200)
    t.match(docs.body, 'Bank Trends')
  })

  t.test('with and without the last slash is the same resource', async (t) => {
    const one = await app.inject(`${path}/?fields=rssd_id,roa`)
    const other = await app.inject(`${path}?fields=rssd_id,roa`)
    t.equal(one.body, other.body)
    t.equal(one.headers.etag, other.headers.etag)
    t.equal(one.json().links.self, `${path}/?fields=rssd_id,roa`)
  })

  t.test('self is canonical, and answers the same', async (t) => {
    const asked = await app.inject(
      '/api/v1/screeners/banks?sort=-total_assets&state=ny,CA&min_total_assets=1e5&limit=3',
    )
    const { self } = asked.json().links
    t.equal(self, '/api/v1/screeners/banks/?limit=3&min_total_assets=100000&sort=-total_assets&state=CA,NY')
    t.equal((await app.inject(self)).body, asked.body)
  })

  t.test('HEAD has the headers of GET and no body', async (t) => {
    for (const url of [`${path}/`, '/api/v1/screeners/banks/?format=csv&limit=2', '/api/v1/banks/?limit=2']) {
      const get = await app.inject(url)
      const head = await app.inject({ method: 'HEAD', url })
      t.equal(head.statusCode, 200)
      t.equal(head.body, '')
      for (const name of [
        'etag',
        'content-type',
        'x-dataset',
        'x-as-of',
        'x-data-version',
        'x-total-count',
        'link',
      ]) {
        t.equal(head.headers[name], get.headers[name], `${name} of ${url}`)
      }
    }
    t.equal((await app.inject({ method: 'HEAD', url: '/api/v1/reference/mdrm/ZZZZ9999/' })).statusCode, 404)
  })

  t.test('a conditional request is answered from the tag', async (t) => {
    const first = await app.inject(`${path}/`)
    const { etag } = first.headers
    t.match(etag, /^"[\w-]+"$/, 'a strong tag')
    for (const tag of [String(etag), `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url: `${path}/`, headers: { 'if-none-match': tag } })
      t.equal(again.statusCode, 304, tag)
      t.equal(again.body, '')
      t.equal(again.headers.etag, etag)
    }
    const csv = await app.inject(`${path}/?format=csv`)
    t.not(csv.headers.etag, etag, 'another format is another representation')
    t.equal((await app.inject({ url: `${path}/`, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
    t.equal((await app.inject(`${path}/`)).body, first.body, 'same URL and data version, same bytes')
  })

  t.test('a walk by cursor gives every row once, in the order of the whole', async (t) => {
    for (const format of ['json', 'csv']) {
      const query = `sort=-total_assets&fields=rssd_id,total_assets&format=${format}`
      const whole = await app.inject(`/api/v1/screeners/banks/?${query}`)
      const rows = (body: string): string[] =>
        format === 'json'
          ? JSON.parse(body).data.map((row: { rssd_id: number }) => String(row.rssd_id))
          : body
              .trim()
              .split('\n')
              .slice(1)
              .map((line) => line.split(',')[0]!)
      const walked: string[] = []
      let next: string | null = `/api/v1/screeners/banks/?${query}&limit=17`
      let pages = 0
      while (next !== null) {
        const page: Awaited<ReturnType<typeof app.inject>> = await app.inject(next)
        t.equal(page.statusCode, 200)
        walked.push(...rows(page.body))
        pages++
        if (format === 'json') next = page.json().links.next
        else next = /<(.*)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1] ?? null
      }
      t.ok(pages > 3, `${pages} pages`)
      t.same(walked, rows(whole.body), format)
    }
  })

  t.test('count and total tell a page from the whole', async (t) => {
    const whole = (await app.inject('/api/v1/screeners/banks/')).json().meta
    t.equal(whole.count, whole.total)
    const page = (await app.inject('/api/v1/screeners/banks/?limit=5')).json().meta
    t.match(page, { count: 5, total: whole.total, limit: 5 })
    const none = (await app.inject('/api/v1/screeners/banks/?min_total_assets=1e18')).json()
    t.same(none.data, [])
    t.match(none.meta, { count: 0, total: 0 })
    t.equal(
      Number((await app.inject('/api/v1/screeners/banks/?format=csv')).headers['x-total-count']),
      whole.total,
    )
  })

  t.test('a bound is inclusive and a null never matches one', async (t) => {
    const { data } = (
      await app.inject('/api/v1/screeners/banks/?fields=rssd_id,cet1_ratio,total_assets')
    ).json()
    const least = data[10].total_assets
    const found = (await app.inject(`/api/v1/screeners/banks/?min_total_assets=${least}`)).json().meta.total
    t.equal(found, data.filter((row: { total_assets: number }) => row.total_assets >= least).length)
    const nulls = data.filter((row: { cet1_ratio: number | null }) => row.cet1_ratio === null).length
    const any = (await app.inject('/api/v1/screeners/banks/?min_cet1_ratio=-1e300')).json().meta.total
    t.equal(any, data.length - nulls)
  })

  t.test('one route serves both names of the ranks', async (t) => {
    const { meta } = (await app.inject(`${path}/ranks/?metrics=roa`)).json()
    t.equal(meta.dataset, 'bank-percentile-ranks')
    t.equal((await app.inject('/docs/bank-peer-ranks')).statusCode, 200)
  })

  t.test('other origins may read, and see the headers', async (t) => {
    const response = await app.inject({ url: `${path}/`, headers: { origin: 'https://example.org' } })
    t.equal(response.headers['access-control-allow-origin'], '*')
    t.match(response.headers['access-control-expose-headers'], /ETag/)
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: `${path}/`,
      headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
    })
    t.equal(preflight.statusCode, 204)
  })

  t.test('a browser at the root finds the explorer', async (t) => {
    const response = await app.inject('/')
    t.equal(response.statusCode, 200)
    t.match(response.body, /<title>US banking history<\/title>/)
    t.equal((await app.inject('/health/live')).statusCode, 200)
    t.match((await app.inject('/health/ready')).json(), { status: 'ready', data_version: dataVersion })
  })
})
