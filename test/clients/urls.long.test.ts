/** Parquet read straight from its URL by DuckDB, polars and pandas: HEAD for the length, ranges for the columns. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'
import { build } from '../helpers/app.ts'
import { python, withoutModules } from '../helpers/python.ts'

const script = fileURLToPath(new URL('./read_urls.py', import.meta.url))
const modules = 'duckdb, duckdb_extension_httpfs, pandas, polars, pyarrow'

test('Parquet is read from its URL', { skip: withoutModules(modules), timeout: 240_000 }, async (t) => {
  const { app, listen, headers } = await build(t, { env: { CACHE_MIB: '2', CACHE_ANSWER_MIB: '0' } })
  const ranges: string[] = []
  app.addHook('onResponse', (request, reply, done) => {
    if (request.headers.range) ranges.push(`${reply.statusCode} ${request.headers['user-agent'] ?? ''}`)
    done()
  })
  const expected = async (url: string): Promise<[number, number]> => {
    const { data } = (await app.inject(url)).json()
    const sum = data.reduce(
      (all: number, row: { total_assets: number | null }) => all + (row.total_assets ?? 0),
      0,
    )
    return [data.length, sum]
  }
  const screener = await expected('/api/v1/screeners/banks/?fields=rssd_id,total_assets')
  const panel = await expected('/api/v1/screeners/panel/?metrics=total_assets')
  const key = headers.authorization.replace('Bearer ', '')
  const { stdout } = await promisify(execFile)(python, [script, await listen(), key])
  const seen = JSON.parse(stdout) as Record<string, [number, number]>
  t.equal(Object.keys(seen).length, 5)
  for (const [reader, [rows, sum]] of Object.entries(seen)) {
    const [expectedRows, expectedSum] = reader.endsWith('key') ? panel : screener
    t.equal(rows, expectedRows, `${reader}: ${rows} rows`)
    t.ok(Math.abs(sum - expectedSum) < 1, `${reader}: ${sum}`)
  }
  t.ok(ranges.length > 0, `${ranges.length} ranges`)
  t.same([...new Set(ranges.map((one) => one.slice(0, 3)))], ['206'])
})
