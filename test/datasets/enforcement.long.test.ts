// Enforcement actions as three agencies publish them: one table, and the two datasets over it. The FDIC's files are written for the test.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'

const frb = [
  '\uFEFFEffective Date,Termination Date,Individual,Individual Affiliation,Banking Organization,Action,URL,Name,Note',
  '2020-03-02,,,,"Oak Bancorp, Inc., Macon, Georgia; and Oak Bank, Macon, Georgia",Cease and Desist Order,/press/a.htm,Press Release,',
  '2019-05-01,2021-06-30,,,"Elm Holdings, Inc., Buffalo, New York and Elm Bank, Buffalo, New York",Written Agreement,https://elsewhere.example/b.pdf,Letter,"<a href=\'/press/c.htm\'>Modification</a> issued on 4/08/2020"',
  '2018-07-01,,,,"Deutsche Bank AG, Frankfurt, Germany, and DB USA Corporation, New York, New York","Civil Money Penalty,  $1,012,500",/d.htm,Press Release,',
  '2018-06-01,,Ann Roe,"Oak Bank, Macon, GA (now Ash)",,"Prohibition from Banking and Civil Money Penalty, $3 million",/e.htm,Press Release,',
  '2017-06-01,,,,EagleBank,Civil Money Penalty 87500,/f.htm,Press Release,',
  '2017-05-01,,,,EagleBank,Amendment to 4/13/2011 Order to Cease and Desist,DNE,DNE,',
  '2017-05-01,,,,EagleBank,Amendment to 4/13/2011 Order to Cease and Desist,DNE,DNE,',
].join('\r\n')

const occ = [
  {
    ...{ Institution: 'Fir Savings Bank, FSB', CharterNumber: '703676', Company: '', Individual: 'Doe, J.' },
    ...{
      Location: 'Evansville, IN',
      TypeCode: 'CMP',
      TypeDescription: 'Civil Money Penalty (CMP)',
      Amount: '20000.00',
    },
    ...{
      StartDate: '12/22/1993',
      StartDocuments: ['93-312'],
      TerminationDate: 'N/A',
      TerminationDocuments: ['N/A'],
    },
    ...{ DocketNumber: '', SubjectMatters: ['Capital', 'Board / Management Oversight'] },
  },
  {
    ...{ Institution: '', CharterNumber: '', Company: 'Pine Services', Individual: '', Location: '' },
    ...{ TypeCode: 'FA', TypeDescription: 'Formal Agreement', Amount: '0.00', StartDate: '12/09/2013' },
    ...{ StartDocuments: ['2013-181'], TerminationDate: '03/29/2016', TerminationDocuments: ['2016-042'] },
    ...{ DocketNumber: 'AA-EC-13-1', SubjectMatters: [] },
  },
]

const fdic = [
  'Docket Number,Issued Date,Termination Date,Category,Action Type,Order Title,Respondent,Bank Name,Bank City,Bank State,Cert Number,CMP Amount,File URL',
  'FDIC-20-0001b,2020-01-13,,Orders,Cease and Desist,Consent Order,Yew State Bank,Yew State Bank,Topeka,Kansas,23342,N/A,https://orders.example/1.pdf',
  'FDIC-20-0002k,2020-02-13,2021-01-01,Orders,Civil Money Penalties,Order to Pay,Yew State Bank;John Poe;**********,Yew State Bank;N/A;N/A,Topeka;N/A;N/A,Kansas;N/A;N/A,23342;N/A;N/A,"N/A;$12,500;2500",https://orders.example/2.pdf',
  'FDIC-21-0003b,2021-03-01,,Orders,Cease and Desist,Order Terminating Consent Order,Yew State Bank,Yew State Bank,Topeka,Kansas,23342,N/A,N/A',
].join('\n')

t.test('three agencies, one table', async (t) => {
  const { loadText, data, get, sql } = await ratesApp(t)
  t.match(await loadText('frb-enforcement', frb), {
    editions: [{ status: 'published', rowsKept: 6, rowsRejected: 1 }],
  })
  t.match(await loadText('occ-enforcement', JSON.stringify(occ), 'a.json'), {
    editions: [{ status: 'published', rowsKept: 2 }],
  })
  t.match(await loadText('fdic-enforcement', fdic), { editions: [{ status: 'published', rowsKept: 3 }] })
  t.match(await loadText('occ-enforcement', '[]', 'b.json'), { editions: [{ status: 'failed' }] })

  const feed = await data('/enforcement/')
  t.strictSame(
    feed.map((row: Record<string, unknown>) => [row.agency, row.start_date, row.type]),
    [
      ['FDIC', '2021-03-01', 'termination'],
      ['FRB', '2020-03-02', 'cease_and_desist'],
      ['FDIC', '2020-02-13', 'civil_money_penalty'],
      ['FDIC', '2020-01-13', 'cease_and_desist'],
      ['FRB', '2019-05-01', 'formal_agreement'],
      ['FRB', '2018-07-01', 'civil_money_penalty'],
      ['FRB', '2018-06-01', 'prohibition'],
      ['FRB', '2017-06-01', 'civil_money_penalty'],
      ['FRB', '2017-05-01', 'change'],
      ['OCC', '2013-12-09', 'formal_agreement'],
      ['OCC', '1993-12-22', 'civil_money_penalty'],
    ],
  )
  const penalties = await data('/enforcement/?type=civil_money_penalty&fields=start_date,penalty')
  t.strictSame(
    penalties.map((row: Record<string, unknown>) => row.penalty),
    [15, 1012.5, 3000, 87.5, 20],
    'in thousands: the commas are part of the amounts, and those of one order add up',
  )
  t.match(feed[6], {
    ...{
      types: ['prohibition', 'civil_money_penalty'],
      persons: ['Ann Roe'],
      institution: 'Oak Bank, Macon, GA (now Ash)',
    },
    ...{ city: 'Macon', state: 'GA', documents: ['https://www.federalreserve.gov/e.htm'] },
    agency_type: 'Prohibition from Banking and Civil Money Penalty',
  })
  t.match(feed[4], {
    end_date: '2021-06-30',
    note: 'Modification issued on 4/08/2020',
    documents: ['https://elsewhere.example/b.pdf', 'https://www.federalreserve.gov/press/c.htm'],
  })
  t.match(feed[2], {
    number: 'FDIC-20-0002k',
    persons: ['John Poe'],
    institution: 'Yew State Bank',
    city: 'Topeka',
    state: 'KS',
  })
  t.match(feed[10], {
    ...{
      number: '93-312',
      end_date: null,
      persons: ['Doe, J.'],
      subjects: ['Capital', 'Board / Management Oversight'],
    },
    documents: ['https://www.occ.gov/static/enforcement-actions/ea93-312.pdf'],
  })
  t.match(feed[9], {
    institution: 'Pine Services',
    city: null,
    state: null,
    penalty: null,
    end_date: '2016-03-29',
  })
  const parties = await sql<{ parties: string[][] }>(
    `SELECT parties FROM enforcement_actions WHERE agency = 'FRB' AND start_date >= '2018-06-01' ORDER BY start_date DESC`,
  )
  t.strictSame(
    parties.map((row) => row.parties.map((party) => party.slice(0, 3).join('|'))),
    [
      ['Oak Bancorp, Inc.|Macon|GA', 'Oak Bank|Macon|GA'],
      ['Elm Holdings, Inc.|Buffalo|NY', 'Elm Bank|Buffalo|NY'],
      ['Deutsche Bank AG, Frankfurt, Germany, and DB USA Corporation|New York|NY'],
      ['Oak Bank|Macon|GA'],
    ],
  )
  t.equal((await data('/enforcement/?agency=fdic&state=KS&q=yew')).length, 3)
  t.equal((await data('/enforcement/?from=2018&to=2019')).length, 3)
  t.match((await get('/enforcement/?type=fine')).json(), { status: 400, errors: [{ parameter: 'type' }] })
})

const real = join(import.meta.dirname, '../../../shared/data')
t.test(
  'the files of the Federal Reserve and the OCC',
  { skip: !existsSync(real) && 'the real files are not here' },
  async (t) => {
    const { load, data, sql } = await ratesApp(t)
    t.match(await load('frb-enforcement', [join(real, 'frb-enforcement')]), {
      editions: [{ status: 'published', rowsRead: 2733, rowsKept: 2730, rowsRejected: 3 }],
    })
    t.match(await load('occ-enforcement', [join(real, 'occ-enforcement')]), {
      editions: [{ status: 'published', rowsRead: 15, rowsKept: 15 }],
    })
    const [counted] = await sql<Record<string, number>>(`
    SELECT toUInt32(countIf(type = 'other')) AS other, toUInt32(countIf(has(types, 'civil_money_penalty') AND penalty IS NULL)) AS without,
      toUInt32(countIf(empty(parties))) AS nobody, round(max(penalty)) AS largest FROM enforcement_actions WHERE agency = 'FRB'`)
    t.strictSame(counted, { other: 6, without: 37, nobody: 1, largest: 508_000 })
    const [newest] = await data('/enforcement/?agency=OCC&limit=1')
    t.match(newest, {
      number: 'AA-ENF-2026-28',
      type: 'prohibition',
      persons: ['Dorsey, Ezekiel'],
      city: 'Columbus',
      state: 'OH',
    })
  },
)
