// Holding companies of the demo, held against its banks and against the accounts of their own reports.
import t from 'tap'
import { universe } from '../helpers/universe.ts'

t.test('holding companies and their banks', { timeout: 300_000 }, async (t) => {
  const { rows, get, engine, published } = await universe()
  const { database } = published!.publication
  const query = <T>(sql: string) => engine.rows<T>({ sql, database })

  await t.test('what they report adds up, in each quarter', async (t) => {
    const item = (code: string) => `ifNull(m['${code}'], 0)`
    const faults = await query(`
      SELECT report_date, rssd_id FROM (
        SELECT report_date, rssd_id, CAST((groupArray(toString(mdrm)), groupArray(assumeNotNull(value))), 'Map(String, Float64)') AS m
        FROM holding_company_items WHERE value IS NOT NULL GROUP BY report_date, rssd_id
      )
      WHERE NOT (abs(${item('BHCK2170')} - ${item('BHCK2948')} - ${item('BHCK3210')}) <= 3
        AND abs(${item('BHCK4107')} - ${item('BHCK4073')} - ${item('BHCK4074')}) <= 3
        AND abs(${item('BHCP3210')} - ${item('BHCK3210')}) <= 3
        AND abs(${item('BHCP3239')} - ${item('BHCP3210')} - ${item('BHCP0368')}) <= 3
        AND abs(${item('BHSP3239')} - ${item('BHSP3210')} - ${item('BHSP3151')}) <= 3)`)
    t.strictSame(faults, [])
    const [{ twice }] = (await query<{ twice: number }>(
      'SELECT toUInt32(count() - uniqExact(report_date, rssd_id, mdrm)) AS twice FROM holding_company_items',
    )) as [{ twice: number }]
    t.equal(twice, 0)
  })

  const directory = await rows('/api/v1/holding-companies/?sort=-total_assets')
  const consolidated = directory.filter(({ form }) => form === 'FR Y-9C')
  const small = directory.filter(({ form }) => form === 'FR Y-9SP')
  const structural = directory.filter(({ form }) => form === null)
  t.ok(consolidated.length > 50 && small.length > 5 && structural.length > 0)

  await t.test(
    'the directory has those that never filed, with their banks and without figures',
    async (t) => {
      for (const one of structural) {
        t.equal(one.report_date, null)
        t.equal(one.total_assets, null)
        t.equal(one.active, false)
        t.not(one.legal_name, '')
      }
      t.ok(structural.some(({ bank_count }) => bank_count > 0))
      t.ok(
        small.every(({ total_assets, double_leverage }) => total_assets === null && double_leverage > 99.9),
      )
      t.strictSame(
        (await rows('/api/v1/holding-companies/?active=1')).length,
        directory.filter(({ active }) => active).length,
      )
    },
  )

  await t.test('from a holder to its banks and back', async (t) => {
    for (const { rssd_id, bank_rssd_ids, bank_assets, total_assets } of consolidated.slice(0, 5)) {
      const [snapshot] = await rows(`/api/v1/holding-companies/${rssd_id}/`)
      const { banks } = snapshot!
      t.strictSame(
        banks.map((bank: { rssd_id: number }) => bank.rssd_id),
        bank_rssd_ids,
      )
      t.ok(Math.abs(banks.reduce((sum: number, { share }: { share: number }) => sum + share, 0) - 100) < 1e-9)
      t.ok(Math.abs(bank_assets - total_assets) <= 3, 'the demo’s parents own nothing but their banks')
      for (const bank of banks) {
        const [back] = await rows(
          `/api/v1/banks/${bank.rssd_id}/?fields=holding_company_rssd_id,total_assets`,
        )
        t.equal(back!.holding_company_rssd_id, rssd_id)
        t.equal(back!.total_assets, bank.total_assets)
      }
    }
  })

  await t.test('a holder between another and its bank is one by NIC alone', async (t) => {
    const [between] = await query<{ parent: number; bank: number }>(`
      SELECT parent_rssd_id AS parent, offspring_rssd_id AS bank FROM nic_relationships
      WHERE controlled = 1 AND parent_rssd_id BETWEEN 96000000 AND 96999999 AND end_date IS NULL
        AND offspring_rssd_id IN (SELECT rssd_id FROM banks WHERE active) LIMIT 1`)
    const found = directory.find(({ rssd_id }) => rssd_id === between!.parent)
    t.ok(found?.bank_rssd_ids.includes(between!.bank))
    const answer = await get(`/api/v1/holding-companies/${between!.parent}/`)
    t.equal(answer.status, 200)
    t.strictSame(answer.json().data, {}, 'it filed nothing')
  })

  await t.test('a series, an earlier quarter, and who is none', async (t) => {
    const { rssd_id } = consolidated[0]!
    const series = await rows(
      `/api/v1/holding-companies/${rssd_id}/trends/?metrics=total_assets,double_leverage`,
    )
    t.ok(series.length >= 5)
    const { report_date, total_assets } = series[0]!
    const [then] = await rows(`/api/v1/holding-companies/${rssd_id}/?as_of=${report_date}`)
    t.equal(then!.total_assets, total_assets)
    t.equal((await get('/api/v1/holding-companies/1/')).status, 404)
    const wrong = await get(`/api/v1/holding-companies/${rssd_id}/trends/?metrics=net_worth_ratio`)
    t.equal(wrong.status, 400, 'metrics are those of holding companies')
  })
})
