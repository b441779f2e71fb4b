import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loaderEngine } from '../loaders/helpers.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

t.test('the failed bank list in its three generations of header', { skip }, async (t) => {
  const { load, rows } = await loaderEngine(t)
  const counts = { '2017': 550, '2021': 563, '2024-10': 569 }
  for (const [generation, count] of Object.entries(counts)) {
    const outcome = await load('fdic-failures', [join(data, 'fdic-failures', generation)])
    t.match(outcome.editions, [{ status: 'published', rowsRead: count, rowsKept: count, rowsRejected: 0 }])
    t.strictSame(await rows('SELECT toUInt32(count()) AS n FROM failed_banks'), [{ n: count }])
  }
  const older = await load('fdic-failures', [join(data, 'fdic-failures', '2017')])
  t.match(older.editions, [{ status: 'failed', reason: /older than what is loaded/ }])
  t.strictSame(
    await rows(`SELECT name, acquirer, toString(closed_date) AS closed FROM failed_banks
      WHERE cert IN (27332, 16748) ORDER BY cert`),
    [
      { name: 'First City Bank of Florida', acquirer: 'United Fidelity Bank, fsb', closed: '2020-10-16' },
      {
        name: 'Republic First Bank dba Republic Bank',
        acquirer: 'Fulton Bank, National Association',
        closed: '2024-04-26',
      },
    ],
  )
})

t.test('failures as BankFind exports them, twice', { skip }, async (t) => {
  const { load, rows } = await loaderEngine(t)
  const files = ['failed_banks.csv', 'bank-data.csv'].map((name) => join(data, 'fdic-history', name))
  const outcome = await load('fdic-failures', files)
  t.match(outcome.editions, [
    { status: 'published', rowsKept: 577 },
    { status: 'published', rowsKept: 122 },
  ])
  const [found] = await rows<{ n: number; cost: number }>(
    `SELECT toUInt32(count()) AS n, sum(cost) AS cost FROM failures WHERE failed_date >= '2019-01-01'`,
  )
  t.strictSame(found, { n: 8, cost: 30_803 })
})

t.test('NIC transformations', { skip }, async (t) => {
  const { load, rows } = await loaderEngine(t)
  const outcome = await load('nic-transformations', [join(data, 'nic/2024-2025/CSV_TRANSFORMATIONS.CSV')])
  t.match(outcome.editions, [{ status: 'published', rowsRead: 58_202, rowsKept: 58_202, rowsRejected: 0 }])
  t.strictSame(await rows(`SELECT toString(min(date)) AS first FROM transformations`), [
    { first: '1936-02-02' },
  ])
})
