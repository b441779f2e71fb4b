import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { build } from '../helpers/app.ts'

t.test('a page of another origin can read every answer and every refusal', async (t) => {
  const { app } = await build(t)
  const origin = 'https://notebook.example'
  for (const [what, request, status] of [
    ['an answer', { url: '/api/v1/datasets/' }, 200],
    ['an unknown path', { url: '/api/v1/nothing/' }, 404],
    ['a doubled slash', { url: '/api/v1//banks/' }, 404],
    ['a broken escape', { url: '/api/v1/%zz/' }, 400],
    ['another method', { url: '/api/v1/banks/', method: 'DELETE' }, 405],
    ['a long URL', { url: `/api/v1/banks/?q=${'a'.repeat(17_000)}` }, 414],
    ['a wrong parameter', { url: '/api/v1/banks/?stat=GA' }, 400],
  ] as const) {
    const response = await app.inject({ ...request, headers: { origin } })
    t.equal(response.statusCode, status, what)
    t.equal(response.headers['access-control-allow-origin'], '*', `${what}: open to other origins`)
    t.equal(response.headers['access-control-allow-credentials'], undefined, `${what}: without credentials`)
    t.notMatch(response.body, /node_modules|\.ts:\d|SELECT |\bat \w+ \(/, `${what}: nothing of the inside`)
    if (status === 400 && what === 'a broken escape') continue
    t.match(response.headers, {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': /default-src 'self'/,
      'cross-origin-resource-policy': 'cross-origin',
    })
    const exposed = String(response.headers['access-control-expose-headers'])
    for (const name of ['ETag', 'Link', 'RateLimit', 'Content-Range', 'X-Total-Count', 'Retry-After']) {
      t.match(exposed, new RegExp(`\\b${name}\\b`), `${what} exposes ${name}`)
    }
  }
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/v1/banks/',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,range,if-none-match',
    },
  })
  t.equal(preflight.statusCode, 204)
  t.match(preflight.headers, {
    'access-control-allow-methods': /GET/,
    'access-control-allow-headers': /authorization.*range.*if-none-match/i,
    'access-control-max-age': '86400',
  })
})

t.test('the limits of URL and head are settings', async (t) => {
  const { app } = await build(t, { data: false, env: { MAX_URL_LENGTH: '300' } })
  const response = await app.inject(`/api/v1/banks/?q=${'a'.repeat(300)}`)
  t.equal(response.statusCode, 414)
  t.match(response.json().detail, /at most 300/)
})

/** What comes over a socket until it is closed. */
function received(port: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      all += chunk
    })
    socket.on('close', () => resolve(all))
    socket.on('error', reject)
  })
}

t.test('who does not send the whole request in time is not waited for', async (t) => {
  const { listen } = await build(t, {
    data: false,
    env: { REQUEST_SECONDS: '1', MAX_HEADER_BYTES: '2048' },
  })
  const { port } = new URL(await listen())
  const [slow, large] = await Promise.all([
    received(port, 'GET /health/live HTTP/1.1\r\nHost: a\r\nX: '),
    received(port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(3000)}\r\n\r\n`),
  ])
  t.match(slow, /^HTTP\/1\.1 408 .*"code":"bad-request"/s)
  t.match(large, /^HTTP\/1\.1 431 /)
})

/** Keeps this process busy for most of a while. */
async function busy(milliseconds: number): Promise<void> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(1)) {
    for (const block = Date.now() + 200; Date.now() < block; );
  }
}

t.test('a process that cannot keep up refuses everything but health, and then nothing', async (t: Test) => {
  const { app } = await build(t, { data: false, env: { MAX_EVENT_LOOP_DELAY_MS: '50' } })
  await busy(3_000)
  const [refused, live] = await Promise.all([app.inject('/api/v1/datasets/'), app.inject('/health/live')])
  t.equal(refused.statusCode, 503)
  t.match(refused.headers, { 'retry-after': '2', 'access-control-allow-origin': '*' })
  t.equal(refused.json().code, 'overloaded')
  t.equal(live.statusCode, 200)
  let status = 503
  for (let tries = 0; tries < 100 && status === 503; tries++, await sleep(100)) {
    status = (await app.inject('/docs/errors')).statusCode
  }
  t.equal(status, 200)
})
