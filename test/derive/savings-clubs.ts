/** An invented universe: five savings clubs over five quarters, with figures that can be worked by hand. */
import type { ClickHouseClient } from '@clickhouse/client'
import { universe } from '../../sql/derive/universe.ts'
import { area } from '../../sql/formula/metrics/metric.ts'

const { money } = area('balance-sheet')
const { percent } = area('growth')
const source = 'invented'

export const declared = {
  entity: 'savings_club',
  id: 'cu_number',
  idLabel: 'charter number',
  items: 'savings_club_items',
  filers: 'savings_club_filers',
  belongs: 'insured',
  sources: ['invented-5300'],
  identity: { columns: ['name String', 'state LowCardinality(String)'], directory: ['charter String'] },
  cohorts: {
    metric: 'total_assets',
    tiers: [
      { key: 'small', label: 'Less than 100', min: 0, max: 100 },
      { key: 'large', label: '100 or more', min: 100, max: null },
    ],
  },
  known: /^ACCT_\w+$/,
  metrics: [
    money('total_assets', { label: 'Total assets', source, formula: 'cc:ACCT_010[P0]' }),
    money('total_loans', { label: 'Loans', source, formula: 'cc:ACCT_025B[P0]' }),
    money('net_worth', { label: 'Net worth', source, formula: 'cc:ACCT_997[P0]' }),
    percent('net_worth_ratio', { label: 'Ratio', source, formula: 'PCTOF(m:net_worth, m:total_assets)' }),
    percent('loans_to_assets', { label: 'Loans', source, formula: 'PCTOF(m:total_loans, m:total_assets)' }),
    percent('asset_growth_1y', { label: 'Growth', source, formula: 'CHANGEYI(#m:total_assets, 1)' }),
  ],
  headline: ['total_assets', 'net_worth_ratio'],
  filesEvery: 2,
  inOrderOf: { savings_club_states: 'state' },
}
export const savingsClubs = universe(declared)

export const quarters = ['2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31', '2025-03-31']
/** Assets by quarter; the fourth files each half-year, the fifth no more. */
const assets: Record<number, (number | null)[]> = {
  1: [40, 42, 44, 46, 50],
  2: [60, 63, 66, 70, 75],
  3: [90, 92, 94, 97, 110],
  4: [null, 220, null, 240, null],
  5: [300, 310, 320, null, null],
}
/** Loans and net worth in the last quarter; the third left its loans blank. */
const last: Record<number, Record<string, number>> = {
  1: { ACCT_025B: 20, ACCT_997: 5 },
  2: { ACCT_025B: 60, ACCT_997: 9 },
  3: { ACCT_997: 11 },
}

/** Files what they filed into a version database in the making. */
export async function fileSavingsClubs(client: ClickHouseClient): Promise<void> {
  const create = (table: string, columns: string, order: string) =>
    client.command({
      query: `CREATE TABLE ${table} (report_date Date, cu_number UInt32, ${columns})
              ENGINE = MergeTree PARTITION BY report_date ORDER BY ${order}`,
    })
  const insert = (table: string, values: object[]) => client.insert({ table, values, format: 'JSONEachRow' })
  await create('savings_club_filers', 'name String, state String, charter String, insured Bool', 'cu_number')
  await create('savings_club_items', 'code LowCardinality(String), value Float64', '(cu_number, code)')
  const file = async (cu_number: number, report_date: string, items: Record<string, number>) => {
    const values = Object.entries(items).map(([code, value]) => ({ report_date, cu_number, code, value }))
    await insert('savings_club_items', values)
  }
  for (const [at, report_date] of quarters.entries()) {
    for (const [id, series] of Object.entries(assets)) {
      if (series[at] === null) continue
      const cu_number = Number(id)
      const charter = cu_number % 2 ? 'federal' : 'state'
      await insert('savings_club_filers', [
        { report_date, cu_number, name: `CU ${id}`, state: cu_number < 3 ? 'GA' : 'AL', charter, insured: 1 },
      ])
      await file(cu_number, report_date, {
        ACCT_010: series[at]!,
        ACCT_999: 7,
        ...(at === 4 && last[cu_number]),
      })
    }
    await insert('savings_club_filers', [{ report_date, cu_number: 6, name: 'Uninsured', insured: 0 }])
    await file(6, report_date, { ACCT_010: 1000 })
  }
}
