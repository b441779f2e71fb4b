// The Summary of Deposits as loaded against DuckDB's count of the same files, and against the offices that the FDIC's
// institutions state for the same day.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'
import { loaderEngine } from '../loaders/helpers.ts'
import { noRealData, realData } from './quarters.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('branches.py', import.meta.url))
const noDuckdb = withoutModules('duckdb')
const skip = noRealData('fdic-sod') || noRealData('fdic-sdi') || noDuckdb

t.test('branches and deposits of every bank', { skip, timeout: 600_000 }, async (t) => {
  const folder = await temporaryFolder(t)
  const { load, rows } = await loaderEngine(t)
  const theirs: string[] = []
  for (const year of [2018, 2021]) {
    const [file, counts] = [join(folder, `sod_${year}.csv`), join(folder, `counts_${year}.csv`)]
    await run(python, [script, `${realData}fdic-sod/sod_${year}.csv.xz`, file, counts])
    await load('fdic-sod', [file])
    for (const bank of parse(await readFile(counts), { columns: true }) as Record<string, string>[])
      theirs.push(Object.values(bank).map(Number).join())
  }
  const ours = await rows<Record<string, number>>(
    `SELECT year, cert, any(rssd_id) AS rssd_id, toUInt32(count()) AS branches, sum(deposits) AS deposits FROM branch_deposits
     GROUP BY year, cert ORDER BY year, cert`,
  )
  const told = ours.map((bank) => Object.values(bank).join())
  t.equal(told.length, 5551 + 4960, 'banks × years')
  const same = new Set(theirs)
  t.strictSame(
    told.filter((bank) => !same.has(bank)),
    [],
    'DuckDB counts the same',
  )
  t.equal(theirs.length, told.length)

  await load('fdic-institutions', [`${realData}fdic-sdi/20180630/bank_data.csv`])
  const [offices] = await rows<Record<string, number>>(`
    SELECT toUInt32(count()) AS banks, toUInt32(countIf(n = o)) AS equal, toUInt32(countIf(n > o)) AS more,
      toUInt32(countIf(abs(n - o) <= greatest(2, 0.05 * n))) AS near
    FROM (SELECT cert, toInt32(count()) AS n FROM branch_deposits WHERE year = 2018 GROUP BY cert) AS s
    INNER JOIN (SELECT cert, toInt32(ifNull(domestic_offices, 0) + ifNull(territory_offices, 0)) AS o FROM fdic_institutions) AS i USING cert`)
  t.equal(offices!.banks, 5550, 'all but one, which the FDIC had under another certificate')
  t.ok(offices!.equal! / offices!.banks! > 0.895, `the same number: ${offices!.equal}`)
  // institutions state every office, the survey those of depositors: it has more of eight banks alone
  t.equal(offices!.more, 8)
  t.ok(offices!.near! / offices!.banks! > 0.99, `within two offices or 5 %: ${offices!.near}`)
})
