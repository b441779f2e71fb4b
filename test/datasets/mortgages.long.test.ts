// Registers of mortgage applications in the layouts that CFPB publishes, written for the test.
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'

const institutions = [
  'CERT,FED_RSSD,NAME,CITY,STALP,REPDTE,NAMEHCR,RSSDHCR',
  '11,101,Oak Bank,Macon,GA,12/31/2023,OAK BANCORP,901',
  '12,102,Elm Bank,Albany,GA,12/31/2023,,',
  '13,103,Elm Bank,Dover,DE,12/31/2023,,',
].join('\n')

const larColumns = [
  'activity_year',
  'lei',
  'derived_msa-md',
  'state_code',
  'county_code',
  'census_tract',
  'action_taken',
]
const lar = (rows: (string | number)[][]) =>
  [
    [...larColumns, 'loan_type', 'loan_purpose', 'loan_amount', 'income'].join('|'),
    ...rows.map(([year, lei, state, county, action, type, purpose, amount]) =>
      [year, lei, 12060, state, county, `${county}000100`, action, type, purpose, amount, 'NA'].join('|'),
    ),
  ].join('\n')

t.test('mortgages: a register becomes counts as it is read', async (t) => {
  const { loadText, data, get, sql } = await ratesApp(t)
  await loadText('fdic-institutions', institutions)
  const panel =
    'activity_year|lei|tax_id|agency_code|id_2017|respondent_rssd|respondent_name|respondent_state|respondent_city|assets'
  t.match(
    await loadText(
      'hmda',
      `${panel}\n2022|LEIOAK|1|9|x|101|OAK BANK|GA|Macon|5\n2022|LEIFIN|2|7|x|-1|FIR LOANS|GA|Macon|-1`,
    ),
    {
      editions: [{ status: 'published', rowsKept: 2 }],
    },
  )
  const rows: (string | number)[][] = [
    [2023, 'LEIOAK', 'GA', '13021', 1, 1, 1, '205000.0'],
    [2023, 'LEIOAK', 'GA', '13021', 1, 1, 1, '105000.0'],
    [2023, 'LEIOAK', 'GA', '13095', 1, 2, 31, '405000.0'],
    [2023, 'LEIOAK', 'GA', '13095', 3, 1, 32, '95000'],
    [2023, 'LEIOAK', 'GA', 'NA', 4, 1, 1, '95000'],
    [2023, 'LEIOAK', 'NA', 'NA', 6, 1, 1, '65000'],
    [2023, 'LEIOAK', 'GA', '13021', 7, 1, 1, '65000'],
    [2023, 'LEIFIN', 'GA', '13021', 1, 1, 1, '65000'],
    [2023, 'LEIOAK', 'GA', '13021', 9, 1, 1, '65000'],
    [2023, 'LEIOAK', 'GA', '13021', 1, 1, 1, 'much'],
  ]
  const outcome = await loadText('hmda', lar(rows), '2023_public_lar_pipe.txt')
  t.match(outcome, { editions: [{ status: 'published', rowsRead: 10, rowsKept: 8, rowsRejected: 2 }] })
  t.strictSame(
    await sql(`SELECT county, purpose, toUInt32(loans) AS loans, dollars, amounts FROM hmda_lending
      WHERE action = 'originated' AND lender = 'LEIOAK' ORDER BY county`),
    [
      { county: '13021', purpose: 'home_purchase', loans: 2, dollars: 310, amounts: { 105: 1, 205: 1 } },
      { county: '13095', purpose: 'refinancing', loans: 1, dollars: 405, amounts: { 405: 1 } },
    ],
    'a row for lender, place and kind',
  )
  const [georgia, nowhere] = await data('/banks/101/hmda/')
  t.match(georgia, {
    ...{ year: 2023, state: 'GA', applications: 5, originations: 3, denials: 1, withdrawn: 1, purchased: 0 },
    ...{ denial_rate: 25, origination_amount: 715, denial_amount: 95, median_amount: 205 },
  })
  t.match(nowhere, {
    state: null,
    purchased: 1,
    purchase_amount: 65,
    originations: 0,
    denial_rate: null,
    median_amount: null,
  })
  t.match(await data('/banks/101/hmda/?group_by=purpose&state=GA&fields=purpose,applications,originations'), [
    { purpose: 'home_purchase', applications: 3, originations: 2 },
    { purpose: 'refinancing', originations: 1 },
    { purpose: 'cash_out_refinancing', applications: 1, originations: 0 },
  ])
  t.match(
    (await get('/banks/101/hmda/?limit=1')).json(),
    { meta: { count: 1, total: 2 } },
    'groups are counted',
  )
  t.match(await data('/banks/102/hmda/'), [], 'a mortgage company is no bank')

  t.match(await loadText('hmda', lar([[2023, 'LEIOAK', 'GA', '13021', 1, 1, 1, '205000']]), 'b.txt'), {
    editions: [{ status: 'failed', reason: /has 1 rows where 7 are loaded/ }],
  })
  t.match(await loadText('hmda', lar([[2022, 'LEIOAK', 'AL', '01001', 1, 1, 1, '205000']]), 'c.txt'), {
    editions: [{ status: 'published' }],
  })
  t.match(await data('/banks/101/hmda/?fields=year,state'), [
    { year: 2023 },
    { year: 2023 },
    { year: 2022, state: 'AL' },
  ])
  t.match(await data('/banks/101/hmda/?year=2022&fields=year'), [{ year: 2022 }])
})

t.test('mortgages before 2018, and those of predecessors', async (t) => {
  const { loadText, data } = await ratesApp(t)
  await loadText('fdic-institutions', institutions)
  const lenders = [
    'As_of_Year,Respondent_ID,Agency_Code,Respondent_Name_TS,Respondent_City_TS,Respondent_State_TS',
    '2014,0000000101,9,OAK BANK,MACON,GA',
    '2014,0000000012,3,ELM BANK,ALBANY,GA',
    '2014,13-2545363,7,FIR LOANS,MACON,GA',
  ].join('\n')
  await loadText('hmda', lenders, 'lenders.csv')
  const header =
    'as_of_year,respondent_id,agency_code,loan_type,loan_purpose,loan_amount_000s,action_taken,state_code,county_code'
  t.match(
    await loadText(
      'hmda',
      `${header}\n2014,0000000101,9,1,3,250,1,13,21\n2014,12,3,2,1,150,1,1,1\n`,
      'a.csv',
    ),
    {
      editions: [{ status: 'published', rowsKept: 2 }],
    },
  )
  const bare = [
    '2017',
    '0000000012',
    '3',
    '1',
    '1',
    '1',
    '1',
    '90',
    '3',
    '3',
    '12060',
    '13',
    '021',
    '0101.00',
  ]
  const line = [...bare, ...Array.from({ length: 45 - bare.length }, () => '')].join('|')
  t.match(await loadText('hmda', `${line}\n${line}\n`, '2017_public_lar.txt'), {
    editions: [{ status: 'published', rowsKept: 2 }],
  })
  t.match(await data('/banks/101/hmda/?group_by=purpose'), [
    { year: 2014, state: 'GA', purpose: 'refinancing', origination_amount: 250 },
  ])
  t.match(await data('/banks/102/hmda/?fields=year,state,denials,denial_amount,origination_amount'), [
    { year: 2017, state: 'GA', denials: 2, denial_amount: 180, origination_amount: 0 },
    { year: 2014, state: 'AL', denials: 0, origination_amount: 150 },
  ])

  await loadText(
    'nic-transformations',
    '#ID_RSSD_PREDECESSOR,ID_RSSD_SUCCESSOR,D_DT_TRANS,TRNSFM_CD,ACCT_METHOD,DT_TRANS\n102,101,,1,0,20180630\n101,102,,1,0,20190630\n',
  )
  t.equal((await data('/banks/101/hmda/')).length, 1, 'not silently')
  t.equal(
    (await data('/banks/101/hmda/?include=predecessors')).length,
    3,
    'even where they merged back and forth',
  )
})

/** Fields of these widths, padded with blanks. */
const inColumns = (fields: readonly (readonly [text: string, characters: number])[]) =>
  fields.map(([text, characters]) => text.padEnd(characters)).join('')

t.test('mortgages of 2004 to 2013, as the National Archives keep them', async (t) => {
  const { loadText, data, sql } = await ratesApp(t)
  await loadText('fdic-institutions', institutions)
  const lender = (id: string, agency: string, name: string, city: string, state: string, rssd: string) =>
    inColumns([
      ...([
        [id, 10],
        ['12060', 5],
        [agency, 1],
        ['01', 2],
        [name, 30],
        [city, 25],
      ] as const),
      ...([
        [state, 2],
        ['13', 2],
        ['0000000500', 10],
        ['0', 1],
        ['', 10],
        ['PARENT', 30],
        ['', 25],
      ] as const),
      ['', 2],
      ['2006', 4],
      [rssd, 10],
    ])
  const panel = [
    lender('0000000101', '2', 'OAK BANK', 'MACON', 'GA', '0000000101'),
    lender('0000000012', '3', 'ELM BANK', 'ALBANY', 'GA', '0000000102'),
    lender('13-2545363', '7', 'MUÑOZ LOANS', 'MACON', 'GA', '0000000000'),
  ]
  for (const line of panel) t.equal(line.length, 169)
  t.match(await loadText('hmda', `${panel.join('\r\n')}\r\n`, 'panel_2006.dat'), {
    editions: [{ status: 'published', rowsKept: 3 }],
  })
  t.strictSame(await sql('SELECT name, city, given_rssd_id, activity_year FROM hmda_lenders ORDER BY name'), [
    { name: 'ELM BANK', city: 'ALBANY', given_rssd_id: 102, activity_year: 2006 },
    { name: 'MUÑOZ LOANS', city: 'MACON', given_rssd_id: null, activity_year: 2006 },
    { name: 'OAK BANK', city: 'MACON', given_rssd_id: 101, activity_year: 2006 },
  ])
  const mortgage = (id: string, agency: string, purpose: string, amount: string, action: string) =>
    inColumns([
      ['2006', 4],
      [id, 10],
      [agency, 1],
      ['1', 1],
      [purpose, 1],
      ['1', 1],
      [amount, 5],
      [action, 1],
      ['12060', 5],
      ['13', 2],
      ['021', 3],
      ['0101.00', 7],
      ['12', 2],
      ['0075', 4],
      ['0', 1],
      ['   ', 3],
      [' ', 1],
      ['1', 1],
      ['3', 1],
      ['22', 2],
      ['5    8    ', 10],
      ['NA   ', 5],
      ['21', 2],
      ['0000042', 7],
    ])
  const lines = [
    mortgage('0000000101', '2', '1', '00250', '1'),
    mortgage('0000000101', '2', '3', '00150', '3'),
    mortgage('0000000012', '3', '1', '00090', '1'),
    mortgage('13-2545363', '7', '1', '00300', '1'),
  ]
  for (const line of lines) t.equal(line.length, 80)
  t.match(await loadText('hmda', `${lines.join('\n')}\n${lines[0]!.slice(0, -1)}\n`, 'lar_ult_2006.dat'), {
    editions: [{ status: 'published', rowsKept: 4, rowsRejected: 1 }],
  })
  t.strictSame(await sql('SELECT toUInt32(line) AS line, reason FROM load_rejects'), [
    { line: 5, reason: '79 characters where 80 are expected' },
  ])
  t.match(
    await data(
      '/banks/101/hmda/?fields=year,state,applications,originations,denials,origination_amount,denial_amount',
    ),
    [
      {
        ...{ year: 2006, state: 'GA', applications: 2, originations: 1, denials: 1 },
        ...{ origination_amount: 250, denial_amount: 150 },
      },
    ],
  )
  t.match(await data('/banks/102/hmda/?fields=year,origination_amount'), [
    { year: 2006, origination_amount: 90 },
  ])
  t.match(await loadText('hmda', `${lines[0]!.slice(0, 60)}\n`, 'cut.dat'), {
    editions: [],
  })
})
