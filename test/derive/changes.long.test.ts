import t from 'tap'
import { world } from './world.ts'

const year = [
  '2016-12-31',
  '2017-03-31',
  '2017-06-30',
  '2017-09-30',
  '2017-12-31',
  '2018-03-31',
  '2018-06-30',
]

t.test('only what changed, and what looks back on it, is derived again', async (t) => {
  const w = await world(t)
  const quarters = ['2013-12-31', ...year]
  for (const quarter of quarters) await w.file(1, quarter, { RCON2170: 1000, RIAD4340: 5 })
  const first = await w.derive('all')
  t.strictSame(first.derived, quarters)
  t.strictSame((await w.derive([])).derived, [], 'nothing changed')

  // Averages and growth look back up to five quarters, the three-year growth twelve.
  await w.file(1, '2013-12-31', { RCON2170: 500, RIAD4340: 5 })
  const refiled = await w.derive(['2013-12-31'])
  t.strictSame(refiled.pivoted, ['2013-12-31'])
  t.strictSame(refiled.derived, ['2013-12-31', '2016-12-31'])
  const [grown] = await w.rows("SELECT asset_growth_3y FROM bank_quarters WHERE report_date = '2016-12-31'")
  t.equal(grown!.asset_growth_3y, 100)

  await w.file(1, '2018-03-31', { RCON2170: 2000, RIAD4340: 5 })
  t.strictSame((await w.derive(['2018-03-31'])).derived, ['2018-03-31', '2018-06-30'])
  const rows = await w.rows('SELECT report_date, total_assets FROM banks')
  t.strictSame(rows, [{ report_date: '2018-06-30', total_assets: 1000 }])
  const arrays = await w.rows<{ a: number }>(
    'SELECT metrics[1] AS a FROM bank_rows WHERE rssd_id = 1 ORDER BY report_date',
  )
  t.strictSame(
    arrays.map(({ a }) => a),
    [500, 1000, 1000, 1000, 1000, 1000, 2000, 1000],
    'the rows of the year are written once each',
  )

  await w.client.command({ query: "ALTER TABLE call_report_items DROP PARTITION '2018-06-30'" })
  await w.client.command({ query: "ALTER TABLE filers DROP PARTITION '2018-06-30'" })
  const removed = await w.derive(['2018-06-30'])
  t.strictSame(removed.removed, ['2018-06-30'])
  t.strictSame(await w.rows('SELECT max(report_date) AS last FROM bank_rows'), [{ last: '2018-03-31' }])
  t.strictSame(
    await w.rows('SELECT * FROM state_quarters ORDER BY report_date'),
    await w.rows('SELECT * FROM bank_quarters ORDER BY report_date'),
    'by state there are the same rows, neither twice nor after they are gone',
  )
  t.strictSame(await w.rows('SELECT report_date, active FROM banks'), [
    { report_date: '2018-03-31', active: true },
  ])
})

t.test('identity is that of the edition not after the quarter, else of the oldest after it', async (t) => {
  const w = await world(t)
  const edition = (report_date: string, cert: number, rest: object) =>
    w.insert('fdic_institutions', [{ report_date, cert, name: '', ...rest }])
  for (const quarter of ['2017-03-31', '2017-12-31', '2018-03-31']) {
    await w.file(1, quarter, { RCON2170: 1 })
    await w.file(2, quarter, { RCON2170: 1 }, { cert: 77 })
  }
  await w.file(3, '2018-03-31', { RCON2170: 1 }, { cert: null })
  await edition('2017-06-30', 1, { charter_class: 'NM', regulator: 'FDIC', offices: 3 })
  await edition('2017-06-30', 78, { rssd_id: 2, charter_class: 'SM', regulator: 'FED' })
  await w.derive('all')
  const who = () =>
    w.rows('SELECT report_date AS q, rssd_id AS id, charter, branches FROM bank_quarters ORDER BY q, id')
  t.strictSame(await who(), [
    { q: '2017-03-31', id: 1, charter: 'NM', branches: 3 },
    { q: '2017-03-31', id: 2, charter: 'SM', branches: null },
    { q: '2017-12-31', id: 1, charter: 'NM', branches: 3 },
    { q: '2017-12-31', id: 2, charter: 'SM', branches: null },
    { q: '2018-03-31', id: 1, charter: 'NM', branches: 3 },
    { q: '2018-03-31', id: 2, charter: 'SM', branches: null },
  ])
  t.strictSame(
    await w.rows("SELECT filers, banks FROM quarters WHERE report_date = '2018-03-31'"),
    [{ filers: 3, banks: 2 }],
    'a filer without an FDIC certificate is no bank',
  )

  await edition('2018-03-31', 1, { charter_class: 'N', regulator: 'OCC', offices: 4 })
  const again = await w.derive([])
  t.strictSame(again.derived, ['2018-03-31'], 'a new edition is noticed by the quarters that take it')
  t.strictSame((await who()).at(-2), { q: '2018-03-31', id: 1, charter: 'N', branches: 4 })
})

t.test('a bank that was pooled into an affiliate counts in the averages of the whole year', async (t) => {
  const w = await world(t)
  // Interest income is year to date: 10 a quarter for the survivor, 4 for the other.
  const own = [1000, 1000, 1000, 1500, 1500]
  for (const [i, quarter] of year.slice(0, 5).entries()) {
    const quartersIn = i === 0 ? 4 : i
    const pooled = i >= 3
    await w.file(1, quarter, {
      RCON2170: own[i]!,
      RIAD4340: quartersIn * (pooled ? 7 : 5),
      RIAD4107: quartersIn * (pooled ? 14 : 10),
      RIAD4356: pooled ? 50 : 0,
    })
    if (i < 3) await w.file(2, quarter, { RCON2170: 480 + i, RCON3210: 50, RIAD4107: quartersIn * 4 })
  }
  await w.insert('fdic_institutions', [
    { report_date: '2016-12-31', cert: 1, name: '', holding_company_rssd_id: 9 },
    { report_date: '2016-12-31', cert: 2, name: '', holding_company_rssd_id: 9 },
  ])
  await w.derive('all')
  t.strictSame(await w.rows('SELECT report_date, survivor, predecessor FROM poolings ORDER BY report_date'), [
    { report_date: '2017-09-30', survivor: 1, predecessor: 2 },
    { report_date: '2017-12-31', survivor: 1, predecessor: 2 },
  ])
  const averages = await w.rows(
    'SELECT average_assets FROM bank_quarters WHERE rssd_id = 1 ORDER BY report_date',
  )
  t.strictSame(
    averages.map((row) => row.average_assets),
    [1000, 1000, 1000, (1480 + 1481 + 1482 + 1500) / 4, (1480 + 1481 + 1482 + 1500 + 1500) / 5],
  )
})

t.test('a purchase is not a pooling: the income before it is not the survivor’s', async (t) => {
  const w = await world(t)
  for (const [i, quarter] of year.slice(0, 4).entries()) {
    const quartersIn = i === 0 ? 4 : i
    await w.file(1, quarter, {
      RCON2170: i === 3 ? 1500 : 1000,
      RIAD4107: quartersIn * 10 + (i === 3 ? 4 : 0),
    })
    if (i < 3) await w.file(2, quarter, { RCON2170: 480, RCON3210: 50, RIAD4107: quartersIn * 4 })
  }
  await w.insert('fdic_institutions', [
    { report_date: '2016-12-31', cert: 1, name: '', holding_company_rssd_id: 9 },
    { report_date: '2016-12-31', cert: 2, name: '', holding_company_rssd_id: 9 },
  ])
  await w.derive('all')
  t.strictSame(await w.rows('SELECT * FROM poolings'), [])
  const [row] = await w.rows(
    "SELECT average_assets FROM bank_quarters WHERE rssd_id = 1 AND report_date = '2017-09-30'",
  )
  t.equal(row!.average_assets, (3 * 1000 + 1500) / 4)
})
