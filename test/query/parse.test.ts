import t from 'tap'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { Problem } from '../../server/errors.ts'
import { parse } from '../../server/query/parse.ts'

const datasets = await loadDatasets()
const screener = datasets.get('bank-screener')!
const trends = datasets.get('bank-trends')!
const metric = datasets.get('metric-detail')!

/** The problem that a query is refused with. */
function refused(query: Record<string, string | string[]>, of = screener, path = {}): Problem {
  try {
    parse(of, path, query, 'v1')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was not refused')
}

t.test('reads lists, bounds, sort and page', async (t) => {
  const query = parse(
    screener,
    {},
    {
      state: 'ny, ga,NY',
      min_total_assets: '5e5',
      max_roa: '-0.5',
      sort: '-total_assets,legal_name',
      limit: '10',
    },
    'v1',
  )
  t.same(query.values.get('state'), ['GA', 'NY'], 'upper case, sorted, each once')
  t.same(query.bounds, [
    { column: 'roa', side: 'max', value: -0.5 },
    { column: 'total_assets', side: 'min', value: 500000 },
  ])
  t.same(query.order, [
    { column: 'total_assets', descending: true },
    { column: 'legal_name', descending: false },
    { column: 'rssd_id', descending: false },
  ])
  t.equal(query.limit, 10)
  t.equal(
    query.canonical,
    'limit=10&max_roa=-0.5&min_total_assets=500000&sort=-total_assets,legal_name&state=GA,NY',
  )
})

t.test('equal queries have one spelling', async (t) => {
  const one = parse(screener, {}, { state: 'GA,NY', as_of: '2026Q2' }, 'v1')
  const other = parse(screener, {}, { as_of: '2026-06-30', state: 'ny,ga' }, 'v1')
  t.equal(one.canonical, other.canonical)
})

t.test('the path has its value and last slash', async (t) => {
  t.equal(parse(trends, { rssd_id: '0852218' }, {}, 'v1').path, '/api/v1/banks/852218/trends/')
})

t.test('collects every fault, each with its parameter', async (t) => {
  const problem = refused({ state: 'ZZ', min_total_asets: '1', limit: '0', fields: 'roaa', nonsense: '1' })
  t.equal(problem.code, 'invalid-parameter')
  t.same(problem.errors!.map((one) => one.parameter).sort(), [
    'fields',
    'limit',
    'min_total_asets',
    'nonsense',
    'state',
  ])
  const by = Object.fromEntries(problem.errors!.map((one) => [one.parameter, one]))
  t.equal(by.min_total_asets!.did_you_mean, 'min_total_assets')
  t.equal(by.fields!.did_you_mean, 'roa')
  t.equal(by.nonsense!.did_you_mean, undefined)
  t.ok((by.state!.allowed as string[]).includes('GA'))
})

t.test('a request of nothing but faults is told of as many as help', async (t) => {
  const names = Array.from({ length: 500 }, (_, i) => [`min_total_asset${i}`, '1'])
  t.equal(refused(Object.fromEntries(names)).errors!.length, 20)
})

const bad: [string, Record<string, string | string[]>][] = [
  ['an empty value', { state: '' }],
  ['an empty element', { state: 'GA,,NY' }],
  ['a parameter given twice', { state: ['GA', 'NY'] }],
  ['a bound that is no number', { min_roa: '1;drop' }],
  ['a bound that is not finite', { min_roa: '1e999' }],
  ['a day that ends no quarter', { as_of: '2026-05-31' }],
  ['a fifth quarter', { as_of: '2026Q5' }],
  ['a limit that is no whole number', { limit: '1.5' }],
  ['an unknown format', { format: 'xml' }],
  ['a column twice removed from what is there', { sort: 'no_such' }],
  ['a name of Object.prototype', { constructor: '1' }],
  ['a cursor that is none', { cursor: 'abc' }],
]
for (const [what, query] of bad) {
  t.test(`refuses ${what}`, async (t) => {
    const problem = refused(query)
    t.equal(problem.code, 'invalid-parameter')
    t.equal(problem.errors!.length, 1)
    t.equal(problem.errors![0]!.parameter, Object.keys(query)[0])
  })
}

t.test('refuses windows that contradict themselves', async (t) => {
  const path = { rssd_id: '1' }
  t.equal(refused({ from: '2020Q1', to: '2019Q4' }, trends, path).errors![0]!.parameter, 'to')
  t.equal(refused({ from: '2020Q1', quarters: '4' }, trends, path).errors![0]!.parameter, 'quarters')
})

t.test('an RSSD ID that is no number is a refused parameter, an unknown key is not found', async (t) => {
  t.equal(refused({}, trends, { rssd_id: 'abc' }).code, 'invalid-parameter')
  t.equal(refused({}, trends, { rssd_id: '4294967296' }).code, 'invalid-parameter')
  const problem = refused({}, metric, { metric: 'roaa' })
  t.equal(problem.code, 'not-found')
  t.match(problem.message, /did you mean “roa”/)
})
