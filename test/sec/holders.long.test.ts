// Form 13F and Schedules 13D and 13G: who holds the securities of a bank's registrant.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { zipOf } from '../loaders/helpers.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { loadBank } from './bank.ts'
import { report13f, schedule13g } from './holder-files.ts'
import { tsvOf } from './insider-files.ts'

const real = join(import.meta.dirname, '../../../shared/data/sec')

type Row = Record<string, unknown>
const picked = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]))

const [jpm, preferred, other] = ['46625H100', '46625H886', '88579Y101']
const manager = { cik: 900, name: 'Some Adviser LLC' }
const of = (day: string, serial: number) => `0000000900-${day.slice(2, 4)}-${String(serial).padStart(6, '0')}`

t.test('holders of a registrant’s securities by the name of the issuer and by CUSIP', async (t) => {
  const app = await ratesApp(t)
  await loadBank(app)
  const folder = await temporaryFolder(t)
  const common = { issuer: 'JPMORGAN CHASE & CO', cusip: jpm }
  const reports = [
    // before 2023 in thousands
    ['20221110', '09-30-2022', [{ ...common, value: 1045, shares: 10_000 }]],
    // since then in dollars, and of a report of an older period too
    [
      '20230210',
      '12-31-2022',
      [
        { ...common, value: 1_341_000, shares: 10_000 },
        { issuer: '3M CO', cusip: other, value: 5, shares: 1 },
      ],
    ],
  ] as const
  for (const [at, [filed, period, positions]] of reports.entries()) {
    const accession = of(filed, at + 1)
    const text = report13f({ accession, filed, period, manager, positions })
    await writeFile(join(folder, `${accession}.txt`), text)
  }
  await app.load('sec-13f', [folder])
  const url = '/banks/100/sec/institutional-holders/'
  t.strictSame(picked(await app.data(url), 'period', 'manager', 'cusip', 'amount', 'value', 'cik'), [
    ['2022-12-31', 'Some Adviser LLC', jpm, 10_000, 1341, 19617],
    ['2022-09-30', 'Some Adviser LLC', jpm, 10_000, 1045, 19617],
  ])
  t.equal((await app.data(`${url}?period=2022Q3`)).length, 1)
  t.equal((await app.get(`${url}?period=2022-08-31`)).status, 400)
  t.strictSame(
    await app.sql('SELECT DISTINCT cusip FROM sec_13f_positions'),
    [{ cusip: jpm }],
    'others are passed over',
  )

  // what is added stays beside the report; what restates it replaces it
  const amend = (serial: number, amendment: 'RESTATEMENT' | 'NEW HOLDINGS', value: number) =>
    app.loadText(
      'sec-13f',
      report13f({
        ...{
          accession: of('20230301', serial),
          filed: `2023030${serial - 10}`,
          period: '12-31-2022',
          manager,
          amendment,
        },
        positions: [{ ...common, value, shares: 1, option: 'Put' }],
      }),
      `${of('20230301', serial)}.txt`,
    )
  await amend(11, 'NEW HOLDINGS', 2000)
  t.strictSame(picked(await app.data(`${url}?period=2022Q4`), 'value', 'option'), [
    [1341, ''],
    [2, 'PUT'],
  ])
  await amend(12, 'RESTATEMENT', 3000)
  t.strictSame(picked(await app.data(`${url}?period=2022Q4`), 'value'), [[3]])

  // a security that managers call otherwise is the registrant's by its CUSIP, once a schedule tells it
  await app.loadText('sec-13dg', schedule13g(19617, jpm), '0000000077-25-000001.xml')
  t.match(await app.data('/banks/100/sec/ownership/'), [
    {
      ...{ rssd_id: 100, filed_date: '2025-02-12', event_date: '2024-12-31', form: 'SC 13G/A', amendment: 3 },
      ...{
        person: 'Large Index Adviser',
        percent: 9.45,
        shares: 11,
        sole_voting: 10,
        person_types: ['IA', 'HC'],
      },
    },
  ])
  const day = '14-FEB-2025'
  const accession = of('2025', 20)
  const zip = zipOf(
    Object.entries({
      'SUBMISSION.tsv': tsvOf(
        ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'],
        [
          {
            ACCESSION_NUMBER: accession,
            FILING_DATE: day,
            SUBMISSIONTYPE: '13F-HR',
            CIK: '0000000901',
            PERIODOFREPORT: '31-DEC-2024',
          },
        ],
      ),
      'COVERPAGE.tsv': tsvOf(
        [
          'ACCESSION_NUMBER',
          'REPORTCALENDARORQUARTER',
          'ISAMENDMENT',
          'AMENDMENTNO',
          'AMENDMENTTYPE',
          'FILINGMANAGER_NAME',
          'REPORTTYPE',
        ],
        [
          {
            ACCESSION_NUMBER: accession,
            REPORTCALENDARORQUARTER: '31-DEC-2024',
            ISAMENDMENT: 'N',
            FILINGMANAGER_NAME: 'Other "Fund" LP',
            REPORTTYPE: '13F HOLDINGS REPORT',
          },
        ],
      ),
      'INFOTABLE.tsv': tsvOf(
        [
          'ACCESSION_NUMBER',
          'INFOTABLE_SK',
          'NAMEOFISSUER',
          'TITLEOFCLASS',
          'CUSIP',
          'FIGI',
          'VALUE',
          'SSHPRNAMT',
          'SSHPRNAMTTYPE',
          'PUTCALL',
          'INVESTMENTDISCRETION',
          'OTHERMANAGER',
          'VOTING_AUTH_SOLE',
          'VOTING_AUTH_SHARED',
          'VOTING_AUTH_NONE',
        ],
        [
          {
            ACCESSION_NUMBER: accession,
            INFOTABLE_SK: '7',
            NAMEOFISSUER: 'JPM PFD',
            TITLEOFCLASS: 'PFD',
            CUSIP: preferred.toLowerCase(),
            VALUE: '25000',
            SSHPRNAMT: '1000',
            SSHPRNAMTTYPE: 'SH',
            INVESTMENTDISCRETION: 'SOLE',
            VOTING_AUTH_SOLE: '0',
            VOTING_AUTH_SHARED: '0',
            VOTING_AUTH_NONE: '1000',
          },
          {
            ACCESSION_NUMBER: accession,
            INFOTABLE_SK: '8',
            NAMEOFISSUER: 'CHEMICAL BKG CORP',
            TITLEOFCLASS: 'COM',
            CUSIP: '999999100',
            VALUE: '1000',
            SSHPRNAMT: '1',
            SSHPRNAMTTYPE: 'SH',
            INVESTMENTDISCRETION: 'SOLE',
            VOTING_AUTH_SOLE: '0',
            VOTING_AUTH_SHARED: '0',
            VOTING_AUTH_NONE: '1',
          },
          {
            ACCESSION_NUMBER: accession,
            INFOTABLE_SK: '9',
            NAMEOFISSUER: '3M CO',
            TITLEOFCLASS: 'COM',
            CUSIP: other,
            VALUE: '1',
            SSHPRNAMT: '1',
            SSHPRNAMTTYPE: 'SH',
            INVESTMENTDISCRETION: 'SOLE',
            VOTING_AUTH_SOLE: '0',
            VOTING_AUTH_SHARED: '0',
            VOTING_AUTH_NONE: '1',
          },
        ],
      ),
    }).map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]),
  )
  await writeFile(join(folder, 'q_form13f.zip'), zip)
  t.match((await app.load('sec-13f', [join(folder, 'q_form13f.zip')])).editions, [
    { status: 'published', rowsRejected: 0 },
  ])
  t.strictSame(picked(await app.data(`${url}?period=2024Q4`), 'manager', 'cusip', 'class', 'value'), [
    ['Other "Fund" LP', preferred, 'PFD', 25],
    // a former name, cut short
    ['Other "Fund" LP', '999999100', 'COM', 1],
  ])
  // somebody found out that it is another's
  await app.loadText(
    'corrections',
    'relation,own,entity,entity_id,why\nsec_13f_securities,999999100,sec_registrant,,another Chemical\n',
    'corrections.csv',
  )
  t.strictSame(picked(await app.data(`${url}?period=2024Q4`), 'cusip'), [[preferred]])
})

const skip = existsSync(join(real, '13f')) ? false : `${real} is not there`
t.test('Form 13F and Schedules 13D and 13G of EDGAR', { skip }, async (t) => {
  const { load, loadText, sql } = await ratesApp(t)
  const read = (name: string) => readFile(join(real, name), 'utf8')
  const folder = await temporaryFolder(t)
  const table = await read('13f/13F-HR.infotable.xml')
  await writeFile(
    join(folder, '13f.zip'),
    zipOf([
      ['0001140361-23-013281.txt', await readFile(join(real, '13f/0001140361-23-013281.txt'))],
      [
        '0001978011-23-000001/primary_doc.xml',
        await readFile(join(real, '13f/abacus.13F-HR.primarydoc.xml')),
      ],
      ['0001978011-23-000001/infotable.xml', await readFile(join(real, '13f/13F-HR.infotable.xml'))],
    ]),
  )
  await load('sec-13f', [join(folder, '13f.zip')])
  t.strictSame(
    await sql(`SELECT manager_cik, manager, period, filed_date, count() AS lines, sum(value) AS value FROM sec_13f_positions AS p
      INNER JOIN sec_13f_reports AS r ON r.accession_number = p.accession_number INNER JOIN sec_13f_covers AS c ON c.accession_number = p.accession_number
      GROUP BY ALL ORDER BY manager_cik`),
    [
      // entries and total value as the summary page tells them
      {
        manager_cik: 1099219,
        manager: 'METLIFE INC',
        period: '2021-12-31',
        filed_date: '2023-03-23',
        lines: 6,
        value: 11019796,
      },
      {
        manager_cik: 1978011,
        manager: 'Abacus Wealth Partners, LLC',
        period: '2020-12-31',
        filed_date: '2023-05-31',
        lines: table.split('<infoTable>').length - 1,
        value: [...table.matchAll(/<value>(\d+)</g)].reduce((sum, [, value]) => sum + Number(value), 0),
      },
    ],
  )
  for (const [name, as] of [
    ['13dg/schedule13d.xml', '0001373604-24-000001.xml'],
    ['13dg/schedule13g.xml', '0002048490-25-000001.xml'],
  ] as const)
    t.match((await loadText('sec-13dg', await read(name), as)).editions, [{ status: 'published' }])
  t.strictSame(
    await sql(
      'SELECT cik, form, filed_date, event_date, cusip, person, shares, percent, shared_voting FROM sec_beneficial_owners ORDER BY cik, number',
    ),
    [
      ...[
        ['BML Investment Partners, L.P.', 2100000, 8.5],
        ['Leonard Braden Michael', 2435000, 9.9],
      ].map(([person, shares, percent]) => ({
        ...{
          cik: 1422142,
          form: 'SC 13D',
          filed_date: '2024-12-31',
          event_date: '2024-12-31',
          cusip: '00032Q104',
        },
        ...{ person, shares, percent, shared_voting: 2100000 },
      })),
      ...['Marex Securities Products Inc.', 'Marex Group plc'].map((person) => ({
        ...{
          cik: 1909747,
          form: 'SC 13G',
          filed_date: '2025-11-26',
          event_date: '2025-11-19',
          cusip: '48213Y107',
        },
        ...{ person, shares: 10000000, percent: 5.1, shared_voting: 0 },
      })),
    ],
  )
})
