/** Every dataset of flat rows in every format, read by pandas, polars, DuckDB and pyarrow as an analyst would. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { tabular } from '../../server/formats/names.ts'
import { formatsOf } from '../../server/formats/offered.ts'
import { build } from '../helpers/app.ts'
import { python, withoutModules } from '../helpers/python.ts'

const script = fileURLToPath(new URL('./read_formats.py', import.meta.url))
const modules = 'duckdb, openpyxl, pandas, polars, pyarrow, pytz'

interface Reading {
  query: string
  rows?: number
  readers?: string[]
  error?: string
}

test('Python readers see what JSON says', { skip: withoutModules(modules), timeout: 240_000 }, async (t) => {
  const { engine, published, listen, headers } = await build(t)
  const base = await listen()
  const { database } = published.publication
  const [bank] = await engine.rows<{ id: number }>({
    sql: 'SELECT max(rssd_id) AS id FROM bank_quarters WHERE report_date = (SELECT max(report_date) FROM bank_quarters)',
    database,
  })
  const queries = [
    // an answer without rows has its columns and types all the same; absent texts and lists; all banks, all quarters
    '/api/v1/screeners/banks/?min_total_assets=900000000000000',
    '/api/v1/banks/?active=0',
    '/api/v1/screeners/dataset/',
    '/api/v1/screeners/panel/?metrics=roa,nim,total_assets',
  ]
  for (const dataset of (await loadDatasets()).values()) {
    const offered = formatsOf(dataset)
    if (!tabular.every((format) => offered.includes(format))) continue
    const [example] = dataset.examples
    // only the holders of large banks file FR Y-15
    const rssd_id = dataset.key === 'bank-fry15' ? published.examples.bank! : String(bank!.id)
    const path = { ...example?.path, ...(dataset.parameters.rssd_id?.entity === 'bank' && { rssd_id }) }
    const query = new URLSearchParams(example?.query)
    query.delete('format')
    queries.push(exampleUrl(dataset, path, decodeURIComponent(query.toString()), published.examples))
  }

  const reader = spawn(python, [script, base], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, AUTHORIZATION: headers.authorization },
  })
  t.teardown(() => reader.kill())
  reader.stdin.end(queries.join('\n'))
  const readings = (await text(reader.stdout))
    .trim()
    .split('\n')
    .map((line): Reading => JSON.parse(line))

  t.strictSame(
    readings.map(({ query }) => query),
    queries,
    'every query was read',
  )
  for (const { query, rows, readers, error } of readings)
    t.notOk(error, error ? `${query}: ${error}` : `${query}: ${rows} rows, ${readers?.length} readers agree`)
  t.ok(
    readings.some(({ rows }) => rows === 0),
    'among them is an answer without rows',
  )
})
