/** Requests as no client library sends them, over a socket: each gets an answer, and a refusal is a problem. */
import { connect } from 'node:net'
import t from 'tap'
import { column } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { build } from '../helpers/app.ts'

const HOST = 'Host: a\r\nConnection: close\r\n\r\n'

/** Writes to a server and reads until it closes. */
function sent(origin: string, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = ''
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      all += chunk
    })
    socket.on('close', () => resolve(all))
    socket.on('error', reject)
  })
}

t.test('requests that nobody should send', async (t) => {
  const { listen } = await build(t, { data: false })
  const origin = await listen()
  const ask = (text: string | Buffer) => sent(origin, text)

  for (const [what, text, status, code] of [
    ['OPTIONS', `OPTIONS /api/v1/banks/ HTTP/1.1\r\n${HOST}`, 405, 'method-not-allowed'],
    [
      'OPTIONS with half a preflight',
      `OPTIONS /api/v1/banks/ HTTP/1.1\r\nOrigin: http://a\r\n${HOST}`,
      405,
      'method-not-allowed',
    ],
    [
      'and the other half',
      `OPTIONS / HTTP/1.1\r\nAccess-Control-Request-Method: GET\r\n${HOST}`,
      405,
      'method-not-allowed',
    ],
    ['OPTIONS of the server', `OPTIONS * HTTP/1.1\r\n${HOST}`, 405, 'method-not-allowed'],
    ['CONNECT', `CONNECT a:80 HTTP/1.1\r\n${HOST}`, 405, 'method-not-allowed'],
    ['PROPFIND', `PROPFIND / HTTP/1.1\r\n${HOST}`, 405, 'method-not-allowed'],
    ['TRACE', `TRACE / HTTP/1.1\r\n${HOST}`, 405, 'method-not-allowed'],
    [
      'POST that waits to be asked for its body',
      `POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n${HOST}`,
      405,
      'method-not-allowed',
    ],
    ['a method that is none', `FOO / HTTP/1.1\r\n${HOST}`, 400, 'bad-request'],
    ['no Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad-request'],
    ['a star', `GET * HTTP/1.1\r\n${HOST}`, 400, 'bad-request'],
    ['no path', `GET a:80 HTTP/1.1\r\n${HOST}`, 400, 'bad-request'],
    ['another scheme', `GET ftp://a/health/live HTTP/1.1\r\n${HOST}`, 400, 'bad-request'],
    ['a header without a colon', `GET / HTTP/1.1\r\nbad header\r\n${HOST}`, 400, 'bad-request'],
    [
      'two lengths',
      `GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${HOST}`,
      400,
      'bad-request',
    ],
    ['a length that is none', `GET / HTTP/1.1\r\nContent-Length: x\r\n${HOST}`, 400, 'bad-request'],
    ['control characters', `GET /\u0001 HTTP/1.1\r\n${HOST}`, 400, 'bad-request'],
    ['a broken escape', `GET /%zz HTTP/1.1\r\n${HOST}`, 400, 'bad-request'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad-request'],
    ['TLS', Buffer.from('1603010200010001fc0303', 'hex'), 400, 'bad-request'],
    [
      'a key in a whole address',
      `GET http://a/?key=bds_f_${'A'.repeat(43)} HTTP/1.1\r\n${HOST}`,
      400,
      'bad-request',
    ],
  ] as const) {
    const answer = await ask(text)
    t.match(answer, new RegExp(`^(HTTP/1.1 100 Continue\r\n\r\n)?HTTP/1.1 ${status} `), what)
    t.match(answer, /\r\ncontent-type: application\/problem\+json/i, what)
    if (status === 405) t.match(answer, /\r\nallow: GET, HEAD\r\n/i, what)
    const problem = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))
    t.match(problem, { code, status, type: `/docs/errors#${code}`, request_id: /^[\w-]{36}$/ }, what)
  }

  for (const [what, text] of [
    ['a whole address', `GET http://a/health/live HTTP/1.1\r\n${HOST}`],
    [
      'a whole address in capitals, with slashes behind it',
      `GET HTTPS://A:1/health/live?a=//b HTTP/1.1\r\n${HOST}`,
    ],
    ['an expectation that is not met', `GET /health/live HTTP/1.1\r\nExpect: magic\r\n${HOST}`],
    ['an upgrade', `GET /health/live HTTP/1.1\r\nUpgrade: websocket\r\n${HOST}`],
    ['HTTP/1.0 without Host', 'GET /health/live HTTP/1.0\r\n\r\n'],
  ] as const)
    t.match(await ask(text), /^HTTP\/1.1 200 .*"live"/s, what)
  for (const address of ['http://a', 'http://a?x=1'])
    t.match(await ask(`GET ${address} HTTP/1.1\r\n${HOST}`), /^HTTP\/1.1 200 .*<title>US banking/s, address)

  t.match(await ask(`GET /health/live HTTP/1.1\r\n${HOST}`), /^HTTP\/1.1 200 /, 'and it goes on')
})

t.test('what cannot be read is not answered in the middle of another answer', async (t) => {
  const numbers = dataset({
    key: 'failures',
    summary: 'Numbers.',
    from: 'SELECT number FROM numbers(3000000)',
    grain: ['number'],
    columns: [column('UInt64', 'number', 'Number')],
    sources: [],
    examples: [{ title: 'All' }],
  })
  const { listen, headers } = await build(t, { data: false, datasets: [numbers] })
  const { port } = new URL(await listen())
  const all = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `GET /api/v1/failures/?format=ndjson HTTP/1.1\r\nHost: a\r\nAuthorization: ${headers.authorization}\r\n\r\n`,
      ),
    )
    socket.once('data', () => socket.write('GARBAGE\r\n\r\n'))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  t.match(all, /^HTTP\/1.1 200 /)
  t.notOk(all.includes('2999999'), 'the connection was cut before the end')
  t.notOk(all.includes('bad-request'))
})
