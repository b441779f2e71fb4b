// The Federal Reserve's enforcement actions against the scores of management of the banks that they name.
import { readdirSync } from 'node:fs'
import t from 'tap'
import { noRealData, realData, realQuarters } from './quarters.ts'

const folder = 'frb-enforcement'
const skip = noRealData(folder, 'ffiec-call-report', 'fdic-sdi')

/**
 * Filers of 2018-12-31 that the Federal Reserve's list has under a written agreement, order or directive on that day, by reading
 * it. There is one more, “The Bank & Trust, S.S.B.”: the list does not tell its place, and another bank is called so.
 */
const under = [
  'ALLNATIONS BANK',
  'CECIL BANK',
  'COMMERCIAL STATE BANK',
  'COMMUNITY TRUST BANK, INC.',
  'CUSTOMERS BANK',
  'DEUTSCHE BANK TRUST COMPANY AMERICAS',
  'HIGHLANDS UNION BANK',
  'LAFAYETTE AMBASSADOR BANK',
  'MARKESAN STATE BANK',
  'PEOPLES BANK & TRUST COMPANY OF HAZARD',
  'STATE STREET BANK AND TRUST COMPANY',
]
/** Those whose score is D or F by its measures: nothing is left to cap. */
const poor = [
  'ALLNATIONS BANK',
  'CECIL BANK',
  'MARKESAN STATE BANK',
  'PEOPLES BANK & TRUST COMPANY OF HAZARD',
]

t.test('banks under orders of the Federal Reserve', { skip, timeout: 600_000 }, async (t) => {
  const files = readdirSync(realData + folder).map((name) => `${realData}${folder}/${name}`)
  const query = await realQuarters(t, ['2012-12-31', '2018-12-31'], { [folder]: files })
  const named = async (condition: string) =>
    (
      await query<{ legal_name: string }>(
        `SELECT DISTINCT legal_name FROM bank_quarters WHERE report_date = '2018-12-31' AND ${condition} ORDER BY legal_name`,
      )
    ).map(({ legal_name }) => legal_name)
  t.strictSame(
    await named(
      `rssd_id IN (SELECT rssd_id FROM bank_orders WHERE start_date <= '2018-12-31' AND (end_date IS NULL OR end_date > '2018-12-31'))`,
    ),
    under,
  )
  t.strictSame(
    await named('management_score < uncapped_management_score'),
    under.filter((name) => !poor.includes(name)),
  )
  const [found] = await query<Record<string, number>>(
    `SELECT toUInt32(countIf(management_score < uncapped_management_score)) AS capped,
      toUInt32(countIf(management_score < uncapped_management_score AND management_score != 49)) AS elsewhere,
      toUInt32(countIf(management_score < uncapped_management_score AND regulator != 'FED')) AS of_others FROM bank_quarters`,
  )
  t.strictSame(found, { capped: 36, elsewhere: 0, of_others: 0 }, 'they are banks that it supervises')
  const [industry] = await query<Record<string, number>>(
    'SELECT toUInt32(countIf(management_score != uncapped_management_score)) AS capped FROM industry_quarters',
  )
  t.equal(industry!.capped, 0, 'nobody would say so of a cohort')
})
