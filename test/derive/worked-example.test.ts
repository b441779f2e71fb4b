import t from 'tap'
import { world } from './world.ts'

/**
 * Six quarters of one bank, in thousands of dollars. Income is calendar year to date.
 *
 *             assets   loans  allow.  deposits  equity  net income  NII   NIX   charge-offs  recoveries
 *   2017Q3     1,000     600      10       800     100        9     30    21         6            0
 *   2017Q4     1,040     620      10       830     102       12     40    28         8            0
 *   2018Q1     1,000     600      12       800     103        4     11     7         2            1
 *   2018Q2     1,080     640      12       850     104        8     22    14         4            1
 *   2018Q3     1,120     700      14       880     106       12     33    21         9            1
 *   2018Q4     1,160     740      14       900     110       16     44    28        10            2
 */
const quarters: [string, number, number, number, number, number, number, number, number, number, number][] = [
  ['2017-09-30', 1000, 600, 10, 800, 100, 9, 30, 21, 6, 0],
  ['2017-12-31', 1040, 620, 10, 830, 102, 12, 40, 28, 8, 0],
  ['2018-03-31', 1000, 600, 12, 800, 103, 4, 11, 7, 2, 1],
  ['2018-06-30', 1080, 640, 12, 850, 104, 8, 22, 14, 4, 1],
  ['2018-09-30', 1120, 700, 14, 880, 106, 12, 33, 21, 9, 1],
  ['2018-12-31', 1160, 740, 14, 900, 110, 16, 44, 28, 10, 2],
]

t.test('the figures of an invented bank are those worked by hand', async (t) => {
  const w = await world(t)
  for (const [date, assets, loans, allowance, deposits, equity, income, nii, nix, lost, back] of quarters) {
    await w.file(7, date, {
      RCON2170: assets,
      RCONB528: loans,
      RCON5369: 0,
      RCON3123: allowance,
      RCON2200: deposits,
      RCON3210: equity,
      RIAD4340: income,
      RIAD4074: nii,
      RIAD4079: 10,
      RIAD4093: nix,
      RIAD4635: lost,
      RIAD4605: back,
      RCON1403: 9,
      RCON1407: 1,
      RCON1406: 5,
      RCON2150: 4,
      RCON3163: 2,
      RCON2143: 6,
      RCOA8274: 98,
      RCOAA224: 1130,
      RCOAA223: 800,
      RCOAP859: 90,
      RCOA3792: 108,
      RIAD4150: 11,
      RCONF158: 30,
      RCONF159: 20,
      RCON1460: 40,
      RCONF161: 60,
      RCON2746: 5,
      RCON1773: 120,
      RCON1772: 125,
      RCON1754: 50,
      RCON1771: 46,
    })
  }
  await w.derive('all')
  const [last] = await w.rows("SELECT * FROM bank_quarters WHERE report_date = '2018-12-31'")
  const near = (key: string, expected: number) =>
    t.ok(Math.abs(last![key]! - expected) < 1e-9, `${key}: ${last![key]} is ${expected}`)

  near('total_loans', 740)
  near('net_loans', 740 - 14)
  // (1,040 + 1,000 + 1,080 + 1,120 + 1,160) / 5
  near('average_assets', 1080)
  near('roa', (16 / 1080) * 100)
  // (102 + 103 + 104 + 106 + 110) / 5 = 105
  near('roe', (16 / 105) * 100)
  // 28 to 44 + 10; no amortisation was filed
  near('efficiency_ratio', (28 / 54) * 100)
  near('noninterest_expense_ratio', (28 / 1080) * 100)
  // 16 - 12 in the quarter, four times, to (1,160 + 1,120) / 2
  near('net_income_quarter', 4)
  near('roa_quarter', ((4 * 4) / 1140) * 100)
  // 10 - 2, to (620 + 600 + 640 + 700 + 740) / 5 = 660
  near('net_chargeoffs_ratio', (8 / 660) * 100)
  // (10 - 2) - (9 - 1)
  near('net_chargeoffs_quarter', 0)
  near('noncurrent_loans_ratio', (10 / 740) * 100)
  near('past_due_30_89_ratio', (5 / 740) * 100)
  near('allowance_ratio', (14 / 740) * 100)
  near('allowance_to_noncurrent_ratio', 140)
  // noncurrent 10 and other real estate 4, to equity 110 - intangibles 6 + allowance 14
  near('texas_ratio', (14 / 118) * 100)
  near('tier1_leverage_ratio', (98 / 1130) * 100)
  near('cet1_ratio', (90 / 800) * 100)
  near('total_capital_ratio', (108 / 800) * 100)
  near('equity_ratio', (110 / 1160) * 100)
  near('pca_category', 1)
  near('loan_to_deposit_ratio', (726 / 900) * 100)
  // construction 50, multifamily 40, not owner-occupied 60, unsecured 5; to 98 + 14
  near('cre_concentration', (155 / 112) * 100)
  near('construction_concentration', (50 / 112) * 100)
  near('unrealized_gains_afs', -5)
  near('unrealized_gains_htm', -4)
  near('asset_growth_1y', (1160 / 1040 - 1) * 100)
  near('asset_growth_1q', (1160 / 1120 - 1) * 100)
  near('deposit_growth_1y', (900 / 830 - 1) * 100)
  near('loan_growth_1y', (740 / 620 - 1) * 100)
  // year to date 16 - 12 = 4 against 12 - 9 = 3 a year before
  near('net_income_growth_1y', (4 / 3 - 1) * 100)
  near('assets_per_employee', 1160 / 11)

  t.equal(last!.asset_growth_3y, null, 'no filing three years before')
  t.equal(last!.uninsured_deposits, null, 'an item that was left blank is absent')
  t.equal(last!.uninsured_deposits_ratio, null)
  t.equal(last!.branches, null)

  const [first] = await w.rows("SELECT * FROM bank_quarters WHERE report_date = '2017-09-30'")
  t.equal(first!.net_income_quarter, null, 'the quarter cannot be told without the one before')
  t.equal(first!.average_assets, 1000, 'the average is over what was filed')
  t.ok(Math.abs(first!.roa! - (9 / 1000) * (4 / 3) * 100) < 1e-9, 'nine months are annualised')
  const [quarterOne] = await w.rows("SELECT * FROM bank_quarters WHERE report_date = '2018-03-31'")
  t.equal(quarterOne!.net_income_quarter, 4, 'the first quarter is the year to date')
})

t.test('form 031: consolidated figures where they are filed, never both', async (t) => {
  const w = await world(t)
  await w.file(
    8,
    '2018-12-31',
    { RCFD2170: 500, RCON2170: 300, RCON2200: 200, RCFN2200: 90, RCFD1763: 40, RCFD1764: 2, RCON1766: 0 },
    { form: '031' },
  )
  await w.file(9, '2018-12-31', { RCON2170: 70, RCON2200: 60 })
  await w.derive('all')
  const [a, b] = await w.rows(
    'SELECT total_assets, total_deposits, domestic_deposits, foreign_deposits FROM bank_quarters ORDER BY rssd_id',
  )
  t.strictSame(a, { total_assets: 500, total_deposits: 290, domestic_deposits: 200, foreign_deposits: 90 })
  t.strictSame(b, { total_assets: 70, total_deposits: 60, domestic_deposits: 60, foreign_deposits: null })
})
