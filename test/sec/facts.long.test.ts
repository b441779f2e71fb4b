// XBRL facts of registrants: one row of two sources, periods as last filed, quarters derived, frames across registrants.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { universe } from '../helpers/universe.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { attributesFile } from '../structure/nic-files.ts'
import { companyFacts, type Fact, statements } from './fact-files.ts'
import { submissions } from './submissions.ts'

const first = { form: '10-Q', fy: 2024, fp: 'Q1', accn: '0000000005-24-000001', filed: '2024-05-06' }
const second = { form: '10-Q', fy: 2024, fp: 'Q2', accn: '0000000005-24-000002', filed: '2024-08-06' }
const third = { form: '10-Q', fy: 2024, fp: 'Q3', accn: '0000000005-24-000003', filed: '2024-11-06' }
const annual = { form: '10-K', fy: 2024, fp: 'FY', accn: '0000000005-25-000001', filed: '2025-02-20' }
const amended = { form: '10-K/A', fy: 2024, fp: 'FY', accn: '0000000005-25-000002', filed: '2025-04-01' }
const year = { start: '2024-01-01' }

const income: Fact[] = [
  { ...year, end: '2024-03-31', val: 100, ...first },
  { start: '2024-04-01', end: '2024-06-30', val: 110, ...second },
  { ...year, end: '2024-06-30', val: 210, ...second },
  { start: '2024-07-01', end: '2024-09-30', val: 120, ...third },
  { ...year, end: '2024-09-30', val: 330, ...third },
  { ...year, end: '2024-12-31', val: 470, ...annual },
  { ...year, end: '2024-12-31', val: 460, ...amended },
]
const facts = companyFacts(5, {
  'us-gaap': {
    Assets: {
      USD: [
        { end: '2024-03-31', val: 9000, ...first },
        { end: '2024-12-31', val: 9500, ...annual },
        { end: '2024-12-31', val: 9400, ...amended },
      ],
    },
    NetIncomeLoss: { USD: income },
    // year to date alone, as statements of cash flows have it
    PaymentsOfDividends: {
      USD: [
        { ...year, end: '2024-03-31', val: 10, ...first },
        { ...year, end: '2024-06-30', val: 25, ...second },
        { ...year, end: '2024-09-30', val: 45, ...third },
        { ...year, end: '2024-12-31', val: 70, ...annual },
      ],
    },
    // no year to date in the third quarter: the year less its three quarters
    InterestExpense: {
      USD: [
        { ...year, end: '2024-03-31', val: 1, ...first },
        { start: '2024-04-01', end: '2024-06-30', val: 2, ...second },
        { start: '2024-07-01', end: '2024-09-30', val: 3, ...third },
        { ...year, end: '2024-12-31', val: 10, ...annual },
      ],
    },
    EarningsPerShareBasic: {
      'USD/shares': [
        { ...year, end: '2024-09-30', val: 3.3, ...third },
        { ...year, end: '2024-12-31', val: 4.7, ...annual },
      ],
    },
  },
  // of a cover: two days that round to one month are two facts
  dei: {
    EntityCommonStockSharesOutstanding: {
      shares: [
        { end: '2024-05-01', val: 50, ...first },
        { end: '2024-05-03', val: 51, ...first, accn: '0000000005-24-000009' },
      ],
    },
  },
})

const filing = {
  ...{ adsh: annual.accn, cik: 5, name: 'LONE BANCORP', sic: '6022', form: '10-K', period: '20241231' },
  ...{ fye: '1231', fy: 2024, fp: 'FY', filed: '20250220' },
}
const figure = { adsh: annual.accn, version: 'us-gaap/2024', ddate: '20241231', qtrs: 0, uom: 'USD' }
const archive = statements(
  [filing, { ...filing, adsh: '0000000006-25-000001', cik: 6, name: 'A SHOP', sic: '5311' }],
  [
    { ...figure, tag: 'Assets', value: '9500.0000' },
    { ...figure, tag: 'Assets', coreg: 'Subsidiary', value: '1.0000' },
    { ...figure, tag: 'Assets', segments: 'Retail', value: '2.0000' },
    { ...figure, tag: 'NetIncomeLoss', qtrs: 4, value: '470.0000' },
    { ...figure, tag: 'OwnMeasure', version: annual.accn, value: '7.5000' },
    { ...figure, tag: 'NotTold', value: '' },
    { ...figure, tag: 'Assets', adsh: '0000000006-25-000001', value: '3.0000' },
  ],
)

t.test('a fact that two sources tell is one row, whichever comes first', async (t) => {
  const orders = [
    ['sec-statements', 'sec-facts'],
    ['sec-facts', 'sec-statements'],
  ]
  for (const order of orders) {
    const { load, loadText, sql } = await ratesApp(t)
    await loadText('sec-submissions', submissions({ cik: '0000000005', sic: '6022' }), 'CIK0000000005.json')
    const zip = join(await temporaryFolder(t), '2025q1.zip')
    await writeFile(zip, archive)
    for (const source of order)
      t.match(
        source === 'sec-facts'
          ? await loadText('sec-facts', facts, 'CIK0000000005.json')
          : await load('sec-statements', [zip]),
        { editions: [{ status: 'published', rowsRejected: 0 }] },
        source,
      )
    const rows = await sql(
      `SELECT concept, taxonomy, toString(start_date) AS start, toString(end_date) AS end, value, frame FROM sec_facts
       WHERE accession_number = '${annual.accn}' AND concept IN ('Assets', 'NetIncomeLoss', 'OwnMeasure') ORDER BY concept`,
    )
    t.strictSame(
      rows,
      [
        {
          ...{ concept: 'Assets', taxonomy: 'us-gaap', start: null, end: '2024-12-31', value: 9500 },
          frame: 'CY2024Q4I',
        },
        {
          ...{ concept: 'NetIncomeLoss', taxonomy: 'us-gaap', start: '2024-01-01', end: '2024-12-31' },
          ...{ value: 470, frame: 'CY2024' },
        },
        {
          ...{ concept: 'OwnMeasure', taxonomy: 'custom', start: null, end: '2024-12-31', value: 7.5 },
          frame: 'CY2024Q4I',
        },
      ],
      `${order}: without co-registrants, segments and blanks`,
    )
    const counted = (where: string) =>
      sql<{ n: number }>(`SELECT toUInt32(count()) AS n FROM sec_facts WHERE ${where}`).then(
        ([row]) => row!.n,
      )
    t.equal(await counted('true'), 23, 'all of them, and of the shop nothing')
    t.equal(await counted(`taxonomy = 'dei'`), 2)
    if (order[1] === 'sec-facts') continue
    await loadText('sec-facts', facts.replace('"val":9000', '"val":9001'), 'CIK0000000005.json')
    t.equal(await counted('true'), 23, 'told again they replace what they told')
    t.equal(await counted('value = 9001'), 1)
  }
})

t.test('facts, trends and frames of a bank', async (t) => {
  const { loadText, data, get } = await ratesApp(t)
  const bank = { CHTR_TYPE_CD: 200, ENTITY_TYPE: 'NAT', STATE_ABBR_NM: 'OH', CITY: 'COLUMBUS' }
  await loadText(
    'nic-attributes',
    attributesFile([{ ...bank, ID_RSSD: 100, NM_LGL: 'LONE BANK', ID_FDIC_CERT: 7, ID_TAX: 12345678 }]),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  const registrant = { name: 'Lone Bancorp', ein: '012345678', sic: '6022', tickers: [], exchanges: [] }
  t.match(await loadText('sec-facts', facts, 'CIK0000000005.json'), {
    editions: [{ rowsKept: 0, notes: [/sec-submissions/] }],
  })
  await loadText('sec-submissions', submissions({ cik: '0000000005', ...registrant }), 'CIK0000000005.json')
  await loadText(
    'sec-submissions',
    submissions({ cik: '0000000007', name: 'Other Bancorp', ein: '987654321', sic: '6021' }),
    'CIK0000000007.json',
  )
  await loadText('sec-facts', facts.replace('"cik":5,', '"cik": 5,'), 'CIK0000000005.json')
  // its year ends in June: half of it is of the calendar year before
  const other = companyFacts(7, {
    'us-gaap': {
      Assets: { USD: [{ end: '2025-01-31', val: 77, ...annual, accn: '0000000007-25-000001' }] },
      NetIncomeLoss: {
        USD: [{ start: '2024-07-01', end: '2025-06-30', val: 7, ...annual, accn: '0000000007-25-000002' }],
      },
    },
  })
  await loadText('sec-facts', other, 'CIK0000000007.json')

  const newest = await data('/banks/100/sec/facts/?limit=3')
  t.match(newest[0], { rssd_id: 100, cik: 5, concept: 'Assets', value: 9400, form: '10-K/A', days: 0 })
  t.match(newest[1], { concept: 'NetIncomeLoss', value: 460, start_date: '2024-01-01', days: 366 })
  t.equal(
    (await data('/banks/100/sec/facts/?concept=Assets,NetIncomeLoss&fiscal_year=2024&fiscal_period=FY'))
      .length,
    4,
  )
  t.same(await data('/banks/100/sec/facts/?form=8-K'), [])

  const trend = (concept: string, query = '') => data(`/banks/100/sec/facts/${concept}/?${query}`)
  const short = (rows: Record<string, unknown>[]) =>
    rows.map(({ period, start_date, end_date, value, derived }) => [
      period,
      start_date,
      end_date,
      value,
      derived,
    ])
  const quarters = await trend('NetIncomeLoss')
  t.strictSame(short(quarters), [
    ['CY2024Q1', '2024-01-01', '2024-03-31', 100, false],
    ['CY2024Q2', '2024-04-01', '2024-06-30', 110, false],
    ['CY2024Q3', '2024-07-01', '2024-09-30', 120, false],
    ['CY2024Q4', '2024-10-01', '2024-12-31', 130, true],
  ])
  t.strictSame(quarters[3].accession_numbers, [amended.accn, third.accn], 'from the amended year')
  const [whole] = await trend('NetIncomeLoss', 'frequency=year')
  t.match(whole, {
    ...{ period: 'CY2024', value: 460, form: '10-K/A', filings: 2, derived: false },
    ...{ replaced_value: 470, replaced_accession_number: annual.accn, replaced_filed_date: '2025-02-20' },
  })
  t.strictSame(
    short(await trend('PaymentsOfDividends')).map(([period, , , value, derived]) => [period, value, derived]),
    [
      ['CY2024Q1', 10, false],
      ['CY2024Q2', 15, true],
      ['CY2024Q3', 20, true],
      ['CY2024Q4', 25, true],
    ],
  )
  t.strictSame(
    short(await trend('InterestExpense')).at(-1),
    ['CY2024Q4', '2024-10-01', '2024-12-31', 4, true],
    'from the three quarters',
  )
  t.same(await trend('EarningsPerShareBasic'), [], 'figures a share do not add up')
  t.equal((await trend('Assets')).length, 2, 'an instant')
  t.match(await trend('Assets', 'frequency=year'), [
    { end_date: '2024-12-31', value: 9400, replaced_value: 9500 },
  ])
  t.same(await trend('Assets', 'unit=EUR'), [])

  const frame = (concept: string, query = '') => data(`/sec/frames/${concept}/?${query}`)
  t.match(await frame('Assets', 'period=CY2024Q4I'), [
    { cik: 5, name: 'Lone Bancorp', rssd_id: 100, value: 9400, period: 'CY2024Q4I' },
    { cik: 7, name: 'Other Bancorp', rssd_id: null, value: 77, end_date: '2025-01-31' },
  ])
  t.match(await frame('Assets'), [{ value: 9400 }, { value: 77 }], 'the newest')
  t.match(await frame('NetIncomeLoss', 'period=cy2024'), [{ value: 460 }, { value: 7 }])
  t.same(await frame('Assets', 'period=CY1999'), [])
  t.equal((await get('/sec/frames/Assets/?period=2024')).status, 400)
  for (const url of ['/sec/frames/a%20b/', '/sec/frames/assets/', '/banks/100/sec/facts/NoSuchConcept/'])
    t.equal((await get(url)).status, 404, url)
})

t.test('facts of the demo are what its holding companies filed', async (t) => {
  const { rows } = await universe()
  const [holder] = await rows('/api/v1/sec/frames/Assets/?sort=-value&limit=1')
  const [bank] = await rows(`/api/v1/sec/registrants/?limit=10000`).then((all) =>
    all.filter(({ cik, bank_rssd_ids }) => cik === holder!.cik && bank_rssd_ids.length > 0),
  )
  const filed = await rows(`/api/v1/holding-companies/${bank!.rssd_id}/`)
  for (const [concept, metric] of [
    ['Assets', 'total_assets'],
    ['StockholdersEquity', 'total_equity'],
  ] as const) {
    const trend = await rows(`/api/v1/banks/${bank!.bank_rssd_ids[0]}/sec/facts/${concept}/`)
    const one = trend.find(({ end_date }) => end_date === filed[0]!.report_date)
    t.equal(one!.value, 1000 * filed[0]![metric], concept)
  }
  const income = await rows(`/api/v1/banks/${bank!.bank_rssd_ids[0]}/sec/facts/NetIncomeLoss/`)
  t.equal(holder!.cik, 1_800_000_000 + bank!.rssd_id)
  t.ok(income.some(({ derived }) => derived) && income.some(({ derived }) => !derived))
})

const real = join(import.meta.dirname, '../../../shared/data/sec/companyfacts/CIK0001835632.json')

t.test(
  'company facts as EDGAR gives them, with its own frames',
  { skip: !existsSync(real) && 'the real files are not here' },
  async (t) => {
    const { load, loadText, sql } = await ratesApp(t)
    await loadText('sec-submissions', submissions({ cik: '0001835632', sic: '6022' }), 'CIK0001835632.json')
    t.match(await load('sec-facts', [real]), { editions: [{ rowsKept: 8053, rowsRejected: 0 }] })
    const document = JSON.parse(await import('node:fs/promises').then((fs) => fs.readFile(real, 'utf8')))
    const told: string[] = []
    for (const concepts of Object.values<Record<string, { units: Record<string, Fact[]> }>>(document.facts))
      for (const [concept, { units }] of Object.entries(concepts))
        for (const [unit, list] of Object.entries(units))
          for (const { frame, accn, end, val } of list)
            if (frame) told.push([concept, unit, frame, accn, end, val].join('|'))
    const ours = await sql<{ fact: string }>(
      `SELECT concat(concept, '|', unit, '|', frame, '|', accession_number, '|', toString(end_date), '|', toString(value)) AS fact FROM sec_facts`,
    )
    const known = new Set(ours.map(({ fact }) => fact))
    t.equal(told.length, 3859)
    t.strictSame(
      told.filter((fact) => !known.has(fact)).slice(0, 10),
      [],
      'the calendar period of each is the one that EDGAR says',
    )
  },
)
