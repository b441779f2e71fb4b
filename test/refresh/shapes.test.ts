// Every shape in which an agency offers its files can be declared: each is asked for here as it would be.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { FetchState, SourceState } from '../../loaders/fetch/state.ts'
import type { Source } from '../../loaders/lib/source.ts'
import { type Address, bankFind, byQuarter, byYear, type FetchDeclaration } from '../../sql/sources/fetch.ts'
import { cdrWebService } from '../../sql/sources/ffiec-cdr.ts'
import { type Answer, replay, says } from '../rates/replay.ts'
import { collected, pathOf, shelf } from './helpers.ts'

const declared = (fetch: Partial<FetchDeclaration> & Pick<FetchDeclaration, 'addresses'>): Source => ({
  ...{ key: 'shape', name: '', publisher: '', licence: '', address: '', what: '' },
  fetch: { base: 'https://example.gov', ...fetch },
  discover: async () => ({ editions: [], refused: [], ignored: [] }),
  load: async () => ({ status: 'already-there', reportDate: null }),
})

const now = new Date('2026-05-02T00:00:00Z')
const loaded = (...names: string[]): SourceState =>
  new Map(
    names.map((name) => [
      name,
      { name, sha256: 'a'.repeat(64), lastNew: '2026-04-01T00:00:00Z' } as unknown as FetchState,
    ]),
  )

t.test(
  'quarterly zips (NCUA, NIC): the newest may lack, old ones are settled once they were had',
  async (t) => {
    const ncua = declared({
      addresses: (asked) =>
        byQuarter(asked, '2024Q4', ({ end }) => {
          const name = `call-report-data-${end.slice(0, 7)}.zip`
          return { name, path: `/files/publications/analysis/${name}` }
        }),
    })
    const { url, asked } = await replay(t, (request, response) =>
      says(request.url!.includes('2026-03') ? 404 : 200, 'PK')(request, response),
    )
    const { files, failed } = await collected(
      t,
      ncua,
      { SOURCE_URL_SHAPE: url },
      { now, state: loaded('call-report-data-2024-12.zip', 'call-report-data-2025-12.zip') },
    )
    t.strictSame(failed, [])
    t.strictSame(
      asked.map((path) => path.slice(-11, -4)),
      ['2025-03', '2025-06', '2025-09', '2025-12', '2026-03'],
    )
    t.equal(files.length, 4)
    const late = await collected(
      t,
      ncua,
      { SOURCE_URL_SHAPE: url, SOURCE_FROM_SHAPE: '2026' },
      { now: new Date('2026-09-02') },
    )
    t.match(
      late.failed,
      [{ name: 'call-report-data-2026-03.zip', reason: /404/ }],
      'it should be there by now',
    )
  },
)

t.test('yearly files of some gigabytes (HMDA), and one over the limit', async (t) => {
  const hmda = declared({
    mostBytes: 1000,
    addresses: (asked) =>
      byYear(asked, 2018, ({ year }) => ({ name: `${year}_lar.zip`, path: `/${year}/lar.zip` }), { late: 2 }),
  })
  const { url, asked } = await replay(t, (request, response) => {
    const year = Number(request.url!.slice(1, 5))
    says(year > 2024 ? 404 : 200, 'x'.repeat(year === 2019 ? 2000 : 10))(request, response)
  })
  const { files, failed } = await collected(t, hmda, { SOURCE_URL_SHAPE: url }, { now })
  t.equal(asked.length, 9)
  t.equal(files.length, 6)
  t.match(failed, [{ name: '2019_lar.zip', reason: /larger than 1000 bytes/ }])
})

t.test('paged JSON (FDIC BankFind): pages that do not fit together are refused', async (t) => {
  const history = declared({ addresses: () => [bankFind('history', { fields: ['ID', 'CERT'], sort: 'ID' })] })
  const ask = async (answer: Answer) =>
    collected(t, history, { SOURCE_URL_SHAPE: (await replay(t, answer)).url })
  const page = (total: number, count: number) =>
    JSON.stringify({ meta: { total }, data: Array.from({ length: count }, (_, ID) => ({ data: { ID } })) })
  const { files } = await ask(says(200, page(2, 2)))
  t.strictSame(JSON.parse(readFileSync(files[0]!.path, 'utf8')), {
    data: [{ data: { ID: 0 } }, { data: { ID: 1 } }],
  })
  let times = 0
  const growing: Answer = (request, response) => says(200, page(10_001 + times++, 10_000))(request, response)
  t.match((await ask(growing)).failed, [{ reason: /changed from 10001 to 10002 while they were read/ }])
  const short: Answer = (request, response) =>
    says(200, page(5, request.url!.includes('offset=0') ? 3 : 0))(request, response)
  t.match((await ask(short)).failed, [{ reason: /gave 3 records of 5/ }])
  t.match((await ask(says(200, page(0, 0)))).failed, [{ reason: /has no records yet/ }])
  const later = declared({
    addresses: () => [{ ...bankFind('sod', { fields: ['CERT'], sort: 'CERT' }), mayLack: true }],
  })
  const { url } = await replay(t, says(200, page(0, 0)))
  t.match(
    await collected(t, later, { SOURCE_URL_SHAPE: url }),
    { files: [], failed: [] },
    'a year that is not surveyed yet is no fault',
  )
  t.match((await ask(says(200, '<html>'))).failed, [{ reason: /no JSON: <html>/ }])
  t.match((await ask(says(200, '{"data":null}'))).failed, [{ reason: /no array “data”/ }])
})

const edgar = declared({
  base: 'https://www.sec.gov',
  needs: ['FETCH_CONTACT'],
  perSecond: 50,
  addresses: () => [
    {
      ...{ name: 'company_tickers.json', path: '/files/company_tickers.json', aside: true },
      leadsTo: (text) =>
        Object.values(JSON.parse(text) as Record<string, { cik_str: number }>).map(({ cik_str }): Address => {
          const name = `CIK${String(cik_str).padStart(10, '0')}.json`
          return { name, path: `https://data.sec.gov/submissions/${name}`, leadsTo: overflow }
        }),
    },
  ],
})
const overflow = (text: string): Address[] =>
  (JSON.parse(text) as { filings: { files: { name: string }[] } }).filings.files.map(({ name }) => ({
    ...{ name, path: `https://data.sec.gov/submissions/${name}` },
  }))

t.test('JSON of each registrant (EDGAR): in its turn, with who asks, and what each names', async (t) => {
  const submissions = join(import.meta.dirname, '../../../shared/data/sec/submissions')
  const real = (name: string) =>
    existsSync(submissions) ? readFileSync(join(submissions, name), 'utf8') : undefined
  const [first, second] = ['CIK0001318605.json', 'CIK0000310522.json']
  const files = new Map([
    ['/files/company_tickers.json', '{"0":{"cik_str":1318605},"1":{"cik_str":310522},"2":{"cik_str":7}}'],
    [
      `/submissions/${first}`,
      real(first) ?? '{"filings":{"files":[{"name":"CIK0001318605-submissions-001.json"}]}}',
    ],
    ['/submissions/CIK0001318605-submissions-001.json', real('CIK0001318605-submissions-001.json') ?? '{}'],
    [`/submissions/${second}`, '{"filings":{"files":[]}}'],
    ['/submissions/CIK0000000007.json', '<html>'],
  ])
  const inner = shelf(files)
  const times: number[] = []
  const agents = new Set<string | undefined>()
  const { url } = await replay(t, (request, response) => {
    times.push(performance.now())
    agents.add(request.headers['user-agent'])
    inner(request, response)
  })
  const env = { SOURCE_URL_SHAPE: url, FETCH_CONTACT: 'Jane Doe jane@example.com' }
  const one = await collected(t, edgar, env)
  t.match(
    one.files.map(({ name }) => name).sort(),
    [second, 'CIK0001318605-submissions-001.json', first].sort(),
  )
  t.match(one.failed, [{ name: 'CIK0000000007.json', reason: /is not what was expected .*<html>/ }])
  t.strictSame([...agents], ['us-banking-query-server (loader; Jane Doe jane@example.com)'])
  // each waits until 20 ms after the one before; what a timer or the network is early by is small against that
  t.ok(times.at(-1)! - times[0]! >= (times.length - 1) * 20 - 15)

  files.set('/submissions/CIK0000000007.json', '{"filings":{"files":[]}}')
  inner.sent.length = 0
  const state = new Map(
    one.files.map((file) => [file.name, { ...file, lastNew: '' } as unknown as FetchState]),
  )
  state.delete('CIK0000000007.json')
  const two = await collected(t, edgar, env, { state })
  t.strictSame(inner.sent, ['/files/company_tickers.json', '/submissions/CIK0000000007.json'])
  t.match(two, {
    files: [{ name: 'CIK0000000007.json' }],
    same: [{ name: first }, { name: second }],
    failed: [],
  })
})

t.test('names that an answer gives are names of files', async (t) => {
  const naughty = declared({
    addresses: () => [
      { name: 'list', path: '/list', aside: true, leadsTo: (text) => [{ name: text, path: '/x' }] },
    ],
  })
  for (const name of ['../x', '.x', 'a/b', '', 'list'])
    t.match(
      (await collected(t, naughty, { SOURCE_URL_SHAPE: (await replay(t, says(200, name))).url })).failed,
      [{ name: 'list', reason: /cannot name a file|two addresses/ }],
      name,
    )
})

t.test('with a login (FFIEC CDR): periods, who filed since, and the facsimile of each', async (t) => {
  const cdr = { ...declared(cdrWebService), key: 'cdr' }
  const seen: Record<string, unknown>[] = []
  const sdf =
    'Call Date;Bank RSSD Identifier;MDRM #;Value;Last Update;Short Definition;Call Schedule;Line Number\r\n'
  const { url, asked } = await replay(t, (request, response) => {
    const { userid, authentication, reportingperiodenddate, fiid, lastupdatedatetime, facsimileformat } =
      request.headers
    seen.push({ reportingperiodenddate, fiid, lastupdatedatetime, facsimileformat })
    if (userid !== 'somebody' || authentication !== 'Bearer secret') return says(401)(request, response)
    const answers: Record<string, unknown> = {
      '/RetrieveReportingPeriods': ['3/31/2026', '12/31/2025', '9/30/2025'],
      '/RetrievePanelOfReporters': [
        { ID_RSSD: 37, Name: 'BANK OF HANCOCK COUNTY', HasFiledForReportingPeriod: true },
      ],
      '/RetrieveFilersSubmissionDateTime': [{ ID_RSSD: 37, DateTime: '4/20/2026 3:23:30 PM' }],
      '/RetrieveFacsimile': Buffer.from(sdf).toString('base64'),
    }
    const answer = answers[pathOf(request)]
    says(answer === undefined ? 404 : 200, JSON.stringify(answer))(request, response)
  })
  const env = { SOURCE_URL_CDR: url, CDR_USER: 'somebody', CDR_TOKEN: 'secret' }
  const { files, failed } = await collected(t, cdr, env, { now })
  t.strictSame(failed, [])
  t.strictSame(
    files.map(({ name }) => name),
    [
      'por-2026-03-31.json',
      'call-2026-03-31-37-20260420152330.sdf',
      'por-2025-12-31.json',
      'call-2025-12-31-37-20260420152330.sdf',
    ],
  )
  t.equal(readFileSync(files[1]!.path, 'latin1'), sdf)
  t.equal(asked.length, 7)
  t.match(seen.at(-1), { reportingperiodenddate: '12/31/2025', fiid: '37', facsimileformat: 'SDF' })

  const wrong = await collected(t, cdr, { ...env, CDR_TOKEN: 'old' }, { now })
  t.match(wrong.failed, [{ name: 'periods.json', reason: /answered 401/ }])
})
