import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import t, { type Test } from 'tap'
import { itemLoader } from '../../loaders/items/load.ts'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import type { Source } from '../../loaders/lib/source.ts'
import { type ItemSource, itemSource, quarterEnd } from '../../sql/sources/items.ts'
import ncua from '../../sql/sources/ncua-5300.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { type Files, loaderEngine, writeFiles, zipOf } from '../loaders/helpers.ts'
import { fry9c } from './item-sources.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

async function loading(t: Test, source: ItemSource) {
  const { engine, sqlFolder, rows } = await loaderEngine(t)
  const publishing = { derive: async () => {}, sqlFolder }
  const load = async (path: string, options: { force?: boolean; partial?: boolean } = {}) => {
    const loader = itemLoader(source) as unknown as Source
    const { editions } = await runLoad(engine, loader, [path], {
      ...{ ...options, progress: silent, log: memoryLog(), publishing },
    })
    return editions
  }
  return { load, rows }
}

const file = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')

const quarter: Files = new Map([
  [
    'FOICU.txt',
    file(
      '"CU_NUMBER","CYCLE_DATE","JOIN_NUMBER","RSSD","CU_TYPE","CU_NAME","STATE","LIMITED_INC","ISSUE_DATE"',
      '1,12/31/2025 0:00:00,2,"50377","1","FIRST, THE ""OLD"" ONE","tx",1,1/1/1934 0:00:00',
      '6,12/31/2025 0:00:00,7,"0","2","CAF\xc9 WORKERS","LA",0,12/30/1899 0:00:00',
      '61000,12/31/2025 0:00:00,9,,"3","LAST","CA",0,',
    ),
  ],
  [
    'FS220.txt',
    file(
      '"CU_NUMBER","CYCLE_DATE","JOIN_NUMBER","UPDATE_DATE","ACCT_010","ACCT_083","Acct_521"',
      '1,12/31/2025 0:00:00,2,1/29/2026 11:04:46 PM,13313121,1254,925',
      '6,12/31/2025 0:00:00,7,1/30/2026 10:27:15 PM,-7,0,12.5',
      '61000,12/31/2025 0:00:00,9,1/30/2026 10:27:15 PM,1234567890123,3,',
    ),
  ],
  [
    'FS220n.txt',
    file(
      '"CU_Number","CYCLE_DATE","JOIN_NUMBER","ACCT_NW0001","ACCT_998"',
      '1,12/31/2025 0:00:00,2,01/01/2023,1340',
      '6,12/31/2025 0:00:00,7,12/30/1899,0',
      '61000,12/31/2025 0:00:00,9,,1025',
    ),
  ],
  [
    'AcctDesc.txt',
    file(
      '"Account","AcctName","AcctDesc","TableName","Annualize"',
      '"Acct_010","TOTAL ASSETS","What it owns, in dollars.","FS220","False"',
      '"Acct_083","Number of current members (not number of accounts)","","FS220","False"',
      '"Acct_521","Interest Rate of Unsecured Credit Card Loans","","FS220","False"',
      '"ACCT_NW0001","(CECL) Effective date of adoption","","FS220N","False"',
      '"Acct_998","Net Worth Ratio","Net worth by assets \x96 as NCUA has it","FS220N","False"',
      '',
    ),
  ],
  ['Readme.txt', file('Words.')],
  [
    'TradeNames.txt',
    file(
      '"CU_NUMBER","CycleDate","JoinNumber","CU_NAME","TradeNamesId","TradeName"',
      '6,12/31/2025 0:00:00,7,"CAF\xc9 WORKERS",11,"Caf\xe9"',
      '6,12/31/2025 0:00:00,7,"CAF\xc9 WORKERS",12,"CW"',
    ),
  ],
  [
    'ATM Locations.txt',
    file(
      '"CU_NUMBER","CYCLE_DATE","JOIN_NUMBER","SiteId","SiteName","SiteFunctionName","PhysicalAddressStateCode"',
      '6,12/31/2025 0:00:00,7,41,"Hall","ATM","la"',
    ),
  ],
  [
    'Credit Union Branch Information.txt',
    file(
      '"CU_NUMBER","CYCLE_DATE","SiteId","SiteName","MainOffice","PhysicalAddressLine1","PhysicalAddressStateCode"',
      '1,12/31/2025 0:00:00,1,"Main, first","Yes","1 Road","TX"',
      '1,12/31/2025 0:00:00,2,"Mill","No","2 Road","TX"',
      '6,12/31/2025 0:00:00,1,"Main","Yes","3 Road","LA"',
    ),
  ],
])

const changed = (name: string, change: (text: string) => string): Files =>
  new Map(quarter).set(name, Buffer.from(change(quarter.get(name)!.toString('latin1')), 'latin1'))

const ITEMS = `SELECT cu_number AS cu, account, part, value, text FROM credit_union_items ORDER BY ALL`

t.test('a quarter of credit unions', async (t) => {
  const { load, rows } = await loading(t, ncua)
  const folder = await temporaryFolder(t)
  const path = join(folder, 'call-report-data-2025-12.zip')
  await writeFile(path, zipOf(quarter))
  t.match(await load(path), [
    { status: 'published', reportDate: '2025-12-31', rowsRead: 20, rowsKept: 20, notes: ['12 items'] },
  ])
  const item = (
    cu: number,
    account: string,
    part: string,
    value: number | null,
    text: string | null = null,
  ) => ({
    ...{ cu, account, part, value, text },
  })
  t.strictSame(
    await rows(ITEMS),
    [
      item(1, 'ACCT_010', 'FS220', 13313.121),
      item(1, 'ACCT_083', 'FS220', 1254),
      item(1, 'ACCT_521', 'FS220', 9.25),
      item(1, 'ACCT_998', 'FS220N', 13.4),
      item(1, 'ACCT_NW0001', 'FS220N', null, '01/01/2023'),
      item(6, 'ACCT_010', 'FS220', -0.007),
      item(6, 'ACCT_083', 'FS220', 0),
      item(6, 'ACCT_521', 'FS220', 0.125),
      item(6, 'ACCT_998', 'FS220N', 0),
      item(61000, 'ACCT_010', 'FS220', 1234567890.123),
      item(61000, 'ACCT_083', 'FS220', 3),
      item(61000, 'ACCT_998', 'FS220N', 10.25),
    ].toSorted((a, b) => a.cu - b.cu || (a.account < b.account ? -1 : 1)),
  )
  t.strictSame(
    await rows(
      'SELECT cu_number, rssd_id, legal_name, state, low_income, chartered FROM credit_union_filers ORDER BY cu_number',
    ),
    [
      [1, 50377, 'FIRST, THE "OLD" ONE', 'TX', true, '1934-01-01'],
      [6, null, 'CAFÉ WORKERS', 'LA', false, null],
      [61000, null, 'LAST', 'CA', false, null],
    ].map(([cu_number, rssd_id, legal_name, state, low_income, chartered]) => ({
      ...{ cu_number, rssd_id, legal_name, state, low_income, chartered },
    })),
  )
  t.strictSame(
    await rows('SELECT cu_number, site_id, name, main_office, address, state FROM credit_union_branches'),
    [
      { cu_number: 1, site_id: 1, name: 'Main, first', main_office: true, address: '1 Road', state: 'TX' },
      { cu_number: 1, site_id: 2, name: 'Mill', main_office: false, address: '2 Road', state: 'TX' },
      { cu_number: 6, site_id: 1, name: 'Main', main_office: true, address: '3 Road', state: 'LA' },
    ],
  )
  t.strictSame(await rows('SELECT cu_number, service, state FROM credit_union_atms'), [
    { cu_number: 6, service: 'ATM', state: 'LA' },
  ])
  t.strictSame(await rows('SELECT trade_name FROM credit_union_trade_names ORDER BY trade_name_id'), [
    { trade_name: 'Café' },
    { trade_name: 'CW' },
  ])
  t.strictSame(
    await rows(`SELECT part, position, account, description FROM credit_union_accounts
      WHERE part = 'FS220N' ORDER BY position`),
    [
      { part: 'FS220N', position: 1, account: 'ACCT_NW0001', description: '' },
      {
        part: 'FS220N',
        position: 2,
        account: 'ACCT_998',
        description: 'Net worth by assets – as NCUA has it',
      },
    ],
  )
  t.match(await load(await writeFiles(await temporaryFolder(t), quarter)), [{ status: 'already-there' }])
})

t.test('a quarter of credit unions that is not whole or not sound', async (t) => {
  const { load, rows } = await loading(t, ncua)
  const folder = await temporaryFolder(t)
  const path = join(folder, 'call-report-data-2025-12.zip')
  const refused = async (files: Files, reason: RegExp, what: string) => {
    await writeFile(path, zipOf(files))
    t.match(await load(path), [{ status: 'failed', reason }], what)
  }
  const without = (name: string): Files => new Map([...quarter].filter(([one]) => one !== name))
  await refused(without('FOICU.txt'), /FOICU\.txt, which says who filed, is missing/, 'no filers')
  await refused(without('AcctDesc.txt'), /the file that describes its items is missing/, 'no descriptions')
  await refused(
    without('FS220n.txt'),
    /lacks FS220N \(--partial takes what is there\)/,
    'a part that is named',
  )
  await refused(
    without('Credit Union Branch Information.txt'),
    /lacks Credit Union Branch Information\.txt \(--partial/,
    'a list that quarters come with',
  )
  await refused(
    changed('ATM Locations.txt', (text) => text.replaceAll('12/31/2025', '9/30/2025')),
    /ATM Locations\.txt: the name says 2025-12-31, but 1 filers report as of/,
    'a list of another quarter',
  )
  await refused(
    changed('FS220.txt', (text) => text.replaceAll('12/31/2025', '9/30/2025')),
    /FS220\.txt: the name says 2025-12-31, but 3 filers report as of 9\/30\/2025/,
    'another quarter',
  )
  await refused(
    changed('FS220.txt', (text) => text.split('\r\n').slice(0, 3).join('\r\n').concat('\r\n')),
    /it ends with charter number 6, and FOICU has 1 filers after that/,
    'cut between two lines',
  )
  await refused(
    changed('FS220.txt', (text) => text.slice(0, -4)),
    /FS220\.txt: is cut off: line 4/,
    'cut within a line',
  )
  await refused(
    changed('FS220n.txt', (text) => text.replace('"ACCT_998"', '"acct_nw0001"')),
    /two columns are headed ACCT_NW0001/,
    'an account twice',
  )
  await refused(
    changed('FOICU.txt', (text) => text.replace('CU_NAME', 'NAME')),
    /FOICU\.txt: has no column "CU_NAME"/,
    'no names',
  )

  await writeFile(path, zipOf(without('FS220n.txt')))
  t.match(await load(path, { partial: true }), [
    { status: 'published', notes: ['without FS220N', '8 items'] },
  ])
  t.strictSame(await rows('SELECT part, rows_kept > 0 AS kept FROM load_files WHERE in_force'), [
    { part: 'without FS220N', kept: 1 },
  ])
  const odd = changed('FS220.txt', (text) =>
    text
      .replace('6,12/31/2025', 'six,12/31/2025')
      .replace('1,12/31/2025 0:00:00,2,', '1,9/30/2025 0:00:00,2,'),
  )
  await writeFile(path, zipOf(odd))
  t.match(await load(path), [
    { status: 'published', rowsRead: 20, rowsRejected: 2, notes: ['replaces the edition', /items/] },
  ])
  t.strictSame(await rows('SELECT member, line, reason FROM load_rejects ORDER BY line'), [
    { member: 'FS220.txt', line: 2, reason: 'is of the report date 9/30/2025 0:00:00' },
    { member: 'FS220.txt', line: 3, reason: '"six" is no charter number' },
  ])
  t.strictSame(await rows('SELECT part FROM load_files WHERE in_force'), [{ part: '' }])
  for (const [name, called] of [
    ['FS220n.txt', 'FS220N'],
    ['ATM Locations.txt', 'ATM Locations.txt'],
  ] as const) {
    await writeFile(path, zipOf(without(name)))
    t.match(await load(path, { partial: true }), [
      { status: 'failed', reason: new RegExp(`it lacks ${called}, which the edition in force has`) },
    ])
  }
})

t.test('lines of a list that cannot be kept', async (t) => {
  const { load, rows } = await loading(t, ncua)
  const path = join(await temporaryFolder(t), 'call-report-data-2025-12.zip')
  const more = [
    '1,12/31/2025 0:00:00,2,"Mill again","No","2 Road","TX"',
    '7,12/31/2025 0:00:00,1,"Nobody\'s","No","4 Road","TX"',
    '6,9/30/2025 0:00:00,3,"Earlier","No","5 Road","LA"',
    '6,12/31/2025 0:00:00,four,"Unnumbered","No","6 Road","LA"',
  ]
  await writeFile(
    path,
    zipOf(changed('Credit Union Branch Information.txt', (text) => `${text}${more.join('\r\n')}\r\n`)),
  )
  t.match(await load(path), [{ status: 'published', rowsRead: 24, rowsKept: 20, rowsRejected: 4 }])
  t.strictSame(await rows('SELECT line, reason FROM load_rejects ORDER BY line'), [
    { line: 5, reason: 'repeats line 3' },
    { line: 6, reason: 'charter number 7 is not in FOICU' },
    { line: 7, reason: 'is of the report date 9/30/2025 0:00:00' },
    { line: 8, reason: 'SiteId is “four”, expected a whole number' },
  ])
  t.strictSame(await rows('SELECT toUInt32(count()) AS n FROM credit_union_branches'), [{ n: 3 }])
})

t.test('the bulk file of holding companies', async (t) => {
  const { load, rows } = await loading(t, fry9c)
  const folder = await temporaryFolder(t)
  const bulk = (...lines: string[]) =>
    file('RSSD9999^RSSD9001^RSSD9017^BHCK2170^bhcap844^BHCA7204^TEXT5351', ...lines)
  const path = join(folder, 'BHCF20181231.txt')
  await writeFile(
    path,
    bulk(
      '20181231^1039502^JPMORGAN CHASE & CO.^2622532000^^8.1^',
      '20181231^1068191^"HUNTINGTON"^-5^1^9.086^007',
    ),
  )
  t.match(await load(path), [
    { status: 'published', reportDate: '2018-12-31', rowsRead: 2, notes: ['10 items'] },
  ])
  t.strictSame(
    await rows(`SELECT mdrm, value, text FROM test_holder_items WHERE rssd_id = 1068191 ORDER BY mdrm`),
    [
      { mdrm: 'BHCA7204', value: 9.086, text: null },
      { mdrm: 'BHCAP844', value: 1, text: null },
      { mdrm: 'BHCK2170', value: -5, text: null },
      { mdrm: 'RSSD9017', value: null, text: '"HUNTINGTON"' },
      { mdrm: 'RSSD9999', value: null, text: '20181231' },
      { mdrm: 'TEXT5351', value: null, text: '007' },
    ],
  )
  t.strictSame(await rows('SELECT rssd_id, name, city FROM test_holders ORDER BY rssd_id'), [
    { rssd_id: 1039502, name: 'JPMORGAN CHASE & CO.', city: '' },
    { rssd_id: 1068191, name: '"HUNTINGTON"', city: '' },
  ])
  const other = join(folder, 'BHCF20180930.txt')
  await writeFile(other, bulk('20181231^1039502^JPMORGAN CHASE & CO.^1^^8.1^'))
  t.match(await load(other), [
    { status: 'failed', reason: /the name says 2018-09-30, but 1 filers report as of 20181231/ },
  ])
})

t.test('real quarters of credit unions, held against the text', { skip, timeout: 300_000 }, async (t) => {
  const { load, rows } = await loading(t, ncua)
  const folder = join(data, 'ncua/2025Q4')
  t.match(await load(folder), [
    {
      status: 'failed',
      reason: /lacks FS220D, FS220R, FS220S, Credit Union Branch Information\.txt \(--partial/,
    },
  ])
  t.match(await load(join(data, 'ncua/2023Q4')), [
    { status: 'failed', reason: /describes its items is missing/ },
  ])
  t.match(await load(folder, { partial: true }), [
    {
      status: 'published',
      reportDate: '2025-12-31',
      rowsRejected: 2, // trade names left blank
      notes: ['without FS220D, FS220R, FS220S, Credit Union Branch Information.txt', /items/],
    },
  ])
  const counts: Record<string, number> = {}
  let assets = 0
  for (const name of await readdir(folder)) {
    if (!/^FS220\w?\.txt$/.test(name)) continue
    const table = parse(await readFile(join(folder, name), 'latin1')) as string[][]
    const heads = table[0]!.map((heading) => heading.toUpperCase())
    const items = heads.flatMap((head, index) => (/^ACCT_/.test(head) ? [index] : []))
    const total = heads.indexOf('ACCT_010')
    let filled = 0
    for (const row of table.slice(1)) {
      for (const index of items) if (row[index]!.trim() !== '') filled += 1
      if (total > 0) assets += Number(row[total])
    }
    counts[name.replace('.txt', '')] = filled
  }
  const found = await rows<{ part: string; n: number }>(
    'SELECT part, count() AS n FROM credit_union_items GROUP BY part',
  )
  t.strictSame(Object.fromEntries(found.map(({ part, n }) => [part, n])), counts)
  t.strictSame(
    await rows(`SELECT toInt64(round(sum(value) * 1000)) AS dollars, toUInt32(count()) AS n
      FROM credit_union_items WHERE account = 'ACCT_010'`),
    [{ dollars: assets, n: 4374 }],
    'no dollar is lost',
  )
  t.match(await load(join(data, 'ncua/2019Q2'), { partial: true }), [
    {
      status: 'published',
      reportDate: '2019-06-30',
      rowsRejected: 1,
      notes: [/^without FS220, FS220A,/, /items/],
    },
  ])
})

t.test('real bulk files of holding companies, held against the text', { skip }, async (t) => {
  const { load, rows } = await loading(t, fry9c)
  for (const [name, date] of [
    ['ex_BHCF1712.csv', '2017-12-31'],
    ['ex_BHCF1812.csv', '2016-12-31'],
  ] as const) {
    const path = join(data, 'fr-y-9c/bulk-sample', name)
    t.match(
      await load(path),
      [{ status: 'published', reportDate: date, rowsRead: 10, rowsRejected: 0 }],
      name,
    )
    const [heads, ...lines] = parse(await readFile(path, 'latin1')) as string[][]
    const filled = lines.flatMap((line) =>
      line.filter(
        (cell, index) => index > 1 && heads![index] !== 'RSSD9001' && !['', 'NA'].includes(cell.trim()),
      ),
    )
    t.strictSame(
      await rows(`SELECT toUInt32(count()) AS n FROM test_holder_items WHERE report_date = '${date}'`),
      [{ n: filled.length }],
    )
  }
})

t.test('a declaration that does not fit is a fault', (t) => {
  const { forms: _, ...declared } = fry9c
  const form = fry9c.forms
  t.throws(
    () => itemSource({ ...declared, form, filers: { ...fry9c.filers, submitted: 'filed' } }),
    /source test-fr-y-9c: there is no column filed/,
  )
  t.throws(
    () => itemSource({ ...declared, form, descriptions: { table: 'x', doc: 'x', member: /x/ } }),
    /the descriptions have no column report/,
  )
  t.end()
})

t.test('ends of quarters in the forms of the agencies', (t) => {
  for (const text of ['12312018', '20181231', '2018-12', '2018-12-31', '12/31/2018 0:00:00'])
    t.equal(quarterEnd(text), '2018-12-31', text)
  for (const text of ['12302018', '20181230', '2018-11', '20180229', '', '12/31', '1/1/2018', 'x20181231'])
    t.equal(quarterEnd(text), null, text)
  t.end()
})
