// The parts of loans, deposits and securities against the totals that banks filed, and the scorecard against failures.
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { composition, loanKinds } from '../../sql/formula/metrics/loan-book.ts'
import { components, grades } from '../../sql/formula/metrics/scorecard.ts'
import { holdings, sectorMetric, sectors } from '../../sql/formula/metrics/securities-book.ts'
import { noRealData, realData, realQuarters } from './quarters.ts'

const crisis = [
  '2011-06-30',
  '2011-09-30',
  '2011-12-31',
  '2012-03-31',
  '2012-06-30',
  '2012-09-30',
  '2012-12-31',
  '2013-03-31',
]
const list = 'fdic-failures/2024-10/banklist.csv'
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Certificate and day of each failure on FDIC's list. */
function failures(): [number, string][] {
  const rows: string[][] = parse(readFileSync(realData + list, 'latin1'), { relax_column_count: true })
  return rows.slice(1).map((row) => {
    const [day, month, year] = row[5]!.trim().split('-')
    const number = String(months.indexOf(month!) + 1).padStart(2, '0')
    return [Number(row[3]), `20${year}-${number}-${day!.padStart(2, '0')}`]
  })
}

const added = (keys: readonly string[]) => keys.map((key) => `ifNull(${key}, 0)`).join(' + ')
const ofKinds = (name: string) => added(loanKinds.map(({ key }) => `${name}_${key}`))

/** Sums of parts, the total that they must be, and by how much they may miss it: parts are rounded to thousands. */
const sums: [name: string, parts: string, total: string, within: number][] = [
  ['loans', added(composition.map(({ balance }) => balance)), 'total_loans', 1],
  ['past due 30-89 days', ofKinds('past_due_30_89'), 'past_due_30_89', 1],
  ['past due 90 days', ofKinds('past_due_90'), 'past_due_90', 1],
  ['nonaccrual', ofKinds('nonaccrual'), 'nonaccrual_loans', 1],
  ['net charge-offs', ofKinds('net_chargeoffs'), 'net_chargeoffs', 1],
  [
    'deposits',
    added([
      ...['demand_deposits', 'other_transaction_deposits', 'money_market_deposits', 'savings_deposits'],
      ...['time_deposits_under_100k', 'time_deposits_100k_250k', 'large_time_deposits', 'foreign_deposits'],
    ]),
    'total_deposits',
    4,
  ],
  ...holdings.map(([holding]): [string, string, string, number] => [
    holding,
    added(sectors.map((sector) => sectorMetric(sector, holding))),
    holding === 'afs_fair' ? 'securities_afs' : `securities_${holding}`,
    1,
  ]),
]

t.test('real quarters', { skip: noRealData('ffiec-call-report', list), timeout: 1_200_000 }, async (t) => {
  const query = await realQuarters(t, [...crisis, '2018-12-31'])

  t.test('parts are the totals that were filed', async (t) => {
    const found = await query<Record<string, number>>(`SELECT report_date, count() AS banks,
        ${sums.map(([, parts, total, within], at) => `countIf(abs(${parts} - ifNull(${total}, 0)) <= ${within}) AS sum${at}`).join(', ')}
        FROM bank_quarters GROUP BY report_date ORDER BY report_date`)
    t.equal(found.length, crisis.length + 1)
    for (const quarter of found)
      for (const [at, [name]] of sums.entries()) {
        const share = Number(quarter[`sum${at}`]) / Number(quarter.banks)
        t.ok(
          share >= 0.995,
          `${quarter.report_date} ${name}: ${(100 * share).toFixed(3)} % of ${quarter.banks} banks`,
        )
      }
  })

  const values = failures().map(([cert, day]) => `(${cert}, '${day}')`)
  const judged = `(SELECT b.*, toUInt8(f.cert > 0 AND f.closed > b.report_date AND f.closed <= addYears(b.report_date, 1)) AS failed
      FROM bank_quarters AS b LEFT JOIN (SELECT * FROM VALUES('cert UInt32, closed Date', ${values.join(', ')})) AS f ON f.cert = b.cert
      WHERE b.report_date <= '2013-03-31')`

  t.test('the scorecard parts banks that failed within a year from others', async (t) => {
    const scores = [...components.map(({ key }) => key), 'overall_score']
    const [found] = await query<Record<string, number>>(
      `SELECT count() AS reports, sum(failed) AS failures,
        ${scores.map((key) => `1 - arrayROCAUC(groupArray(assumeNotNull(${key})), groupArray(failed)) AS ${key}`).join(', ')} FROM ${judged}`,
    )
    t.comment(`${found!.reports} reports, ${found!.failures} of banks that failed within a year`)
    t.ok(Number(found!.failures) > 300)
    for (const key of scores) {
      const least = key === 'overall_score' ? 0.99 : 0.7
      t.ok(found![key]! >= least, `${key}: ${found![key]!.toFixed(4)}, at least ${least}`)
    }
  })

  t.test('it moves by less than a grade from quarter to quarter', async (t) => {
    const width = grades[0][1] - grades[1][1]
    const [moved] = await query<
      Record<string, number>
    >(`SELECT count() AS pairs, countIf(abs(a.overall_score - b.overall_score) < ${width}) / pairs AS within
        FROM ${judged} AS a INNER JOIN ${judged} AS b ON b.rssd_id = a.rssd_id AND toLastDayOfMonth(addMonths(b.report_date, 3)) = a.report_date`)
    t.ok(Number(moved!.pairs) > 40_000)
    t.ok(moved!.within! >= 0.95, `${(100 * moved!.within!).toFixed(2)} % of ${moved!.pairs}`)
  })
})
