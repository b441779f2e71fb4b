// FR Y-9 in the forms that NIC publishes: the bulk file with all three reports, and the report of one institution.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { holdingCompanies } from '../../sql/universes/holding-company/index.ts'
import { derive } from '../../sql/universes/index.ts'
import { memoryLog, sqlFolder, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { servedRows, zipOf } from './helpers.ts'

async function loading(t: Test) {
  const { engine } = await testEngine(t)
  const folder = await temporaryFolder(t)
  const publishing = {
    derive: (build: Parameters<typeof derive>[0]) =>
      derive(build, 'all', () => {}, { of: [holdingCompanies] }),
    sqlFolder: await sqlFolder(t, { 'views/.keep': '' }),
  }
  const load = async (name: string, ...lines: string[]) => {
    const path = join(folder, name)
    await mkdir(folder, { recursive: true })
    await writeFile(path, `${lines.join('\r\n')}\r\n`)
    const options = { progress: silent, log: memoryLog(), publishing }
    return (await runLoad(engine, findSource('fr-y-9c')!, [path], options)).editions[0]!
  }
  const zip = async (name: string, member: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, zipOf([[member, Buffer.from(text)]]))
    const options = { progress: silent, log: memoryLog(), publishing }
    return (await runLoad(engine, findSource('fr-y-9c')!, [path], options)).editions[0]!
  }
  return { load, zip, rows: <T>(sql: string) => servedRows<T>(engine, sql) }
}

const bulk = [
  'RSSD9001^RSSD9999^RSSD9017^RSSD9130^RSSD9200^BHCK2170^BHCK3210^bhca8274^BHCP2170^BHCP3210^BHCP3239^BHSP2170^BHSP3210^TEXT5351',
  '1039502^20181231^JPMORGAN CHASE & CO.^NEW YORK^NY^2622532000^256515000^209093000^470000000^256515000^450000000^^^',
  '1100000^20181231^MIDDLE BANCORP^LOGAN^UT^^^^90000^60000^80000^^^',
  '1200000^20181231^"SMALL" BANCSHARES^ADA^OK^^^^^^^5000^4000^007',
]
const single = (...items: string[]) => [
  'ItemName,Description,Value',
  'Institution Name,,"MIDDLE, THE BANCORP"',
  'City,,LOGAN',
  'State,,UT',
  'Report Date,Reporting date in numeric format,20181231',
  'ID_RSSD,Reporting entity identifier,1100000',
  ...items,
  'Report Date,,"December 31, 2018"',
]

const known = `SELECT rssd_id, legal_name, form, cohort, total_assets, parent_assets, double_leverage FROM holding_company_quarters ORDER BY rssd_id`

t.test('all three reports of a quarter, each marked', { timeout: 120_000 }, async (t) => {
  const { load, rows } = await loading(t)
  t.match(await load('BHCF20181231.txt', ...bulk), { status: 'published', rowsRead: 3, rowsRejected: 0 })
  const large = { rssd_id: 1039502, legal_name: 'JPMORGAN CHASE & CO.', form: 'FR Y-9C', cohort: 'peer_1' }
  const middle = { rssd_id: 1100000, legal_name: 'MIDDLE BANCORP', form: 'FR Y-9LP', cohort: '' }
  const small = { rssd_id: 1200000, legal_name: '"SMALL" BANCSHARES', form: 'FR Y-9SP', cohort: '' }
  t.match(await rows(known), [
    { ...large, total_assets: 2622532000, parent_assets: 470000000, double_leverage: 175.4283375241214 },
    { ...middle, total_assets: null, parent_assets: 90000, double_leverage: (80 / 60) * 100 },
    { ...small, total_assets: null, parent_assets: 5000, double_leverage: null },
  ])

  t.match(await load('FRY9C_Someone_Else_9999999_20200331.csv', ...single('BHCK2170,TOTAL ASSETS,700000')), {
    status: 'published',
    reportDate: '2018-12-31',
  })
  t.match((await rows(known))[1], {
    ...middle,
    ...{ legal_name: 'MIDDLE, THE BANCORP', form: 'FR Y-9C', cohort: 'peer_4' },
    total_assets: 700000,
    parent_assets: 90000,
  })
  t.match(await load('FRY9C_Someone_Else_9999999_20200331.csv', ...single('BHCK2170,TOTAL ASSETS,700000')), {
    status: 'already-there',
  })
  await load('FRY9C_1100000_20181231.csv', ...single('BHCK2170,TOTAL ASSETS,710000'))
  await load('FRY9LP_1100000_20181231.csv', ...single('BHCP2170,TOTAL ASSETS,95000'))
  t.match((await rows(known))[1], { form: 'FR Y-9C', total_assets: 710000, parent_assets: 95000 })
  t.equal((await rows(known)).length, 3, 'nobody else was touched')
  t.strictSame(
    await rows(
      `SELECT part FROM load_files WHERE source = 'fr-y-9c' AND in_force AND part != '' ORDER BY part`,
    ),
    [{ part: 'FRY9C of 1100000, 2018-12-31' }, { part: 'FRY9LP of 1100000, 2018-12-31' }],
  )
  t.match(await load('BHCF20181231.txt', ...bulk, bulk[3]!.replaceAll('1200000', '1300000')), {
    status: 'published',
  })
  t.match(
    (await rows(known))[1],
    { form: 'FR Y-9LP', total_assets: null },
    'the bulk file is the whole of its quarter',
  )
  t.match(await load('BHCF20181231.txt', bulk[0]!, bulk[1]!), {
    status: 'failed',
    reason: /does not replace 2018-12-31: it has 1 filers where 4 are loaded, less than 50 % \(--force/,
  })
})

t.test('a bulk file as large as real ones comes in its zip', { timeout: 120_000 }, async (t) => {
  const { zip, rows } = await loading(t)
  const filler = Array.from({ length: 2000 }, (_, k) =>
    `BHCKZ${k.toString(36).padStart(3, '0')}`.toUpperCase(),
  )
  const lines = Array.from({ length: 1200 }, (_, holder) => {
    const cells = filler.map((_, k) => String((holder * 7919 + k * 104729) % 100_000_000))
    return `${1_000_000 + holder}^20181231^HOLDER ${holder}^${cells.join('^')}`
  })
  const text = `${[`RSSD9001^RSSD9999^RSSD9017^${filler.join('^')}`, ...lines].join('\r\n')}\r\n`
  t.ok(text.length > 16 * 2 ** 20, `${text.length} bytes`)
  t.match(await zip('BHCF20181231.zip', 'BHCF20181231.txt', text), { status: 'published', rowsRead: 1200 })
  t.strictSame(await rows('SELECT toUInt32(count()) AS items FROM holding_company_items'), [
    { items: 1200 * 2002 },
  ])
})

t.test('a quarter of small holders alone', { timeout: 120_000 }, async (t) => {
  const { load, rows } = await loading(t)
  t.match(await load('FRY9SP_1100000_20181231.csv', ...single('BHSP2170,TOTAL ASSETS,9')), {
    status: 'published',
  })
  t.match(await rows(known), [{ form: 'FR Y-9SP', total_assets: null, parent_assets: 9 }])
})

t.test('what is no report of one institution', { timeout: 120_000 }, async (t) => {
  const { load } = await loading(t)
  const reason = async (...lines: string[]) => {
    const { status, reason } = await load('FRY9C_1_20181231.csv', ...lines)
    t.equal(status, 'failed')
    return reason
  }
  t.match(await reason('Name,Value', 'x,1'), /expected a header with the columns "ItemName" and "Value"/)
  t.match(await reason(...single('BHCK2170,x,1', 'BHCK2170,x,2')), /line 8: BHCK2170 is “1” in a line above/)
  t.match(await reason(...single('BHCK2170,x')), /line 7 has 2 cells, its header 3/)
  t.match(
    await reason(...single('Total assets!,x,1')),
    /column \d+ is headed "TOTAL ASSETS!", expected an MDRM code/,
  )
  t.match(
    await reason(...single().filter((line) => !line.startsWith('ID_RSSD'))),
    /expected a header with the column "RSSD9001"/,
  )
  t.match(await reason(...single().filter((line) => !line.startsWith('Report'))), /states no report date/)
})
