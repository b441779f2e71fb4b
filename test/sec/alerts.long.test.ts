// Alerts of what registrants and their insiders file with the SEC: who is told what, in which words, and that nobody is told twice.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { attributesFile, relationshipsFile } from '../structure/nic-files.ts'
import { type Form, ownershipForm } from './insider-files.ts'
import { submissions } from './submissions.ts'

const [lone, held, holder] = [100, 852218, 1039502]
const { load, loadText, data, get, sql } = await ratesApp(t)
const folder = await temporaryFolder(t)

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
type Row = Record<string, any>
type Filing = readonly [number: string, form: string, filed: string, items?: string, report?: string]

const filed = (cik: string, name: string, ein: string, filings: readonly Filing[]) =>
  loadText(
    'sec-submissions',
    submissions({
      ...{ cik, name, ein },
      filings: {
        recent: {
          accessionNumber: filings.map(([number]) => number),
          form: filings.map(([, form]) => form),
          filingDate: filings.map(([, , day]) => day),
          acceptanceDateTime: filings.map(([, , day]) => `${day}T16:01:22.000Z`),
          items: filings.map(([, , , items]) => items ?? ''),
          reportDate: filings.map(([, , , , report]) => report ?? ''),
          size: filings.map(() => 1000),
        },
        files: [],
      },
    }),
    `CIK${cik}.json`,
  )
const forms = async (said: Readonly<Record<string, Form>>) => {
  const paths = Object.keys(said).map((number) => join(folder, `${number}.xml`))
  for (const [at, one] of Object.values(said).entries()) await writeFile(paths[at]!, ownershipForm(one))
  return load('sec-ownership', paths)
}
const alerts = (
  query = '',
  types = 'sec_event,sec_restatement,sec_late_filing,insider_trade',
): Promise<Row[]> => data(`/watchlist/alerts/?limit=1000&type=${types}&${query}`)
const told = (rows: readonly Row[], id: number) =>
  rows.filter(({ rssd_id }) => rssd_id === id).map(({ type, sentence }) => `${type}: ${sentence}`)
const version = async () => (await get('/watchlist/')).json().meta.data_version

const bank = { CHTR_TYPE_CD: 200, ENTITY_TYPE: 'NAT', STATE_ABBR_NM: 'OH', CITY: 'COLUMBUS' }
await loadText(
  'nic-attributes',
  attributesFile([
    { ...bank, ID_RSSD: held, NM_LGL: 'JPMORGAN CHASE BANK, NATIONAL ASSOCIATION', ID_FDIC_CERT: 628 },
    { ...bank, ID_RSSD: lone, NM_LGL: 'LONE BANK', ID_FDIC_CERT: 7, ID_TAX: 12345678 },
    {
      ...{ CHTR_TYPE_CD: 500, ENTITY_TYPE: 'FHD', STATE_ABBR_NM: 'NY', CITY: 'NEW YORK' },
      ...{ ID_RSSD: holder, NM_LGL: 'JPMORGAN CHASE & CO.', ID_TAX: 132624428 },
    },
  ]),
  'CSV_ATTRIBUTES_ACTIVE.CSV',
)
await loadText(
  'nic-relationships',
  relationshipsFile([{ ID_RSSD_PARENT: holder, ID_RSSD_OFFSPRING: held, DT_START: '20100101' }]),
  'CSV_RELATIONSHIPS.CSV',
)
const filings: Filing[] = [
  ['0000019617-25-000009', '8-K', '2025-10-22', '5.02,9.01'],
  // each quarter's results, and a vote
  ['0000019617-25-000008', '8-K', '2025-10-14', '2.02,9.01'],
  ['0000019617-25-000007', '8-K', '2025-10-13', '5.07'],
  ['0000019617-25-000006', '8-K/A', '2025-09-03', '1.01,2.01'],
  ['0000019617-25-000005', '8-K', '2025-08-01', '4.02'],
  ['0000019617-25-000004', '10-Q/A', '2025-08-01', '', '2025-03-31'],
  ['0000019617-25-000003', 'NT 10-Q', '2025-05-12'],
  ['0000019617-25-000002', 'NT 10-K', '2025-03-03', '', '2024-12-31'],
  // 399 days before the newest, and 400
  ['0000019617-24-000002', '8-K', '2024-09-18', '4.01'],
  ['0000019617-24-000001', '8-K', '2024-09-17', '4.01'],
]
await filed('0000019617', 'JPMORGAN CHASE & CO', '132624428', filings)
await filed('0000000005', 'LONE BANK', '012345678', [['0000000005-25-000001', '8-K', '2025-10-01', '3.01']])
await data(`/watchlist/add/?rssd_id=${lone},${held}`)

t.test('events, statements taken back and late reports, in words worked by hand', async (t) => {
  const words = (of: string) => [
    `sec_event: 8-K${of}: directors or officers left, were elected or appointed; their pay (item 5.02), filed 2025-10-22`,
    `sec_event: 8-K/A${of}: a material agreement was made (item 1.01), filed 2025-09-03`,
    `sec_event: 8-K/A${of}: an acquisition or a disposal of assets was completed (item 2.01), filed 2025-09-03`,
    `sec_restatement: 8-K${of}: financial statements issued before can no longer be relied on (item 4.02), filed 2025-08-01`,
    `sec_late_filing: NT 10-Q${of}: the quarterly report is late, by a notice of 2025-05-12`,
    `sec_late_filing: NT 10-K${of}: the annual report for 2024-12-31 is late, by a notice of 2025-03-03`,
    `sec_event: 8-K${of}: the auditor was changed (item 4.01), filed 2024-09-18`,
  ]
  const first = await alerts()
  t.strictSame(told(first, held).sort(), words(' of JPMORGAN CHASE & CO').sort())
  t.strictSame(told(first, lone), [
    'sec_event: 8-K: notice of delisting or of a failure to meet a listing rule (item 3.01), filed 2025-10-01',
  ])
  t.strictSame(told(first, holder), [], 'nobody watches it yet')
  await data(`/watchlist/add/?rssd_id=${holder}`)
  const all = await alerts()
  t.strictSame(told(all, holder).sort(), words('').sort())
  t.match(
    all.find(({ rssd_id, subject }) => rssd_id === lone && subject === '0000000005-25-000001 3.01'),
    {
      legal_name: 'LONE BANK',
      date: '2025-10-01',
      value: null,
      link: '/api/v1/sec/filings/0000000005-25-000001/',
    },
  )
  for (const link of new Set(all.map(({ link }) => link.replace('/api/v1', ''))))
    t.equal((await get(link)).status, 200, link)
})

t.test('the same filings loaded again alert nobody, a new one those alone whom it is of', async (t) => {
  const [before, known] = [await version(), await alerts()]
  const next: Filing = ['0000019617-25-000010', '8-K', '2025-10-23', '1.05']
  await filed('0000019617', 'JPMORGAN CHASE & CO', '132624428', [...filings, next])
  const fresh = await alerts(`since=${before}`)
  t.strictSame(told(fresh, held), [
    'sec_event: 8-K of JPMORGAN CHASE & CO: a material cybersecurity incident (item 1.05), filed 2025-10-23',
  ])
  t.strictSame(told(fresh, holder).length, 1)
  t.equal(fresh.length, 2)
  const moments = (rows: readonly Row[]) => rows.map(({ alert, known_at }) => `${alert} ${known_at}`).sort()
  // a day later, that of 399 days before is one of 400
  const still = known.filter(({ date }) => date !== '2024-09-18')
  t.strictSame(moments((await alerts()).filter(({ date }) => date !== '2025-10-23')), moments(still))
})

t.test('trades of insiders from the threshold on, without what is of premium keys', async (t) => {
  const sale = { code: 'S', shares: '5000', price: '150', direction: 'D', after: '10' } as const
  await forms({
    // 600 and 400 at 100 dollars: 100 thousand
    '0000000001-25-000001': {
      ...{ period: '2025-10-01' },
      transactions: [
        { code: 'P', shares: '600', price: '100', after: '600' },
        { code: 'P', shares: '400', price: '100', after: '1000' },
      ],
    },
    // 999 at 100: 99.9 thousand
    '0000000001-25-000002': {
      ...{ period: '2025-10-02' },
      transactions: [{ code: 'P', shares: '999', price: '100' }],
    },
    // 5,000 at 150 are 750 thousand; what is withheld for tax is no sale
    '0000000001-25-000003': {
      ...{ period: '2025-10-03' },
      transactions: [sale, { code: 'F', shares: '9000', price: '150', direction: 'D' }],
    },
  })
  const first = await alerts('', 'insider_trade')
  const bought = 'bought shares for $100 thousand or more (Form 4), filed 2025-10-01'
  t.strictSame(told(first, held), [`insider_trade: An insider of JPMORGAN CHASE & CO ${bought}`])
  t.strictSame(told(first, holder), [`insider_trade: An insider ${bought}`])
  t.match(first, [
    {
      value: null,
      change: null,
      threshold: 100,
      unit: 'thousands of US dollars',
      subject: 'P 77 2025-10-01',
    },
    {},
  ])
  for (const { link } of first) t.equal((await get(link.replace('/api/v1', ''))).status, 200, link)

  const before = await version()
  await forms({
    // it was 200 dollars a share: a million
    '0000000001-25-000004': {
      ...{ type: '4/A', period: '2025-10-03', original: '2025-10-03', signed: '2025-10-09' },
      transactions: [{ ...sale, price: '200' }],
    },
    // the price of a purchase that was told is another: the same alert
    '0000000001-25-000005': {
      ...{ type: '4/A', period: '2025-10-01', original: '2025-10-01', signed: '2025-10-10' },
      transactions: [{ code: 'P', shares: '600', price: '101', after: '600' }],
    },
  })
  t.strictSame(
    await sql(
      "SELECT round(sum(value), 1) AS bought FROM insider_feed WHERE code = 'P' AND shares IN (600, 400)",
    ),
    [{ bought: 100.6 }],
  )
  const fresh = await alerts(`since=${before}`, 'insider_trade')
  t.strictSame(told(fresh, held), [
    'insider_trade: An insider of JPMORGAN CHASE & CO sold shares for $1 million or more (Form 4), filed 2025-10-03',
  ])
  t.equal(fresh.length, 2)
  t.equal((await alerts('', 'insider_trade')).length, 4)
})
