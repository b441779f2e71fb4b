import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'
import { noRealData, realData, realQuarters } from './quarters.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('duckdb_metrics.py', import.meta.url))
const loaded = ['2017-12-31', '2018-03-31', '2018-06-30', '2018-09-30', '2018-12-31']
const compared = ['2018-06-30', '2018-09-30', '2018-12-31']

const noDuckdb = withoutModules('duckdb')
const skip = noRealData('ffiec-call-report') || noDuckdb

t.test('a second implementation in DuckDB agrees, for every bank', { skip, timeout: 900_000 }, async (t) => {
  const output = join(await temporaryFolder(t), 'metrics.csv')
  await run(python, [script, `${realData}ffiec-call-report`, output, ...compared], { timeout: 600_000 })
  const theirs = parse(readFileSync(output), { columns: true }) as Record<string, string>[]
  const metrics = Object.keys(theirs[0]!).filter((name) => name !== 'report_date' && name !== 'rssd_id')
  t.ok(metrics.length >= 20, `${metrics.length} metrics`)

  const rows = await realQuarters(t, loaded)
  const list = compared.map((quarter) => `'${quarter}'`).join(', ')
  const ours = new Map(
    (
      await rows<Record<string, number | string | null>>(
        `SELECT report_date, rssd_id, ${metrics.join(', ')} FROM bank_quarters WHERE report_date IN (${list})`,
      )
    ).map((row) => [`${row.report_date} ${row.rssd_id}`, row]),
  )
  t.equal(ours.size, theirs.length, 'banks × quarters')
  // DuckDB's averages know no poolings: these banks differ in what is taken to an average, and must.
  const pooled = new Set(
    (
      await rows<{ at: string }>(
        "SELECT concat(toString(report_date), ' ', toString(survivor)) AS at FROM poolings",
      )
    ).map(({ at }) => at),
  )
  const averaged = new Set([
    'roa',
    'roe',
    'nim',
    'yield_on_earning_assets',
    'noninterest_expense_ratio',
    'net_chargeoffs_ratio',
    'provision_ratio',
  ])
  for (const metric of metrics) {
    let compares = 0
    const apart: string[] = []
    for (const row of theirs) {
      const at = `${row.report_date} ${row.rssd_id}`
      if (averaged.has(metric) && pooled.has(at)) continue
      const own = ours.get(at)?.[metric] ?? null
      const other = row[metric] === '' ? null : Number(row[metric])
      compares++
      const equal =
        own === null || other === null
          ? own === other
          : Math.abs(Number(own) - other) <= 1e-9 * Math.max(1, Math.abs(other))
      if (!equal) apart.push(`${at}: ${own}, DuckDB ${other}`)
    }
    t.strictSame(apart.slice(0, 5), [], `${metric}: ${compares} figures, ${apart.length} differ`)
  }
})
