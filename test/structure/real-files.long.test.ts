// FDIC's structure changes and NIC's transformations as the agencies export them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const skip = existsSync(data) ? false : 'the real files are not here'

t.test('structure changes as BankFind exports them', { skip }, async (t) => {
  const { load, sql: rows } = await ratesApp(t)
  const exports = [
    'Business_Combinations_-_Failures_10_21_2021.csv',
    'Interim_Mergers_&_Reorganizations_11_7_2021.csv',
    'Liquidations_10_21_2021.csv',
  ]
  const outcome = await load(
    'fdic-history',
    exports.map((name) => join(data, 'fdic-history', name)),
  )
  t.match(
    outcome.editions.map(({ status, rowsKept, rowsRejected }) => [status, rowsKept, rowsRejected]),
    [
      ['published', 573, 0],
      ['published', 894, 0],
      ['published', 2927, 2],
    ],
    'two lines have a quote within a name that FDIC did not escape',
  )
  t.strictSame(
    await rows(
      `SELECT cert, name, city, state, class, toString(effective_date) AS on, acquirer_name FROM fdic_history WHERE cert = 151 AND change_code = 211`,
    ),
    [
      {
        ...{ cert: 151, name: 'Habersham Bank', city: 'CLARKESVILLE', state: 'GA', class: 'NM' },
        ...{ on: '2011-02-18', acquirer_name: 'SCBT National Association' },
      },
    ],
    'of a bank that ended its own place and class, rather than those of who took it over',
  )
  t.strictSame(
    await rows(
      `SELECT type, toUInt32(count()) AS n FROM structural_events WHERE source = 'FDIC' GROUP BY type ORDER BY n DESC`,
    ),
    [
      { type: 'failure', n: 573 + 22 + 2510 },
      { type: 'reorganization', n: 875 },
      { type: 'closure', n: 395 },
      { type: 'assistance', n: 13 },
      { type: 'conservatorship', n: 6 },
    ],
    'every code that stands in them has a type',
  )
})
