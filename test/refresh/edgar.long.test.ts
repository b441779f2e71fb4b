// EDGAR's archives of everybody are fetched now and then, and between them the documents of banks that have filed.
import t from 'tap'
import { zipOf } from '../loaders/helpers.ts'
import { schedule13g } from '../sec/holder-files.ts'
import { insiderTsvs, ownershipForm } from '../sec/insider-files.ts'
import { submissions } from '../sec/submissions.ts'
import { refreshEngine, shelf } from './helpers.ts'

const numberOf = (number: number) => `0000019617-26-00000${number}`
const filing = (number: number, form: string, filed: string) => ({
  accessionNumber: [numberOf(number)],
  ...{ filingDate: [filed], reportDate: [''], acceptanceDateTime: [`${filed}T10:00:00.000Z`], act: ['34'] },
  ...{ form: [form], fileNumber: ['1'], filmNumber: ['1'], items: ['5.02'], size: [1], isXBRL: [1] },
  ...{ isInlineXBRL: [0], primaryDocument: ['a.htm'], primaryDocDescription: [form] },
})
const registrant = (cik: number, recent: object = {}, sic = '6021') =>
  submissions({
    cik: String(cik).padStart(10, '0'),
    name: `BANK ${cik}`,
    sic,
    filings: { recent, files: [] },
  })
const facts = (cik: number, value: number) =>
  JSON.stringify({
    ...{ cik, entityName: 'A BANK' },
    facts: {
      'us-gaap': {
        Assets: {
          units: {
            USD: [
              {
                ...{ end: '2026-03-31', val: value, accn: '0000019617-26-000002', fy: 2026, fp: 'Q1' },
                ...{ form: '10-Q', filed: '2026-05-05' },
              },
            ],
          },
        },
      },
    },
  })

/** Members of an archive by their names. */
const archive = (members: readonly [string, string][]): Buffer =>
  zipOf(members.map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]))

const index = (
  ...lines: [form: string, cik: number][]
) => `Description:           Daily Index of EDGAR Dissemination Feed by Form Type

Form Type   Company Name                                                  CIK         Date Filed  File Name
---------------------------------------------------------------------------------------------------------------------------------------------
${lines.map(([form, cik]) => `${form.padEnd(12)}${'A NAME 10-Q INC'.padEnd(62)}${String(cik).padEnd(12)}20260505    edgar/data/${cik}/0000019617-26-000002.txt         `).join('\n')}
`
const dayOf = (day: string) => `/Archives/edgar/daily-index/2026/QTR2/form.${day}.idx`
const at = (time: string) => ({ now: () => new Date(time) })

t.test(
  'an archive, then who filed since by the indexes of the days, and the archive again when it is old',
  async (t) => {
    const bank = 'CIK0000019617.json'
    const files = new Map<string, string | Buffer>([
      [
        '/submissions.zip',
        archive([
          [bank, registrant(19617, filing(1, '8-K', '2026-05-01'))],
          ['CIK0000000700.json', registrant(700, filing(9, '10-K', '2026-05-01'), '7372')],
          ['CIK0000000800.json', registrant(800)],
        ]),
      ],
    ])
    const answer = shelf(files)
    const { refresh, rows, asked } = await refreshEngine(t, ['sec-submissions'], answer, {
      FETCH_CONTACT: 'somebody@example.com',
    })
    const forms = () => rows('SELECT cik, form FROM sec_filings ORDER BY filed_date')
    t.match((await refresh(at('2026-05-03T06:00:00Z'))).sources, [{ fetched: ['submissions.zip'] }])
    t.strictSame(asked, ['/submissions.zip'])
    t.strictSame(await forms(), [{ cik: 19617, form: '8-K' }])

    asked.length = 0
    files.set(dayOf('20260505'), index(['10-Q', 19617], ['10-Q', 700], ['4', 19617]))
    files.set(dayOf('20260504'), index(['8-K', 19617]))
    files.set(`/submissions/${bank}`, registrant(19617, filing(2, '10-Q', '2026-05-05')))
    const second = await refresh(at('2026-05-06T06:00:00Z'))
    t.match(second.sources, [{ status: 'published', fetched: [bank], failed: [] }])
    t.strictSame(
      asked,
      [
        ...['20260506', '20260505'].map(dayOf),
        `/submissions/${bank}`,
        ...['20260504', '20260503'].map(dayOf),
      ],
      'of a bank that filed on several days once, of nobody else, and days without an index are no fault',
    )
    t.strictSame(await forms(), [
      { cik: 19617, form: '8-K' },
      { cik: 19617, form: '10-Q' },
    ])

    asked.length = 0
    const third = await refresh(at('2026-05-06T18:00:00Z'))
    t.match(third.sources, [{ status: 'unchanged', fetched: [] }])
    t.notOk(asked.includes(`/submissions/${bank}`), 'what was loaded after the day is not asked for again')

    asked.length = 0
    await refresh(at('2026-05-17T06:00:00Z'))
    t.strictSame(asked, ['/submissions.zip'])
  },
)

t.test('facts of who filed a report with figures, of those that are held', async (t) => {
  const bank = 'CIK0000019617.json'
  const files = new Map<string, string | Buffer>([
    [
      '/submissions.zip',
      archive([
        [bank, registrant(19617)],
        ['CIK0000000800.json', registrant(800)],
      ]),
    ],
    ['/companyfacts.zip', archive([[bank, facts(19617, 1)]])],
  ])
  const { refresh, rows, asked } = await refreshEngine(t, ['sec-submissions', 'sec-facts'], shelf(files), {
    FETCH_CONTACT: 'somebody@example.com',
  })
  await refresh(at('2026-05-03T06:00:00Z'))
  asked.length = 0
  files.set(dayOf('20260505'), index(['4', 800], ['10-Q/A', 19617], ['10-Q', 700]))
  files.set(`/submissions/${bank}`, registrant(19617))
  files.set('/submissions/CIK0000000800.json', registrant(800))
  files.set(`/api/xbrl/companyfacts/${bank}`, facts(19617, 2))
  await refresh(at('2026-05-06T06:00:00Z'))
  t.strictSame(
    asked.filter((path) => path.includes('companyfacts')),
    [`/api/xbrl/companyfacts/${bank}`],
  )
  t.strictSame(await rows('SELECT cik, value FROM sec_facts'), [{ cik: 19617, value: 2 }])
})

/** Several filings as one of EDGAR's lists, which have a column each. */
const filings = (...all: readonly ReturnType<typeof filing>[]) =>
  Object.fromEntries(
    Object.keys(all[0]!).map((name) => [
      name,
      all.flatMap((one) => one[name as keyof typeof one] as unknown[]),
    ]),
  )

/** A filing as EDGAR hands it out whole. */
const whole = (number: number, type: string, filed: string, xml: string) => `<SEC-DOCUMENT>
<SEC-HEADER>
ACCESSION NUMBER:\t\t${numberOf(number)}
CONFORMED SUBMISSION TYPE:\t${type}
FILED AS OF DATE:\t\t${filed.replaceAll('-', '')}
</SEC-HEADER>
<DOCUMENT>
<XML>
${xml.trim()}
</XML>
</DOCUMENT>
</SEC-DOCUMENT>`
const pathOfFiling = (number: number) => `/Archives/edgar/data/19617/${numberOf(number)}.txt`

t.test('forms of insiders that no data set has yet, and schedules, each document once', async (t) => {
  const set = insiderTsvs({
    'SUBMISSION.tsv': [
      {
        ...{ ACCESSION_NUMBER: numberOf(5), FILING_DATE: '20-MAR-2026', DOCUMENT_TYPE: '4' },
        ...{ ISSUERCIK: '19617', ISSUERNAME: 'A BANK' },
      },
    ],
    'REPORTINGOWNER.tsv': [{ ACCESSION_NUMBER: numberOf(5), RPTOWNERCIK: '7', RPTOWNERNAME: 'DOE' }],
    'NONDERIV_TRANS.tsv': [
      { ACCESSION_NUMBER: numberOf(5), NONDERIV_TRANS_SK: '1', SECURITY_TITLE: 'Common' },
    ],
  })
  const known = filings(
    filing(2, '4', '2026-05-01'),
    filing(3, '4/A', '2026-05-01'),
    filing(4, 'SCHEDULE 13G/A', '2026-05-01'),
    filing(6, '4', '2026-03-30'),
    filing(7, '10-K', '2026-05-01'),
  )
  const files = new Map<string, string | Buffer>([
    ['/submissions.zip', archive([['CIK0000019617.json', registrant(19617, known)]])],
    ['/2026q1_form345.zip', archive(Object.entries(set))],
    [
      pathOfFiling(2),
      whole(
        2,
        '4',
        '2026-05-01',
        ownershipForm({ issuer: 19617, transactions: [{ code: 'P', shares: '5' }] }),
      ),
    ],
    // what the bank reported as the owner of another's shares
    [
      pathOfFiling(3),
      whole(3, '4/A', '2026-05-01', ownershipForm({ issuer: 999, transactions: [{ code: 'S' }] })),
    ],
    [pathOfFiling(4), whole(4, 'SCHEDULE 13G/A', '2026-05-01', schedule13g(19617, '46625H100'))],
  ])
  const keys = ['sec-submissions', 'sec-ownership', 'sec-13dg']
  const { refresh, rows, asked } = await refreshEngine(t, keys, shelf(files), {
    ...{ FETCH_CONTACT: 'somebody@example.com', SOURCE_FROM_SEC_OWNERSHIP: '2026' },
  })
  const documents = () => asked.filter((path) => path.startsWith('/Archives/edgar/data/')).sort()
  await refresh(at('2026-05-03T06:00:00Z'))
  t.strictSame(documents(), [], 'no filing was known of')
  t.match((await refresh(at('2026-05-04T06:00:00Z'))).sources, [
    { status: 'unchanged' },
    { status: 'published', failed: [] },
    { status: 'published', failed: [] },
  ])
  t.strictSame(
    documents(),
    [2, 3, 4].map(pathOfFiling),
    'a filing of the data set’s quarter is not asked for',
  )
  t.strictSame(await rows('SELECT accession_number AS number, form FROM sec_insider_filings ORDER BY 1'), [
    { number: numberOf(2), form: '4' },
    { number: numberOf(5), form: '4' },
  ])
  t.strictSame(await rows('SELECT accession_number AS number FROM sec_beneficial_owners'), [
    { number: numberOf(4) },
  ])

  asked.length = 0
  await refresh(at('2026-05-05T06:00:00Z'))
  t.strictSame(documents(), [], 'nor what was passed over')
})
