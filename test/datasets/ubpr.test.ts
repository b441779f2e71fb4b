// The UBPR of the demo universe, which the metric catalog makes: figures of the API against the banks they come from.
import t from 'tap'
import { universe } from '../helpers/universe.ts'

const { rows, engine, published } = await universe()
const api = '/api/v1'
const id = published.examples.bank!
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

t.test('percentile and average of the peer group, worked out from its banks', async (t) => {
  const [largest] = await engine.rows<{ id: number; banks: number }>({
    database: published.publication.database,
    sql: `SELECT toUInt32(min(rssd_id)) AS id, toUInt32(count()) AS banks FROM ubpr_rows
          WHERE report_date = (SELECT max(report_date) FROM ubpr_rows) GROUP BY peer_group ORDER BY banks DESC LIMIT 1`,
    params: {},
  })
  t.ok(largest!.banks >= 20, 'some are left out of the averages of one group')
  const codes = 'codes=UBPRE013,UBPR7414'
  const ranked = [
    ...(await rows(`${api}/banks/${id}/ubpr/ranks/?${codes}`)),
    ...(await rows(`${api}/banks/${largest!.id}/ubpr/ranks/?${codes}`)),
  ]
  t.equal(ranked.length, 4)
  for (const row of ranked) {
    const group = await engine.rows<{ value: number | null }>({
      database: published.publication.database,
      sql: `SELECT r.values[c.position] AS value FROM ubpr_rows AS r
            CROSS JOIN (SELECT position FROM ubpr_concepts WHERE code = {code:String}) AS c
            WHERE r.report_date = {date:Date} AND r.peer_group = {group:String}`,
      params: { code: row.code, date: row.report_date, group: row.peer_group },
    })
    t.equal(row.peer_count, group.length)
    const values = group.flatMap(({ value }) => (value === null ? [] : [value])).sort((a, b) => a - b)
    const below = values.filter((value) => value < row.value).length
    const equal = values.filter((value) => value === row.value).length
    t.ok(near(row.percentile, (100 * (below + equal / 2)) / values.length), `percentile of ${row.code}`)
    const cut = Math.floor(values.length * 0.05)
    const kept = values.slice(cut, values.length - cut)
    if (values.length < 5) t.equal(row.peer_average, null, `no average of ${values.length} values`)
    else t.ok(near(row.peer_average, kept.reduce((a, b) => a + b) / kept.length), `average of ${row.code}`)
    t.equal(row.formulas, 'metric catalog')
  }
})

t.test('ratios, ranks, deep dive and the metric behind a concept say the same', async (t) => {
  const [ratios] = await rows(`${api}/banks/${id}/ubpr/ratios/?quarters=1`)
  const [trend] = await rows(
    `${api}/banks/${id}/trends/?quarters=1&metrics=ubpr_roa,ubpr_noncurrent_loans_ratio`,
  )
  t.equal(ratios!.UBPRE013, trend!.ubpr_roa)
  t.equal(ratios!.UBPR7414, trend!.ubpr_noncurrent_loans_ratio)
  const [dive] = await rows(`${api}/banks/${id}/deep-dive/?codes=UBPRE013`)
  const [rank] = await rows(`${api}/banks/${id}/ubpr/ranks/?codes=UBPRE013`)
  t.equal(dive!.value, ratios!.UBPRE013)
  t.equal(rank!.value, ratios!.UBPRE013)
  t.equal(dive!.schedule, 'UBPRX', 'no guide is loaded, so no page has it')
  t.equal(dive!.unit, rank!.unit)
  const report = await rows(`${api}/banks/${id}/deep-dive/?schedule=UBPR`)
  t.strictSame(report, await rows(`${api}/banks/${id}/deep-dive/?schedule=UBPRX`))
  const both = await rows(`${api}/banks/${id}/deep-dive/?schedule=RC,UBPR`)
  const [balance] = both
  t.match(balance, { schedule: 'RC', page: null, unit: null })
  t.ok(both.length > report.length)
  const series = await rows(`${api}/banks/${id}/ubpr/ratios/`)
  t.equal(dive!.prior_quarter, series.at(-2)!.UBPRE013)
  t.equal(dive!.year_ago, series.at(-5)!.UBPRE013)
})

t.test('a figure is followed down to what the bank filed', async (t) => {
  const [metric] = await rows(`${api}/reference/metrics/UBPRE013/?rssd_id=${id}`)
  const [ratios] = await rows(`${api}/banks/${id}/ubpr/ratios/?quarters=1`)
  t.equal(metric!.value, ratios!.UBPRE013)
  const [income] = await rows(`${api}/banks/${id}/deep-dive/?codes=RIAD4340`)
  const step = metric!.lineage.find(({ code }: { code: string }) => code === 'RIAD4340')
  t.match(step, { kind: 'item', quarters_back: 0, report_date: ratios!.report_date, value: income!.value })
  const before = metric!.lineage.filter(
    ({ code, value }: { code: string; value: unknown }) => /^RC(FD|ON)3368$/.test(code) && value !== null,
  )
  t.ok(before.length >= 2, 'its average looks back on earlier quarters, with their values')
  const [item] = await rows(`${api}/reference/mdrm/RIAD4340/`)
  t.ok(item!.ubpr_concepts.includes('UBPRE013'), 'and back from the item')
  const [defined] = await rows(`${api}/reference/metrics/roa/`)
  t.ok(defined!.lineage.length > 0)
  t.equal(defined!.fdic_variable, 'ROA')
  t.equal(metric!.fdic_variable, null, 'a concept of the UBPR is none of FDIC')
  t.ok(
    defined!.lineage.every(({ value }: { value: unknown }) => value === null),
    'without a bank there are no values',
  )
})
