// Mortgages, complaints and NCUA's orders, from files as their publishers write them: written for the test, but the CFPB's.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'

const institutions = [
  'CERT,FED_RSSD,NAME,CITY,STALP,REPDTE,NAMEHCR,RSSDHCR',
  '11,101,Oak Bank,Macon,GA,12/31/2023,OAK BANCORP,901',
  '12,102,Elm Bank,Albany,GA,12/31/2023,,',
  '13,103,Elm Bank,Dover,DE,12/31/2023,,',
].join('\n')

const heading =
  'Date received,Product,Sub-product,Issue,Sub-issue,Consumer complaint narrative,Company public response,Company,State,ZIP code,Tags,Consumer consent provided?,Submitted via,Date sent to company,Company response to consumer,Timely response?,Consumer disputed?,Complaint ID'

t.test('complaints of a bank, and their counts', async (t) => {
  const { loadText, data, get } = await ratesApp(t)
  await loadText('fdic-institutions', institutions)
  const lines = [
    '04/04/25,Mortgage,None,Trouble,None,"They ""lost"" it,\ntwice.",None,"OAK BANCORP, INC.",GA,310XX,None,Consent provided,Web,04/05/25,Closed with explanation,Yes,N/A,1',
    '2025-04-20,"Credit card, or prepaid card",,Fees,,,,OAK BANK,AL,36001,,,Phone,2025-04-21,Closed with monetary relief,No,N/A,2',
    '2025-05-01T00:00:00.000Z,Mortgage,,Trouble,,,,OAK BANK,AL,36001,Older American,,Phone,2025-05-02,Closed with monetary relief,Yes,N/A,3',
    '2025-05-01,Mortgage,,Trouble,,,,ELM BANK,AL,36001,,,Phone,2025-05-02,Closed with monetary relief,Yes,N/A,4',
  ]
  t.match(await loadText('cfpb-complaints', [heading, ...lines].join('\n')), {
    editions: [{ status: 'published', rowsKept: 4 }],
  })
  const rows = await data('/banks/101/complaints/')
  t.strictSame(
    rows.map(({ complaint_id }: { complaint_id: number }) => complaint_id),
    [3, 2, 1],
    'of the bank and its group',
  )
  t.match(rows[2], {
    received_date: '2025-04-04',
    sub_product: null,
    tags: null,
    timely: true,
    disputed: null,
    zip: '310XX',
  })
  t.notOk('narrative' in rows[2])
  t.strictSame(await data('/banks/101/complaints/?fields=complaint_id,narrative&to=2025-04-10'), [
    { complaint_id: 1, narrative: 'They "lost" it,\ntwice.' },
  ])
  t.strictSame(
    (await get('/banks/102/complaints/')).json().data,
    [],
    'of two banks of one name: nobody could say',
  )
  t.match(await data('/banks/101/complaints/?group_by=product&fields=product,complaints,timely_share'), [
    { product: 'Mortgage', complaints: 2, timely_share: 100 },
    { product: 'Credit card, or prepaid card', complaints: 1, timely_share: 0 },
  ])
  t.match(await data('/banks/101/complaints/?group_by=month&product=mortgage&fields=month,complaints'), [
    { month: '2025-05', complaints: 1 },
    { month: '2025-04', complaints: 1 },
  ])
  t.match(await data('/banks/101/complaints/?group_by=year_product&fields=year,product,complaints'), [
    { year: 2025, product: 'Mortgage', complaints: 2 },
    { year: 2025, product: 'Credit card, or prepaid card', complaints: 1 },
  ])
  const hits = {
    hits: {
      hits: [
        {
          _source: {
            complaint_id: '5',
            date_received: '2025-06-01T12:00:00-05:00',
            product: 'Mortgage',
            issue: 'Fees',
            company: 'OAK BANK',
            state: 'GA',
            timely: 'Yes',
            complaint_what_happened: 'Anew.',
          },
        },
        {
          _source: {
            complaint_id: '3',
            date_received: '2025-05-01T12:00:00-05:00',
            product: 'Mortgage',
            issue: 'Changed',
            company: 'OAK BANK',
            state: 'GA',
            timely: 'Yes',
          },
        },
      ],
    },
  }
  t.match(await loadText('cfpb-complaints', JSON.stringify(hits), 'a.json'), {
    editions: [{ status: 'published', rowsKept: 2 }],
  })
  t.match(await data('/banks/101/complaints/?fields=complaint_id,issue&state=GA'), [
    { complaint_id: 5, issue: 'Fees' },
    { complaint_id: 3, issue: 'Changed' },
    { complaint_id: 1, issue: 'Trouble' },
  ])
})

t.test('NCUA’s orders, from its list and from its page', async (t) => {
  const { loadText, data } = await ratesApp(t)
  const list = [
    'Docket Number,First Name,Last Name,Relationship,Institution,City,State,Year,URL',
    '20-0124-ER,Tanya,Roe,Former Employee,Northwood Federal Credit Union,Philadelphia,PA,2020,https://ncua.gov/x/2020/order-prohibition-tanya-roe',
    '21-0105-ER,,Live Federal Credit Union,Live Federal Credit Union,Live Federal Credit Union,Fraser,MI,2021,/x/2021/administrative-order-matter-live',
  ].join('\n')
  t.match(await loadText('ncua-enforcement', list), { editions: [{ status: 'published', rowsKept: 2 }] })
  t.match(await data('/enforcement/ncua/'), [
    {
      year: 2021,
      docket: '21-0105-ER',
      person: null,
      type: 'administrative_order',
      document: 'https://ncua.gov/x/2021/administrative-order-matter-live',
      cu_number: null,
    },
    {
      year: 2020,
      person: 'Tanya Roe',
      relationship: 'Former Employee',
      type: 'prohibition',
      city: 'Philadelphia',
      state: 'PA',
    },
  ])
  t.equal((await data('/enforcement/ncua/?type=prohibition&from=2020&to=2020&q=northwood')).length, 1)
  const page = `<!DOCTYPE html><html><head><title>x</title><script>if (a < b) {}</script></head><body><p>unclosed<br>
    <table class=views><thead><tr><th>Docket #</th><th><a href="?sort=name">Name and Relationship</a></th><th>Institution</th><th>City</th><th>State</th><th>Year</th></tr></thead>
    <tbody>${['20-0124-ER', '19-0001-ER', '18-0002-SR']
      .map(
        (docket) =>
          `<tr><td>${docket}</td><td><a href="/orders/${docket}">Roe, Tanya</a><br>Former Employee</td><td>Smith &amp; Sons Credit Union</td><td>Philadelphia</td><td>PA</td><td>20${docket.slice(0, 2)}</td></tr>`,
      )
      .join('')}</tbody></table></body></html>`
  t.match(await loadText('ncua-enforcement', page, 'page.html'), {
    editions: [{ status: 'failed', reason: /is older than/ }],
  })
  const newer = page.replaceAll('20-0124', '22-0124').replaceAll('2020', '2022')
  t.match(await loadText('ncua-enforcement', newer, 'page.html'), {
    editions: [{ status: 'published', rowsKept: 3 }],
  })
  t.match((await data('/enforcement/ncua/'))[0], {
    ...{ year: 2022, docket: '22-0124-ER', person: 'Roe, Tanya', relationship: 'Former Employee' },
    ...{ institution: 'Smith & Sons Credit Union', document: 'https://ncua.gov/orders/22-0124-ER' },
  })
  t.match(
    await loadText('ncua-enforcement', '<html><table><tr><th>Other</th></tr></table></html>', 'b.html'),
    {
      editions: [{ status: 'failed', reason: /no table with/ }],
    },
  )
})

const real = join(import.meta.dirname, '../../../shared/data')
t.test('the files of CFPB', { skip: !existsSync(real) && 'the real files are not here' }, async (t) => {
  const { load, sql } = await ratesApp(t)
  for (const [name, count] of [
    ['complaints.csv', 5000],
    ['complaints-2025-search-export.csv', 131],
  ] as const)
    t.match(await load('cfpb-complaints', [join(real, 'cfpb', name)]), {
      editions: [{ status: 'published', rowsRead: count, rowsKept: count, rowsRejected: 0 }],
    })
  t.match(
    await load('hmda', [
      join(real, 'hmda/2012_to_2014_institutions_data.csv'),
      join(real, 'hmda/2023_public_panel_3rows.csv'),
    ]),
    {
      editions: [{ status: 'published' }, { status: 'published', rowsKept: 3 }],
    },
  )
  const [none] = await sql<{ n: number }>(
    `SELECT toUInt32(countIf(tags = 'None' OR sub_issue = 'None')) AS n FROM complaints`,
  )
  t.strictSame(none, { n: 0 })
})
