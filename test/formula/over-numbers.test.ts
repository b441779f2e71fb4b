// What is worked out both in the engine and in memory is one formula: both executions answer with the same bits.
import t from 'tap'
import { percentileRank, rankFrom } from '../../sql/derive/percentile.ts'
import { interpreter } from '../../sql/formula/index.ts'
import { overNumbers } from '../../sql/formula/over-numbers.ts'
import { testEngine } from '../helpers/engine.ts'

t.test('ranks of counts: the engine, memory and the plain interpreter', async (t) => {
  const { engine } = await testEngine(t)
  const names = { below: 'below', equal: 'equal', present: 'present' }
  const formulas = { percentile: percentileRank, least: rankFrom.least, greatest: rankFrom.greatest }
  const columns = Object.entries(formulas).map(([name, one]) => `toFloat64(${one.sql(names)}) AS ${name}`)
  const rows = await engine.rows<Record<string, number | null>>({
    database: 'default',
    sql: `SELECT toUInt32(number % 61) AS below, toUInt32(intDiv(number, 61) % 31) AS equal, toUInt32(intDiv(number, 1891)) AS present,
        ${columns.join(', ')} FROM numbers(120000)`,
  })
  const plain = interpreter([{ key: 'm:percentile', source: '100 * (cc:BELOW + cc:EQUAL / 2) / cc:PRESENT' }])
  let different = 0
  for (const row of rows) {
    const counts = row as Record<keyof typeof names, number>
    for (const [name, one] of Object.entries(formulas)) {
      const value = one.of(counts)
      if (!Object.is(row[name], Number.isNaN(value) ? null : value)) different++
    }
    const item = (code: string) => row[code.toLowerCase()]
    if (plain('m:percentile', { reportDate: '2018-12-31', item }) !== row.percentile) different++
  }
  t.equal(rows.length, 120_000)
  t.equal(different, 0)
  t.equal(percentileRank.of({ below: 3, equal: 1, present: 4 }), 87.5)
  t.equal(rankFrom.greatest.of({ below: 3, equal: 1, present: 4 }), 1)
  t.equal(rankFrom.least.of({ below: 3, equal: 1, present: 4 }), 4)
  t.equal(rows[0]!.percentile, null, 'of nobody there is none')
})

t.test('what is no number of these is named', (t) => {
  t.throws(() => overNumbers(['below'], 'cc:ABOVE + 1'), /ABOVE/)
  t.throws(() => overNumbers(['below'], 'IF(cc:BELOW = 1, 2, 3)'), /has no function over numbers/)
  t.end()
})
