import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { noRealData, realData, realQuarters } from './quarters.ts'

/** FDIC's own figures of every bank at year-end 2018, an export of BankFind. */
const published = 'fdic-bankfind/fdic_2018_q4.csv'
const quarters = ['2017-12-31', '2018-03-31', '2018-06-30', '2018-09-30', '2018-12-31']

/** Ours, FDIC's field, how far they may be apart, and for what share of the banks they must not be. */
const checks = [
  { metric: 'total_assets', field: 'ASSET', within: 0, share: 0.999 },
  { metric: 'employees', field: 'NUMEMP', within: 0, share: 0.999 },
  { metric: 'salaries', field: 'ESAL', within: 0, share: 0.999 },
  { metric: 'tier1_leverage_ratio', field: 'RBC1AAJ', within: 0.01, share: 0.998 },
  { metric: 'noncurrent_loans_ratio', field: 'NCLNLSR', within: 0.01, share: 0.999 },
  { metric: 'roa', field: 'ROA', within: 0.01, share: 0.998 },
  { metric: 'noninterest_expense_ratio', field: 'NONIXAY', within: 0.01, share: 0.998 },
] as const

t.test(
  'year-end 2018 is as FDIC published it',
  { skip: noRealData(published, 'ffiec-call-report', 'fdic-sdi'), timeout: 900_000 },
  async (t) => {
    const rows = await realQuarters(t, quarters)
    const fdic = parse(readFileSync(realData + published), { columns: true, bom: true }) as Record<
      string,
      string
    >[]
    const banks = new Map(
      (
        await rows<Record<string, number | null> & { legal_name: string }>(
          "SELECT * FROM bank_quarters WHERE report_date = '2018-12-31'",
        )
      ).map((bank) => [bank.cert, bank]),
    )
    const pairs = fdic.flatMap((theirs) => {
      const ours = banks.get(Number(theirs.CERT))
      return ours ? [{ ours, theirs }] : []
    })
    t.ok(pairs.length >= 5400, `${pairs.length} banks are in both`)
    for (const { metric, field, within, share } of checks) {
      const apart = pairs.filter(
        ({ ours, theirs }) => !(Math.abs((ours[metric] ?? Number.NaN) - Number(theirs[field])) <= within),
      )
      const equal = 1 - apart.length / pairs.length
      t.comment(`${metric} (${field}): ${(100 * equal).toFixed(3)} % of ${pairs.length} banks`)
      for (const { ours, theirs } of apart) {
        t.comment(`  ${ours.legal_name} (cert ${ours.cert}): ${ours[metric]}, FDIC ${theirs[field]}`)
      }
      t.ok(equal >= share, `${metric}: ${(100 * equal).toFixed(3)} % are equal, at least ${100 * share} %`)
    }

    // Quarterly Banking Profile, fourth quarter 2018: all insured institutions, full year.
    const [industry] = await rows<Record<string, number>>(
      "SELECT * FROM industry_quarters WHERE report_date = '2018-12-31' AND cohort = 'all'",
    )
    t.equal(industry!.roa!.toFixed(2), '1.35', 'return on assets of the industry')
    t.equal(industry!.nim!.toFixed(2), '3.40', 'net interest margin of the industry')
    t.equal(industry!.noncurrent_loans_ratio!.toFixed(2), '0.99', 'noncurrent loans of the industry')
  },
)
