// Pages by cursor: every order is total, and a walk in pages of any size gives the rows of the whole answer, each once.
import t from 'tap'
import type { Dataset } from '../../server/catalog/define.ts'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { areKeys } from '../../server/query/order.ts'
import { parse } from '../../server/query/parse.ts'
import type { Keys } from '../../server/query/place.ts'
import { plan } from '../../server/query/plan.ts'
import { universe } from '../helpers/universe.ts'

const { get, engine, published } = await universe()
const { publication, coverage } = published
const listed = [...new Set((await loadDatasets()).values())].flatMap((dataset) => [
  { dataset, form: '' },
  ...Object.entries(dataset.flat?.of ?? {}).map(([value, of]) => ({
    dataset: of,
    form: `${dataset.flat!.parameter}=${value}`,
  })),
])
const paged = listed.filter(({ dataset }) => dataset.result === 'many')

const joined = (...parts: string[]) => parts.filter(Boolean).join('&')
const path = (dataset: Dataset, own: Readonly<Record<string, string>> = {}) => ({
  ...Object.fromEntries(
    dataset.pathParameters.map((name) => {
      const { entity, example } = dataset.parameters[name]!
      return [name, (entity ? published.examples[entity] : example)!]
    }),
  ),
  ...own,
})
const url = (dataset: Dataset, query: string, own?: Readonly<Record<string, string>>) =>
  exampleUrl(dataset, path(dataset, own), query, published.examples)
/** Without its page and format. */
const queryOf = (query = '') => query.replace(/(^|&)(limit|format|fields)=[^&]*/g, '').replace(/^&/, '')

interface Page {
  readonly data: object[]
  readonly meta: { readonly total: number; readonly count: number }
  readonly links: { readonly self: string; readonly next: string | null }
}
async function page(at: string): Promise<Page> {
  const answer = await get(at)
  if (answer.status !== 200)
    throw new Error(`${at}: ${answer.status} ${answer.body.toString().slice(0, 500)}`)
  return answer.json()
}

/** How the pages differ from the whole; undefined where they do not. @param most pages */
async function walked(
  from: string,
  all: readonly object[],
  total: number,
  most: number,
): Promise<string | undefined> {
  let next: string | null = from
  let at = 0
  for (let pages = 0; next !== null && pages < most; pages++) {
    const { data, meta, links }: Page = await page(next)
    if (links.self !== next) return `${next}: says that it is ${links.self}`
    if (meta.total !== total || meta.count !== data.length) return `${next}: ${JSON.stringify(meta)}`
    for (const row of data) {
      if (JSON.stringify(row) !== JSON.stringify(all[at]))
        return `${next}: row ${at} is ${JSON.stringify(row)}, not ${JSON.stringify(all[at])}`
      at++
    }
    next = links.next
  }
  return next === null && at !== all.length ? `${from}: ${at} rows, not ${all.length}` : undefined
}

/** What a cursor keeps, without what binds it to its query. */
const keptOf = (next: string): string =>
  Buffer.from(new URL(next, 'http://localhost').searchParams.get('cursor')!, 'base64url')
    .toString('latin1')
    .replace(/~[^~]*$/, '')

t.test('a cursor keeps the same, whether the row or the engine tells it', async (t) => {
  const found: string[] = []
  let compared = 0
  for (const { dataset, form } of paged) {
    for (const { path: own, query } of dataset.examples) {
      const asked = (format: string) => url(dataset, joined(form, queryOf(query), `limit=2${format}`), own)
      const { next } = (await page(asked(''))).links
      if (next === null) continue
      const { headers } = await get(asked('&format=ndjson'))
      const told = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      if (keptOf(next) !== keptOf(told!)) found.push(`${next}: ${keptOf(next)}, not ${keptOf(told!)}`)
      compared++
    }
  }
  t.strictSame(found, [])
  t.ok(compared > 100, `${compared} cursors`)
})

t.test('every order is total, and of values that a cursor keeps', async (t) => {
  for (const { dataset, form } of paged.filter(({ dataset }) => !dataset.steps)) {
    for (const { path: own, query } of dataset.examples) {
      const texts = Object.fromEntries(
        new URL(url(dataset, joined(form, queryOf(query)), own), 'http://localhost').searchParams,
      )
      const asked = parse(dataset, path(dataset, own), { ...texts, limit: '1' }, publication.dataVersion)
      const { sql, params } = plan(asked, coverage).last()
      const rows = await engine.rows<{ keys: Keys }>({
        sql: `SELECT * FROM (${sql.replace('SELECT [', 'SELECT DISTINCT [').replace(' LIMIT 1 OFFSET {last:UInt64}', '')}) AS rows(keys)`,
        params,
        database: publication.database,
      })
      const { sql: counting, params: counted } = plan(asked, coverage).count()
      const [{ total }] = (await engine.rows<{ total: number }>({
        sql: counting,
        params: counted,
        database: publication.database,
      })) as [{ total: number }]
      const called = `${dataset.key}?${query ?? ''}`
      t.equal(rows.length, Number(total), `${called}: rows that have the same place`)
      const odd = rows.find(({ keys }) => !areKeys(dataset, asked.order, keys))
      t.equal(odd, undefined, `${called}: ${JSON.stringify(odd)}`)
    }
  }
})

t.test('walks in pages of 1, 3 and 7, and to the end', async (t) => {
  let walks = 0
  for (const { dataset, form } of paged) {
    const { query, path: own } = dataset.examples[0]!
    const most = dataset.limit ? `limit=${dataset.limit.most}` : ''
    const { data: all, meta } = await page(url(dataset, joined(form, queryOf(query), most), own))
    if (all.length < 2) continue
    const sizes = new Map([1, 3, 7].map((size) => [size, 3 - Math.sign(size - 1)]))
    if (all.length <= 3000) sizes.set(Math.max(2, Math.ceil(all.length / 4)), 5)
    for (const [size, pages] of sizes) {
      const from = url(dataset, joined(form, queryOf(query), `limit=${size}`), own)
      const { links } = await page(from)
      t.equal(await walked(links.self, all, meta.total, pages), undefined, `${from}: up to ${pages} pages`)
      walks++
    }
  }
  t.ok(walks > 200, `${walks} walks`)
})

t.test('every column, in both directions, with ties and nulls', async (t) => {
  const asked: Record<string, string> = {
    'bank-screener': '',
    'structural-events': 'from=2026',
    'sec-insider-feed': 'code=S',
    'sec-filing-feed': 'form=10-K',
    failures: '',
    'reference-sources': '',
  }
  const kinds = new Set<string>()
  let nulls = 0
  for (const { dataset } of paged.filter(
    ({ dataset, form }) => asked[dataset.key] !== undefined && form === '',
  )) {
    const met: string[] = []
    for (const column of dataset.allColumns.values()) {
      const kind = `${column.type} ${column.nullable}`
      if (column.type.startsWith('Array') || met.filter((one) => one === kind).length === 2) continue
      met.push(kind)
      for (const sign of ['', '-']) {
        const query = joined(asked[dataset.key]!, `sort=${sign}${column.name}`)
        const { data, meta } = await page(url(dataset, joined(query, 'limit=2000')))
        if (data.length < 2) continue
        nulls += data.some((row) => (row as Record<string, unknown>)[column.name] === null) ? 1 : 0
        kinds.add(column.type)
        const { links } = await page(url(dataset, joined(query, `limit=${Math.ceil(data.length / 3)}`)))
        const wrong = meta.total > 2000 ? undefined : await walked(links.self, data, meta.total, 4)
        t.equal(wrong, undefined, `${dataset.key}: ${query}`)
      }
    }
  }
  t.ok(nulls > 5, `${nulls} orders with nulls`)
  t.strictSame(
    [...kinds].sort().filter((kind) => !/Int/.test(kind)),
    ['Bool', 'Code', 'Date', 'Date32', 'DateTime64(3)', 'Float64', 'String'],
  )
})
