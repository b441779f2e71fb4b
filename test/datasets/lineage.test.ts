// Where figures of each universe come from, down to what was filed.
import t from 'tap'
import { quarterOf } from '../../sql/quarter.ts'
import { universes } from '../../sql/universes/index.ts'
import { universe } from '../helpers/universe.ts'

const { get, rows, engine, published } = await universe()
const api = '/api/v1'
const detail = `${api}/reference/metrics`
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
const { credit_union: union, holding_company: holder, bank } = published.examples

interface Step {
  readonly kind: string
  readonly code: string
  readonly quarters_back: number
  readonly report_date: string
  readonly value: number | null
}

/** The value that the lineage has of an item, so many quarters back. */
const filed = (lineage: readonly Step[], wanted: string, back: number): number =>
  lineage.find(
    ({ kind, code, quarters_back }) => kind === 'item' && code === wanted && quarters_back === back,
  )!.value!

t.test('of a credit union, the accounts of its 5300 make the metric', async (t) => {
  const [found] = await rows(`${detail}/roa/?universe=credit_union&cu_number=${union}`)
  const [snapshot] = await rows(`${api}/cus/${union}/`)
  t.equal(found!.value, snapshot!.roa)
  t.match(found, { universe: 'credit_union', items: ['ACCT_010', 'ACCT_661A'], fdic_variable: null })
  // net income of the year to date, annualised, over the average of assets and those of the year-end before
  const quarter = quarterOf(snapshot!.report_date)
  const assets = (filed(found!.lineage, 'ACCT_010', 0) + filed(found!.lineage, 'ACCT_010', quarter)) / 2
  t.ok(near(found!.value, (100 * filed(found!.lineage, 'ACCT_661A', 0) * (4 / quarter)) / assets))
})

t.test('of a holding company, the items of its FR Y-9C do', async (t) => {
  const [found] = await rows(`${detail}/roa/?universe=holding_company&rssd_id=${holder}`)
  const [snapshot] = await rows(`${api}/holding-companies/${holder}/`)
  t.equal(found!.value, snapshot!.roa)
  // net income of the year to date, annualised, over the mean of the quarterly averages of the year
  const quarter = quarterOf(snapshot!.report_date)
  const averages = Array.from({ length: quarter }, (_, back) => filed(found!.lineage, 'BHCK3368', back))
  const assets = averages.reduce((sum, one) => sum + one) / quarter
  t.ok(near(found!.value, (100 * filed(found!.lineage, 'BHCK4340', 0) * (4 / quarter)) / assets))
})

t.test('an earlier quarter has what was filed for that', async (t) => {
  const asked = 'as_of=2025Q4'
  const [found] = await rows(`${detail}/net_worth_ratio/?universe=credit_union&cu_number=${union}&${asked}`)
  const [snapshot] = await rows(`${api}/cus/${union}/?${asked}`)
  t.equal(found!.value, snapshot!.net_worth_ratio)
  t.equal(filed(found!.lineage, 'ACCT_997', 0), snapshot!.net_worth)
})

t.test('the distribution is that of the universe', async (t) => {
  for (const [entity, benchmarks] of [
    ['bank', 'industry/benchmarks'],
    ['credit_union', 'cus/peer-benchmarks'],
  ]) {
    const [found] = await rows(`${detail}/roa/?universe=${entity}`)
    const [of] = await rows(`${api}/${benchmarks}/?tier=all&metrics=roa`)
    for (const key of ['report_date', 'count', 'mean', 'min', 'p25', 'median', 'p75', 'max'])
      t.equal(found![key], of![key], `${entity}: ${key}`)
    t.ok(
      found!.lineage.every(({ value }: Step) => value === null),
      'without an institution there are no values',
    )
  }
  const holders = await rows(`${api}/holding-companies/?active=1&fields=roa,report_date`)
  const [found] = await rows(`${detail}/roa/?universe=holding_company`)
  const known = holders.filter(({ roa, report_date }) => roa !== null && report_date === found!.report_date)
  t.equal(found!.count, known.length)
  t.equal(found!.max, Math.max(...known.map(({ roa }) => roa)))
})

t.test('every metric of every universe is followed down to items, and these are its items', async (t) => {
  const traced = await engine.rows<{ universe: string; figure: string; items: string[]; kinds: string[] }>({
    database: published.publication.database,
    sql: `SELECT l.universe AS universe, l.figure AS figure, c.items AS items,
            arraySort(arrayDistinct(arrayMap(step -> step.3, arrayFilter(step -> step.2 = 'item', l.steps)))) AS filed,
            filed != arraySort(c.items) AND length(l.steps) < 400 AS other
          FROM figure_lineage AS l INNER JOIN metric_catalog AS c ON c.universe = l.universe AND c.key = l.figure
          WHERE other OR (empty(filed) AND notEmpty(c.items))`,
    params: {},
  })
  t.strictSame(traced, [])
  const counted = await engine.rows<{ universe: string; figures: number }>({
    database: published.publication.database,
    sql: 'SELECT universe, toUInt32(count()) AS figures FROM figure_lineage GROUP BY universe ORDER BY universe',
    params: {},
  })
  t.strictSame(
    counted,
    universes
      .map(({ entity, metrics }) => ({ universe: entity, figures: metrics.length }))
      .sort((a, b) => (a.universe < b.universe ? -1 : 1)),
  )
})

t.test('items have the names that their agency gives', async (t) => {
  const [found] = await rows(`${detail}/roa/?universe=credit_union`)
  t.equal(found!.lineage.find(({ code }: Step) => code === 'ACCT_010').label, 'Total assets')
})

t.test('banks are who is meant where nothing is said', async (t) => {
  for (const path of [`roa/?rssd_id=${bank}`, 'UBPRE013/?fields=key,lineage,median']) {
    const [said] = await rows(`${detail}/${path}&universe=bank`)
    t.strictSame(said, (await rows(`${detail}/${path}`))[0])
  }
})

t.test('what is of another universe is refused, with what was expected', async (t) => {
  const refusals: [path: string, status: number, detail: RegExp][] = [
    [
      'texas_ratio/?universe=credit_union',
      404,
      /no metric of credit unions “texas_ratio”.*metrics\/\?universe=credit_union/,
    ],
    ['UBPRE013/?universe=holding_company', 404, /no metric of holding companies “UBPRE013”/],
    ['net_worth_ratoi/?universe=credit-union', 404, /did you mean “net_worth_ratio”/],
    ['net_worth_ratio/', 404, /no metric “net_worth_ratio”/],
    ['roa/?universe=insurer', 400, /universe: .*expected one of bank, credit_union, holding_company/],
    [`roa/?cu_number=${union}`, 400, /cu_number: .*expected `rssd_id` of a bank, or `universe=credit_union`/],
    [`roa/?universe=credit_union&rssd_id=${bank}`, 400, /rssd_id: .*expected `cu_number` of a credit union/],
    [`roa/?universe=credit_union&cu_number=1`, 400, /no credit union with charter number 1 ever filed/],
    [`roa/?universe=holding_company&rssd_id=${bank}`, 400, /no holding company with RSSD ID \d+ ever filed/],
    [`roa/?rssd_id=${holder}`, 400, /no bank with RSSD ID \d+ ever filed/],
  ]
  for (const [path, status, expected] of refusals) {
    const answer = await get(`${detail}/${path}`)
    t.equal(answer.status, status, path)
    t.match(answer.json().detail, expected, path)
  }
})
