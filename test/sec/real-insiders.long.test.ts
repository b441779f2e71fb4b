// Forms 3 and 4 of EDGAR, worked by hand.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'
import { loadBank } from './bank.ts'

const real = join(import.meta.dirname, '../../../shared/data/sec')
const skip = existsSync(join(real, 'form4-banks')) ? false : `${real} is not there`
t.test('Forms 4 of banks, worked by hand', { skip }, async (t) => {
  const app = await ratesApp(t)
  await app.load('sec-ownership', [join(real, 'form4-banks')])
  const lines =
    'cik, filed_date, accession_number, owners[1] AS owner, code, shares, price, round(value, 2) AS worth, direction, shares_after, plan_10b5_1'
  const bank = await app.sql(
    `SELECT ${lines} FROM insider_lines WHERE cik IN (19617, 70858) ORDER BY filed_date, line`,
  )
  t.match(bank, [
    {
      code: 'G',
      direction: 'D',
      shares: 6000,
      price: 0,
      worth: 0,
      shares_after: 324622,
      owner: 'Bronstein Sheri B.',
    },
    {
      code: 'S',
      direction: 'D',
      shares: 2500,
      price: 352.8106,
      worth: 882.03,
      shares_after: 71047,
      plan_10b5_1: true,
    },
    // restricted stock units became shares, and were paid out in cash: 18,082 × 59.52
    { code: 'M', direction: 'A', shares: 18082, price: null, worth: null, shares_after: 2717694 },
    { code: 'D', direction: 'D', shares: 18082, price: 59.52, worth: 1076.24, shares_after: 2699612 },
  ])
  t.equal(bank.length, 4)
  const others = await app.sql<{ cik: number; owners: string[] }>(
    'SELECT cik, owners FROM insider_lines WHERE cik NOT IN (19617, 70858) ORDER BY cik, line',
  )
  t.strictSame(
    others.map(({ cik, owners }) => [cik, owners[0]]),
    [
      [1034665, 'JPMORGAN CHASE & CO'],
      [1034665, 'JPMORGAN CHASE & CO'],
      [1487610, 'BANK OF AMERICA CORP /DE/'],
    ],
  )
  await loadBank(app)
  const feed = await app.data('/sec/insider-transactions/')
  t.strictSame(
    feed.map((row: Record<string, unknown>) => [row.cik, row.code]),
    [[19617, 'S']],
    'of registrants alone, and of those as issuers',
  )
})

t.test('a Form 3 and a Form 4 with options', { skip }, async (t) => {
  const { loadText, sql } = await ratesApp(t)
  const read = (name: string) => readFile(join(real, 'ownership', name), 'utf8')
  await loadText('sec-ownership', await read('form3.snow.xml'), '0001640147-20-000001.xml')
  await loadText('sec-ownership', await read('374WaterForm4.xml'), '0000933972-25-000001.xml')
  t.strictSame(
    await sql(`SELECT cik, filed_date, derivative, holding, count() AS lines, sum(underlying_shares) AS underlying, sum(shares) AS shares
      FROM insider_lines GROUP BY ALL ORDER BY cik, derivative`),
    [
      {
        cik: 933972,
        filed_date: '2025-05-02',
        derivative: false,
        holding: false,
        lines: 1,
        underlying: null,
        shares: 757756,
      },
      {
        cik: 933972,
        filed_date: '2025-05-02',
        derivative: true,
        holding: false,
        lines: 1,
        underlying: 757576,
        shares: 757576,
      },
      // 134,018 + 383,594 + 4 × 95,898
      {
        cik: 1640147,
        filed_date: '2020-09-15',
        derivative: true,
        holding: true,
        lines: 6,
        underlying: 901204,
        shares: null,
      },
    ],
  )
})
