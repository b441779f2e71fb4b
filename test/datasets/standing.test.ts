// Where a credit union and a holding company stand in their cohort, counted over again from all members of it.
import t from 'tap'
import { universe } from '../helpers/universe.ts'

const { rows } = await universe()

const kinds = [
  {
    ...{ name: 'banks', id: 'rssd_id', one: '/api/v1/banks/' },
    everyone:
      '/api/v1/banks/?active=1&fields=rssd_id,cohort,total_assets,roa,net_chargeoffs_ratio,report_date',
  },
  {
    ...{ name: 'credit unions', id: 'cu_number', one: '/api/v1/cus/' },
    everyone:
      '/api/v1/cus/?active=1&fields=cu_number,cohort,total_assets,roa,net_chargeoffs_ratio,report_date',
  },
  {
    ...{ name: 'holding companies', id: 'rssd_id', one: '/api/v1/holding-companies/' },
    everyone:
      '/api/v1/holding-companies/?active=1&fields=rssd_id,cohort,total_assets,roa,net_chargeoffs_ratio,report_date',
  },
]

for (const { name, id, one, everyone } of kinds)
  t.test(`standing of ${name}`, async (t) => {
    const all = (await rows(everyone)).filter(({ cohort }) => cohort)
    const first = all[0]!
    const ranks = await rows(`${one}${first[id]}/trends/?against=cohort&quarters=1`)
    const { report_date, cohort } = ranks[0]!
    t.equal(cohort, first.cohort)
    const members = all.filter(
      (row) => row.cohort === cohort && (row.report_date ?? report_date) === report_date,
    )
    t.ok(members.length > 2, `${members.length} in ${cohort}`)
    for (const metric of ['total_assets', 'roa', 'net_chargeoffs_ratio']) {
      const rank = ranks.find((row) => row.metric === metric)!
      t.ok(rank.label && rank.unit, metric)
      const own = first[metric]
      t.equal(rank.value, own)
      const values = members.map((row) => row[metric]).filter((value) => value !== null)
      const below = values.filter((value) => value < own).length
      const equal = values.filter((value) => value === own).length
      const percentile = (100 * (below + equal / 2)) / values.length
      t.ok(
        Math.abs(rank.percentile - percentile) < 1e-9,
        `${metric}: ${rank.percentile}, counted ${percentile}`,
      )
      values.sort((a, b) => a - b)
      const [low, high] = [Math.floor, Math.ceil].map((round) => values[round((values.length - 1) / 2)])
      const middle = (low + high) / 2
      t.ok(
        Math.abs(rank.median - middle) <= 1e-9 * Math.abs(middle),
        `${metric}: ${rank.median}, counted ${middle}`,
      )
      t.equal(rank.cohort_count, members.length)
      t.ok(rank.p25 <= rank.median && rank.median <= rank.p75)
    }
  })

t.test('bounds on the directory of holding companies', async (t) => {
  const all = await rows('/api/v1/holding-companies/?fields=rssd_id,total_assets')
  const bound = all
    .map((row) => row.total_assets)
    .filter((value) => value !== null)
    .sort((a, b) => a - b)[2]
  const within = await rows(`/api/v1/holding-companies/?fields=rssd_id&min_total_assets=${bound}`)
  t.equal(within.length, all.filter((row) => row.total_assets !== null && row.total_assets >= bound).length)
})
