import t from 'tap'
import { id } from '../../server/catalog/columns.ts'
import { dataset, formOf } from '../../server/catalog/define.ts'
import { timeParameters } from '../../server/catalog/parameters.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { Problem } from '../../server/errors.ts'
import type { Coverage } from '../../server/query/coverage.ts'
import { parse } from '../../server/query/parse.ts'
import { plan } from '../../server/query/plan.ts'
import { parseQuarter } from '../../sql/quarter.ts'
import type { Time } from '../../sql/sources/declare.ts'
import { banks } from '../../sql/universes/bank/index.ts'

const datasets = await loadDatasets()
const quarters = ['2025Q1', '2025Q2', '2025Q4', '2026Q1', '2026Q2'].map((text) => parseQuarter(text)!)
const coverage: Coverage = {
  filed: () => ({ quarters, latest: quarters.at(-1) }),
  knows: (_, id) => id === 1985,
  quartersOf: (_, id) => (id === 852218 ? quarters : id === 7 ? quarters.slice(0, 2) : undefined),
}
const planned = (key: string, query: Record<string, string> = {}, path = {}) =>
  plan(parse(datasets.get(key as 'bank-trends')!, path, query, 'v1'), coverage)

t.test('values travel as typed parameters, never as text', async (t) => {
  const { sql, params } = planned('bank-screener', { state: 'GA', min_total_assets: '500000' }).rows()
  t.match(sql, 'hq_state IN {state:Array(String)}')
  t.match(sql, 'total_assets >= {min_total_assets:Float64}')
  t.notMatch(sql, 'GA')
  t.notMatch(sql, '500000')
  t.same(params, { state: ['GA'], min_total_assets: 500000, as_of: '2026-06-30' })
})

t.test('words of a search are bound one by one', async (t) => {
  const { sql, params } = planned('bank-directory', { q: "first' OR 1=1" }).rows()
  t.notMatch(sql, '1=1')
  t.same([params.q_0, params.q_1, params.q_2], ["first'", 'OR', '1=1'])
})

t.test('metrics are elements of the array in the row shape and columns in the other', async (t) => {
  const series = planned('bank-trends', { metrics: 'roa,nim' }, { rssd_id: '852218' }).rows().sql
  t.match(series, `metrics[${banks.position('roa')}] AS roa, metrics[${banks.position('nim')}] AS nim`)
  t.match(planned('screener-panel', { metrics: 'roa' }).rows().sql, /, roa FROM bank_quarters/)
})

t.test('the grain ends every order', async (t) => {
  const order = (query: Record<string, string>) =>
    / ORDER BY (.*)$/.exec(planned('bank-screener', query).rows().sql)![1]
  t.equal(order({}), 'rssd_id')
  t.equal(order({ sort: '-total_assets' }), 'total_assets DESC, rssd_id')
  t.equal(order({ sort: '-rssd_id' }), 'rssd_id DESC')
})

t.test('a window of quarters counts those that were filed', async (t) => {
  const { params } = planned('bank-trends', { quarters: '3' }, { rssd_id: '852218' }).rows()
  t.equal(params.from, '2025-12-31')
  const before = planned('bank-trends', { quarters: '2', to: '2026-01-15' }, { rssd_id: '852218' })
  t.match(before.rows().params, { from: '2025-06-30', to: '2026-01-15' })
  t.equal(before.when.asOf, '2025-12-31')
})

t.test('as_of is the latest filed by the institution, else by the industry', async (t) => {
  t.equal(planned('bank-snapshot', {}, { rssd_id: '7' }).when.asOf, '2025-06-30')
  t.equal(planned('bank-screener').when.asOf, '2026-06-30')
})

const missing = (key: string, query: Record<string, string>, path = {}): string => {
  try {
    planned(key, query, path)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return error.message
    throw error
  }
  return 'nothing is missing'
}

t.test('not-found says whether the bank or the quarter is unknown', async (t) => {
  t.match(missing('bank-trends', {}, { rssd_id: '99' }), /the bank with RSSD ID 99 is unknown/)
  t.match(
    missing('bank-snapshot', { as_of: '2025Q3' }, { rssd_id: '852218' }),
    /the quarter 2025Q3 is unknown/,
  )
  t.match(missing('bank-screener', { as_of: '1999Q4' }), /first 2025Q1, latest 2026Q2/)
})

t.test('a cross-section with a window looks from the window’s end', async (t) => {
  const asOf = (key: string, query: Record<string, string>) => {
    const made = planned(key, query)
    t.equal(made.rows().params.as_of, made.when.asOf)
    return made.when.asOf
  }
  t.equal(asOf('screener-panel', {}), '2026-06-30')
  t.equal(asOf('screener-panel', { as_of: '2025Q4' }), '2025-12-31')
  t.equal(asOf('screener-panel', { to: '2026Q1' }), '2026-03-31')
  t.equal(asOf('industry-benchmarks', { from: '2025Q1', to: '2025Q3' }), '2025-06-30')
  t.match(planned('screener-panel').rows().sql, 'report_date <= {as_of:Date}')
})

t.test('years and spans of validity are chosen by day, and meta.as_of is the day asked for', async (t) => {
  const over = (time: Time) =>
    dataset({
      key: 'structural-events',
      summary: 'Rows of a time.',
      from: 'relation',
      time,
      grain: ['id'],
      parameters: timeParameters(time),
      columns: [id('id', 'Id')],
      sources: [],
      examples: [{ title: 'All' }],
    })
  const asked = (time: Time, query: Record<string, string>) => {
    const made = plan(parse(over(time), {}, query, 'v1'), coverage)
    return { ...made.rows(), asOf: made.when.asOf }
  }
  const years: Time = { kind: 'year', column: 'year' }
  t.match(asked(years, { from: '2019', to: '2023' }), {
    sql: / WHERE \(year >= toYear\(\{from:Date32\}\)\) AND \(year <= toYear\(\{to:Date32\}\)\) /,
    params: { from: '2019-01-01', to: '2023-12-31' },
    asOf: null,
  })
  const spans: Time = { kind: 'valid', from: 'start_date', to: 'end_date' }
  t.match(asked(spans, {}), { sql: / WHERE \(end_date IS NULL\) /, params: {}, asOf: null })
  t.match(asked(spans, { as_of: '2015Q2' }), {
    sql: / WHERE \(start_date <= \{as_of:Date32\} AND \(end_date IS NULL OR end_date >= \{as_of:Date32\}\)\) /,
    params: { as_of: '2015-06-30' },
    asOf: '2015-06-30',
  })
  t.match(asked({ kind: 'none' }, {}), { sql: /FROM relation ORDER BY id$/, asOf: null })
  t.throws(() => asked({ kind: 'none' }, { from: '2019' }), /no such parameter/)
})

t.test('a page is a limit and an offset, and the count has neither', async (t) => {
  const page = planned('bank-screener', { limit: '5' })
  t.match(page.rows().sql, / LIMIT \{limit:UInt64\}$/)
  t.equal(page.rows().params.limit, 5)
  t.notMatch(page.count().sql, /LIMIT|ORDER/)
})

t.test('every dataset plans with its examples, and binds all that its SQL names', async (t) => {
  for (const dataset of new Set(datasets.values())) {
    for (const example of dataset.examples) {
      const path = Object.fromEntries(
        dataset.pathParameters.map((name) => [
          name,
          // declarations name no institution
          example.path?.[name] ?? dataset.parameters[name]!.example ?? '852218',
        ]),
      )
      const filled = (example.query ?? '').replace(/\{\w+\}/, '852218')
      const query = Object.fromEntries(new URLSearchParams(filled))
      if (dataset.parts) continue
      const form = formOf(dataset, (name) => query[name])
      const made = plan(parse(form, path, query, 'v1'), { ...coverage, quartersOf: () => quarters })
      const extra = Object.fromEntries(
        made.steps.flatMap(({ step }) => Object.keys(step.binds)).map((name) => [name, []]),
      )
      const { sql, params } = made.rows({ extra })
      const named = [...sql.matchAll(/\{(\w+):/g)].map((match) => match[1]!)
      t.same(
        named.filter((name) => !(name in params)),
        [],
        `${dataset.key}: ${example.title}`,
      )
    }
  }
})
