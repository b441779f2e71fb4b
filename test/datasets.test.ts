// The matrix: every test of this file runs over every declaration, so a new dataset is tested by being declared.
import t, { type Test } from 'tap'
import { API_ROOT, catalog } from '../server/catalog/catalog.ts'
import type { Column } from '../server/catalog/columns.ts'
import { type Dataset, formOf } from '../server/catalog/define.ts'
import { exampleUrl } from '../server/catalog/describe.ts'
import type { AnyParameter } from '../server/catalog/parameters.ts'
import { loadDatasets } from '../server/catalog/registry.ts'
import { formatsOf } from '../server/formats/offered.ts'
import { parse } from '../server/query/parse.ts'
import { plan } from '../server/query/plan.ts'
import { difference } from './datasets/compare.ts'
import * as readBack from './datasets/read-back.ts'
import { type Answer, universe } from './helpers/universe.ts'

const { get, rows, engine, published } = await universe()
const served = await loadDatasets()
const declared: Dataset[] = [...new Set(served.values())]

// Declarations name no institution: the tests look from the one that the docs look from.
const path = (dataset: Dataset, own: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...Object.fromEntries(
    dataset.pathParameters.flatMap((name) => {
      const { entity } = dataset.parameters[name]!
      return entity ? [[name, published.examples[entity]!]] : []
    }),
  ),
  ...own,
})
const url = (dataset: Dataset, query = '', own?: Readonly<Record<string, string>>) =>
  exampleUrl(dataset, path(dataset, own), query, published.examples)
const pathValues = (dataset: Dataset, own?: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    dataset.pathParameters.map((name) => [
      name,
      path(dataset, own)[name] ?? dataset.parameters[name]!.example!,
    ]),
  )
const joined = (query: string | undefined, more: string) => [query, more].filter(Boolean).join('&')

const body = (answer: Answer) => answer.body.toString().slice(0, 500)

t.test('every example runs and meets its expectation', async (t) => {
  for (const dataset of declared) {
    for (const { title, path: own, query, expect } of dataset.examples) {
      const at = url(dataset, query, own)
      const answer = await get(at)
      if (!t.equal(answer.status, 200, `${dataset.key}: ${title} (${at})`, { body: body(answer) })) continue
      const { features, data = features, meta, links } = answer.json()
      t.equal(Array.isArray(data), dataset.result === 'many' && !query?.includes('format=columns'))
      const first = features ? features[0].properties : Array.isArray(data) ? data[0] : data
      const count = query?.includes('format=columns') ? meta.count : Array.isArray(data) ? data.length : 1
      t.equal(meta.count, count)
      t.equal(meta.dataset, dataset.key)
      t.equal(links.docs, `/docs/${dataset.key}`)
      if (expect?.rows !== undefined) t.equal(count, expect.rows, `${at}: rows`)
      if (expect?.least !== undefined)
        t.ok(count >= expect.least, `${at}: ${count} rows, expected ${expect.least} or more`)
      // a screen may find nothing in so small a universe
      if (expect?.columns && first) t.strictSame(Object.keys(first), expect.columns, `${at}: columns`)
      const form = formOf(dataset, (name) => new URLSearchParams(query).get(name))
      if (count > 0) unitsAreComplete(t, form, first, meta.units)
    }
  }
})

function unitsAreComplete(t: Test, dataset: Dataset, row: object, units: Record<string, string>) {
  const expected = Object.keys(row).filter((name) => dataset.allColumns.get(name)?.unit !== undefined)
  t.strictSame(Object.keys(units).sort(), expected.sort(), `${dataset.key}: meta.units`)
}

/** What ClickHouse calls the type of a declared column. */
function clickhouseType({ type, nullable, fields }: Column): string {
  if (fields)
    return type.replace(
      'Tuple',
      `Tuple(${fields.map((one) => `${one.name} ${clickhouseType(one)}`).join(', ')})`,
    )
  const plain = type === 'Code' ? 'String' : type.replace('DateTime64(3)', "DateTime64(3, 'UTC')")
  return nullable ? `Nullable(${plain})` : plain
}

t.test('declared columns are those of the SELECT, in name and type', async (t) => {
  const { publication, coverage } = published
  const inDatabase = { database: publication.database }
  for (const dataset of declared.filter(({ parts }) => !parts)) {
    for (const { path: own, query } of dataset.examples) {
      const asked = parse(
        formOf(dataset, (name) => new URLSearchParams(query).get(name)),
        pathValues(dataset, own),
        Object.fromEntries(new URL(url(dataset, query, own), 'http://localhost').searchParams),
        publication.dataVersion,
      )
      const planned = plan(asked, coverage)
      const { columns, steps } = planned
      const extra = Object.fromEntries(
        steps.flatMap(({ step }) =>
          Object.entries(step.binds).map(([name, type]) => [name, type.startsWith('Array') ? [] : 0]),
        ),
      )
      const { sql, params } = planned.rows({ extra })
      const described = await engine.rows<{ name: string; type: string }>({
        sql: `DESCRIBE (${sql})`,
        params,
        ...inDatabase,
      })
      t.strictSame(
        described.map(({ name, type }) => [
          name,
          type
            .replace(/LowCardinality\((.*?)\)(?=\)|$)/, '$1')
            .replace(/\s+/g, ' ')
            .replace(/\( /g, '('),
        ]),
        columns.map((column) => [column.name, clickhouseType(column)]),
        `${dataset.key}?${query ?? ''}`,
      )
    }
  }
})

t.test('all formats hold the same values', async (t) => {
  const readers = {
    columns: readBack.fromColumns,
    ndjson: readBack.fromNdjson,
    csv: readBack.fromCsv,
    arrow: readBack.fromArrow,
    parquet: readBack.fromParquet,
    xlsx: readBack.fromXlsx,
  }
  for (const dataset of declared) {
    const query = dataset.examples[0]!.query?.replace(/&?format=[^&]*/, '')
    const expected = readBack.fromJson((await get(url(dataset, joined(query, 'format=json')))).body)
    for (const [format, read] of Object.entries(readers)) {
      const at = url(dataset, joined(query, `format=${format}`))
      const answer = await get(at)
      if (!formatsOf(dataset).includes(format as keyof typeof readers)) {
        t.equal(answer.status, 400, `${at}: not offered`)
        continue
      }
      if (!t.equal(answer.status, 200, at, { body: body(answer) })) continue
      const found = await read(answer.body)
      // Where a result is one row, `columns` is that row.
      t.equal(difference(expected, found, { texts: format === 'csv' }), undefined, at)
    }
  }
})

/** A text that the parameter must refuse. */
function badValue(parameter: AnyParameter): string {
  const schema = (parameter.schema.items ?? parameter.schema) as {
    type?: string
    enum?: unknown
    pattern?: string
  }
  if (parameter.role === 'metrics') return 'roaa'
  if (schema.type === 'integer') return 'many'
  if (schema.enum) return 'nonsense'
  const pattern = new RegExp(String(schema.pattern ?? '^.+$'))
  return pattern.test('!!') ? ' ' : '!!'
}

t.test('each bad parameter gives its documented problem', async (t) => {
  for (const dataset of declared) {
    const bad: [string, string][] = [
      ['no_such_parameter', '1'],
      ['fields', 'no_such_column'],
      ['format', 'xml'],
    ]
    if (dataset.result === 'many')
      bad.push(['sort', 'no_such_column'], ['limit', '0'], ['cursor', 'not-a-cursor'])
    for (const [name, parameter] of Object.entries(dataset.parameters)) {
      if (!dataset.pathParameters.includes(name)) bad.push([name, badValue(parameter)])
    }
    if (dataset.bounds) bad.push(['min_total_assets', 'big'], ['max_roaa', '1'])
    for (const [name, value] of bad) {
      const at = url(dataset, `${name}=${encodeURIComponent(value)}`)
      const answer = await get(at)
      t.equal(answer.status, 400, at, { body: body(answer) })
      t.match(answer.headers['content-type'], /^application\/problem\+json/, at)
      const problem = answer.json()
      t.match(
        problem,
        { status: 400, code: 'invalid-parameter', instance: String, title: String, detail: String },
        at,
      )
      t.equal(problem.errors?.[0]?.parameter, name, `${at}: names the parameter`)
      t.ok(problem.errors?.[0]?.reason, `${at}: says why`)
    }
    if (dataset.metricParameter || dataset.parameters.metrics) {
      const problem = (await get(url(dataset, 'metrics=roaa'))).json()
      t.equal(problem.errors?.[0]?.did_you_mean, 'roa', `${dataset.key}: says what was likely meant`)
    }
  }
})

t.test('what is not there is 404, and says what it is', async (t) => {
  for (const dataset of declared) {
    for (const name of dataset.pathParameters) {
      const unknown = dataset.parameters[name]!.entity
        ? '4000000000'
        : name === 'code'
          ? 'ZZZZ9999'
          : 'nothing'
      const answer = await get(exampleUrl(dataset, { ...path(dataset), [name]: unknown }))
      t.equal(answer.status, 404, `${dataset.key} of ${unknown}`, { body: body(answer) })
      t.match(answer.json(), { code: 'not-found', detail: unknown })
    }
    if (dataset.parameters.as_of?.role === 'as_of') {
      const answer = await get(url(dataset, 'as_of=1980Q1'))
      t.equal(answer.status, 404, `${dataset.key} as of 1980Q1`)
      t.match(answer.json().detail, /1980Q1/)
    }
  }
})

t.test('all datasets of the catalog are listed and served', async (t) => {
  const listed = await rows(`${API_ROOT}/datasets/`)
  t.strictSame(
    listed.map(({ key }) => key),
    catalog.map(({ key }) => key),
  )
  for (const { key, served } of listed) t.equal(served, true, key)
})

t.test('documented = existing: the OpenAPI document and the routes name the same paths', async (t) => {
  const document = (await get(`${API_ROOT}/openapi.json`)).json()
  t.match(document.openapi, /^3\.1/)
  const documented = Object.keys(document.paths).filter((one) => !/health|openapi|account|metrics$/.test(one))
  const bare = (one: string) => one.replace(/^\/api\/v1/, '').replace(/\/$/, '')
  const existing = new Set(catalog.map((entry) => bare(entry.path)))
  t.strictSame(
    documented.map(bare).filter((one) => !existing.has(one)),
    [],
    'nothing is documented that is not there',
  )
  const missing = [...served.values()].filter((one) => !documented.map(bare).includes(bare(one.path)))
  t.strictSame(
    missing.map(({ key }) => key),
    [],
    'nothing is served that is not documented',
  )
})

t.test('the counts of the catalog are those of the datasets', async (t) => {
  for (const { key, rows: counted } of await rows(`${API_ROOT}/datasets/?fields=key,rows`)) {
    const dataset = served.get(key as (typeof catalog)[number]['key'])
    if (counted === null || !dataset || dataset.pathParameters.length > 0) continue
    if (Object.values(dataset.parameters).some(({ role }) => role === 'as_of')) continue
    const limit = dataset.limit ? `limit=${dataset.limit.most}` : ''
    t.equal((await get(url(dataset, limit))).json().meta.total, counted, key)
  }
})
