import { connect } from 'node:net'
import t from 'tap'
import { problems } from '../../server/errors.ts'
import { build } from '../helpers/app.ts'

t.test('problems', async (t) => {
  const { app, serve, published, listen } = await build(t)
  t.ok(published.coverage.filed('bank').latest, 'there is data')
  const { bank } = published.examples
  t.ok(bank, 'there is a bank')

  const cases: [string, string, number, string, RegExp][] = [
    ['an unknown path', '/api/v1/bank/', 404, 'not-found', /nothing at the path/],
    ['a misspelt path', '/api/v1/bank/', 404, 'not-found', /did you mean \/api\/v1\/banks\/\?/],
    [
      'a path without its root',
      '/banks/7/trend',
      404,
      'not-found',
      /did you mean \/api\/v1\/banks\/7\/trends\/\?/,
    ],
    ['a doubled slash', '/api/v1/banks//trends/', 404, 'not-found', /nothing at the path/],
    ['a path like none', '/wp-admin/', 404, 'not-found', /\/api\/v1\/datasets\/ lists the paths/],
    ['a broken escape in the query', '/api/v1/banks/?q=%E0%A4%A', 400, 'bad-request', /percent sign/],
    [
      'bounds that cross',
      '/api/v1/screeners/banks/?min_roa=2&max_roa=1',
      400,
      'invalid-parameter',
      /max_roa: lies below `min_roa`/,
    ],
    [
      'a limit below one',
      '/api/v1/banks/?limit=-1',
      400,
      'invalid-parameter',
      /a whole number from 1 to 1000000/,
    ],
    ['a value without a name', '/api/v1/banks/?=5', 400, 'invalid-parameter', /a value without a name/],
    [
      'a cohort beside peers',
      `/api/v1/banks/${bank}/peer-ranking/?peer_ids=${bank}&cohort=size`,
      400,
      'invalid-parameter',
      /peer_ids: cannot be given together with `cohort`/,
    ],
    [
      'a peer that never filed',
      `/api/v1/banks/${bank}/peers/comparison/?peer_ids=${bank},4000000000`,
      400,
      'invalid-parameter',
      /peer_ids: no bank with RSSD ID 4000000000 ever filed/,
    ],
    [
      'an unknown bank',
      '/api/v1/banks/4000000000/',
      404,
      'not-found',
      /the bank with RSSD ID 4000000000 is unknown/,
    ],
    [
      'an unknown quarter',
      '/api/v1/screeners/banks/?as_of=1990Q1',
      404,
      'not-found',
      /the quarter 1990Q1 is unknown/,
    ],
    [
      'an unknown metric in the path',
      '/api/v1/reference/metrics/roaa/',
      404,
      'not-found',
      /did you mean “roa”/,
    ],
    ['an unknown item', '/api/v1/reference/mdrm/ZZZZ9999/', 404, 'not-found', /ZZZZ9999/],
    ['an unknown parameter', '/api/v1/banks/?stat=GA', 400, 'invalid-parameter', /did you mean “state”/],
    ['a state that is none', '/api/v1/banks/?state=ZZ', 400, 'invalid-parameter', /“ZZ”/],
    ['a malformed escape', '/api/v1/banks/%zz/', 400, 'bad-request', /cannot be read/],
    ['a long URL', `/api/v1/banks/?q=${'a'.repeat(17_000)}`, 414, 'uri-too-long', /at most 16384/],
  ]
  for (const [what, url, status, code, detail] of cases) {
    t.test(what, async (t) => {
      const response = await app.inject(url)
      t.equal(response.statusCode, status)
      t.match(response.headers['content-type'], /^application\/problem\+json/)
      t.equal(response.headers.etag, undefined)
      const body = response.json()
      t.match(body, {
        code,
        status,
        title: problems[code as keyof typeof problems].title,
        instance: url,
        detail,
      })
      t.equal(body.type, `/docs/errors#${code}`)
      t.equal(body.request_id, response.headers['x-request-id'])
    })
  }

  t.test('a format that is not offered is 406 and lists those that are', async (t) => {
    const response = await app.inject({ url: '/api/v1/banks/', headers: { accept: 'image/png' } })
    t.equal(response.statusCode, 406)
    t.match(response.json(), { code: 'format-not-available', errors: [{ parameter: 'Accept' }] })
    t.ok(response.json().errors[0].allowed.includes('text/csv'))
  })

  t.test('another method is 405 with Allow', async (t) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = await app.inject({
        method,
        url: '/api/v1/banks/',
        payload: '<x/>',
        headers: { 'content-type': 'text/xml' },
      })
      t.equal(response.statusCode, 405, method)
      t.equal(response.headers.allow, 'GET, HEAD')
      t.equal(response.json().code, 'method-not-allowed')
    }
  })

  t.test('headers beyond the limit are 431', async (t) => {
    const { port } = new URL(await listen())
    const answer = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`),
      )
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    t.match(answer, /^HTTP\/1\.1 431 /)
    t.match(answer, /"code":"headers-too-large"/)
  })

  t.test('before the first publish everything is no-data', async (t) => {
    serve(null)
    const response = await app.inject('/api/v1/banks/')
    serve(published)
    t.equal(response.statusCode, 503)
    t.equal(response.json().code, 'no-data')
    t.ok(Number(response.headers['retry-after']) > 0)
  })

  t.test('every code is in the OpenAPI document and on the page of problems', async (t) => {
    const document = (await app.inject('/api/v1/openapi.json')).json()
    const page = (await app.inject('/docs/errors')).body
    t.same(document.components.schemas.Problem.properties.code.enum, Object.keys(problems))
    for (const [code, { status }] of Object.entries(problems)) {
      // 405 answers other methods, which the document has no operations for; 501 what is to come, and nothing is
      if (status !== 405 && status !== 501) {
        t.match(document.components.responses[`Problem${status}`].description, new RegExp(`\`${code}\``))
      }
      t.match(page, `id="${code}"`)
    }
  })
})

t.test('a dataset that is to come says so', async (t) => {
  const { app } = await build(t, { data: false, datasets: [] })
  const answer = await app.inject('/api/v1/banks/1/profile/')
  t.match(answer.json(), { status: 501, code: 'not-served-yet', detail: /bank-profile/ })
})
