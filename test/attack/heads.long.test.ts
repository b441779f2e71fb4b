/** The longest heads that are accepted, in the shapes that parsers fear: what each costs this process. */
import { connect } from 'node:net'
import t from 'tap'
import { openLog } from '../../server/ops/log.ts'
import { openTracer } from '../../server/ops/tracing.ts'
import { build } from '../helpers/app.ts'

const MOST_MS = 10
const RUNS = 9
/** Of the largest head, for the request line and the headers that every request has. */
const REST = 400

const PLAIN = '/api/v1/banks/?limit=1&fields=rssd_id'

t.test('no head costs more than 10 ms of CPU', { timeout: 600_000 }, async (t) => {
  const { listen, config, headers, app } = await build(t, {
    env: { TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' },
    deps: {
      logger: openLog({ logLevel: 'info' }, { write: () => {} }),
      // a collector that is not there: what a request costs is the making of its spans
      tracer: openTracer(
        {
          otelExporterOtlpEndpoint: 'http://127.0.0.1:9',
          otelExporterOtlpHeaders: '',
          otelServiceName: 'test',
          otelTracesSamplerArg: 1,
        },
        { debug() {}, info() {}, warn() {}, error() {} },
      ),
    },
  })
  const { port } = new URL(await listen())
  const ask = (url: string, more: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      const head = { host: 'a', connection: 'close', ...more }
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
      let first = ''
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${url} HTTP/1.1\r\n${lines.join('')}\r\n`),
      )
      socket.on('data', (chunk) => {
        first ||= chunk.toString('latin1', 0, 12)
      })
      socket.on('close', () => resolve(first.slice(9)))
      socket.on('error', reject)
    })

  /** Milliseconds of CPU: the median of several, for what else the process does meanwhile. */
  const cost = async (url: string, more: Record<string, string>): Promise<{ ms: number; status: string }> => {
    const each: number[] = []
    let status = ''
    for (let run = 0; run < RUNS; run++) {
      const before = process.cpuUsage()
      status = await ask(url, more)
      const { user, system } = process.cpuUsage(before)
      each.push((user + system) / 1000)
    }
    return { ms: each.sort((a, b) => a - b)[RUNS >> 1]!, status }
  }

  const headLength = config.maxHeaderBytes - REST
  /** A text of the greatest length that goes on with the same piece. */
  const filled = (begin: string, piece: string, end = '', length = headLength): string =>
    begin + piece.repeat(Math.floor((length - begin.length - end.length) / piece.length)) + end
  const etag = String((await app.inject(PLAIN)).headers.etag)
  const { authorization } = headers

  /** By header: how a hostile value begins, goes on, and ends. */
  const values: Record<string, [begin: string, piece: string, end?: string][]> = {
    range: [
      ['bytes=', ' ', '-x'],
      [`bytes=${' '.repeat(headLength / 2)}-`, ' ', 'x'],
      [' ', ' ', 'bytes=0-0'],
      ['bytes=', '0-0,'],
      ['bytes=', '9'],
      ['bytes=', ','],
      ['bytes', '='],
      ['bytes=-', '-'],
    ],
    'if-range': [['"', 'a']],
    accept: [
      ['', ','],
      ['', ';'],
      ['text/csv', ';q=0.1'],
      ['', 'a/b;q=0.1,'],
      ['', 'a/b,', '*/*'],
      ['', ' ', 'x'],
      ['text/csv;q=', ' ', 'x'],
      ['text/csv;q=0.', '1'],
    ],
    'accept-encoding': [
      ['', ','],
      ['', 'a,'],
      ['', 'gzip;q=0.1,'],
      ['', 'a;q=0.1,', 'br'],
      ['gzip', ';'],
      ['gzip;', ' ', 'x'],
      ['', ' ', 'x'],
      ['gzip;q=', '1'],
    ],
    'if-none-match': [
      ['', ','],
      ['', '"a",'],
      ['', 'W/'],
      ['', ' ', 'x'],
      ['', `${etag.slice(0, -1)}-x",`],
      ['"', 'a'],
      ['', '*,'],
    ],
    'if-match': [
      ['', '"a",', etag],
      ['', ' ', 'x'],
      ['', `${etag.slice(0, -1)}-x",`, etag],
    ],
    'if-modified-since': [
      ['', ' ', 'x'],
      ['', '1'],
    ],
    authorization: [
      ['Bearer ', ' ', 'x'],
      ['Bearer', ' ', 'x y'],
      ['Bearer a', ' ', 'x'],
      ['Bearer ', 'bds_p_'],
      [`${authorization}`, ' ', 'x'],
      ['Basic ', 'a'],
    ],
    'x-forwarded-for': [
      ['', '127.0.0.1,'],
      ['', '::1,'],
      ['', '10.0.0.1 ,'],
      ['', '10.0.0.1:80,'],
      ['', '[::1]:80,'],
      ['', 'a,'],
      ['', ','],
      ['', ' ', 'x'],
      ['', '1.'],
      ['', '1:'],
      ['', '['],
      ['fe80::1%', 'a'],
    ],
    traceparent: [
      ['00-', 'a'],
      ['00', '-'],
      ['', ' ', 'x'],
    ],
    tracestate: [
      ['', 'a=b,'],
      ['', ','],
      ['', ' ', 'x'],
    ],
    host: [
      ['', 'a.'],
      ['', '['],
      ['', ':'],
    ],
    origin: [['', 'a']],
    cookie: [['', 'a=b;']],
    'user-agent': [['', 'bds_p_aaaaaaa ']],
  }
  const worst: [string, number][] = []
  const costly: string[] = []
  const measure = async (what: string, url: string, more: Record<string, string>): Promise<void> => {
    const { ms, status } = await cost(url, more)
    worst.push([`${what} (${status})`, ms])
    if (ms >= MOST_MS || status === '') costly.push(`${what} (${status}): ${ms.toFixed(1)} ms`)
  }

  // what the compiler of JavaScript has not met yet costs more, whatever its shape
  for (let run = 0; run < 50; run++) await ask(PLAIN, { accept: 'text/csv', range: 'bytes=0-1' })

  for (const [name, shapes] of Object.entries(values)) {
    for (const [begin, piece, end] of shapes) {
      await measure(`${name}: ${begin.slice(0, 20)}${piece.slice(0, 20)}…${end ?? ''}`, PLAIN, {
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
        [name]: filled(begin, piece, end),
      })
    }
  }
  const many = Object.fromEntries(Array.from({ length: 1900 }, (_, i) => [`x${i}`, 'a']))
  await measure('1,900 headers', PLAIN, many)

  const urlLength = Math.min(config.maxUrlLength, headLength)
  /** A URL that is accepted as far as its length goes. */
  const url = (begin: string, piece: string, end?: string): string => filled(begin, piece, end, urlLength)
  const screener = '/api/v1/screeners/banks/?limit=1'
  for (const one of [
    url('/api/v1/banks/?', '&'),
    url('/api/v1/banks/?', '='),
    url('/api/v1/banks/?', 'a&'),
    url('/api/v1/banks/?', 'limit=1&'),
    url('/api/v1/banks/?q=', '+'),
    url('/api/v1/banks/?q=', '%20'),
    url('/api/v1/banks/?q=', '%C3%A9'),
    url('/api/v1/banks/?q=', 'a,'),
    url('/api/v1/banks/?state=', 'GA,'),
    url('/api/v1/banks/?state=', ','),
    url('/api/v1/banks/?cursor=', 'A'),
    url('/api/v1/banks/?limit=', '1'),
    url('/api/v1/banks/?format=', 'a'),
    url('/api/v1/banks/?fields=', 'rssd_id,', 'rssd_id'),
    url('/api/v1/banks/?fields=', 'a,'),
    url('/api/v1/banks/?fields=', ','),
    url('/api/v1/banks/?sort=', 'rssd_id,', 'rssd_id'),
    url('/api/v1/banks/?sort=', '-'),
    url(`${screener}&sort=`, 'roa,', 'roe'),
    url(`${screener}&metrics=`, 'roa,', 'roe'),
    url(`${screener}&metrics=`, 'roaa,'),
    url(`${screener}&min_roa=`, '1', 'x'),
    url(`${screener}&min_roa=1.`, '1', 'x'),
    url(`${screener}&min_roa=`, '1.', 'x'),
    url(`${screener}&min_roa=`, '%20', 'x'),
    url(`${screener}&as_of=`, '2'),
    `${screener}${Array.from({ length: 1600 }, (_, i) => `&min_${i}=1`).join('')}`.slice(0, urlLength),
    // as near to names as a text can be that is none
    `${screener}${Array.from({ length: 500 }, (_, i) => `&min_total_loans_to_assetz_${i}=1`).join('')}`.slice(
      0,
      urlLength,
    ),
    url(`${screener}&fields=`, 'total_loans_to_assetz,'),
    url('/', '/'),
    url('/', 'a/'),
    url('/api/v1/', 'a'),
    url('/api/v1/banks/', 'a/'),
    url('/api/v1/banks/', '%61'),
    url('/', '%61'),
    url('/', 'bds_'),
    url('/', 'bds_%61_'),
    url('/', '%62ds_'),
    url('http://', 'a'),
    url('http://', 'a', '/'),
    url('/docs/', 'a'),
    url('/api/v1/reference/mdrm/', 'A', '/'),
  ])
    await measure(one.slice(0, 60), one, {})

  worst.sort(([, a], [, b]) => b - a)
  for (const [what, ms] of worst.slice(0, 10)) t.comment(`${ms.toFixed(1)} ms: ${what}`)
  t.strictSame(costly, [], `${worst.length} shapes`)
})
