import t from 'tap'
import { parseDay, parseQuarter, quarterEnd, quarterName } from '../../sql/quarter.ts'
import { editDistance, suggest } from '../../sql/suggest.ts'

t.test('a quarter is its name or its last day', async (t) => {
  for (const text of ['2026Q2', '2026q2', '2026-Q2', '2026-06-30']) {
    t.equal(quarterEnd(parseQuarter(text)!), '2026-06-30', text)
  }
  t.equal(quarterName(parseQuarter('2000-12-31')!), '2000Q4')
  t.equal(parseQuarter('2000Q4')! + 1, parseQuarter('2001Q1'))
  for (const text of ['2026Q0', '2026Q5', '2026-06-29', '2026-6-30', '26Q1', '1969Q4', '2149Q1', '']) {
    t.equal(parseQuarter(text), undefined, text)
  }
})

t.test('a day is a real one', async (t) => {
  t.equal(parseDay('2024-02-29'), '2024-02-29')
  for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '20240101'])
    t.equal(parseDay(text), undefined, text)
})

t.test('the likely meaning is near', async (t) => {
  t.equal(editDistance('state', 'sate'), 1)
  t.equal(editDistance('ab', 'ba'), 1, 'a swap is one edit')
  t.equal(editDistance('kitten', 'sitting'), 3)
  t.equal(suggest('sorts', ['sort', 'state']), 'sort')
  t.equal(suggest('total_asets', ['total_loans', 'total_assets']), 'total_assets')
  t.equal(suggest('zzz', ['roa', 'nim']), undefined)
  const long = 'total_assets'.repeat(5)
  t.equal(suggest(`${long}x`, [long]), long)
  t.equal(suggest(`${long}${long}`, [long, `${long}${long}x`]), undefined, 'longer than any name there is')
})

t.test('an edit distance is exact up to what is asked for', async (t) => {
  for (const [a, b] of [
    ['ca', 'abc'],
    ['kitten', 'sitting'],
    ['abcdef', 'badcfe'],
    ['min_total_asets', 'max_total_assets'],
  ] as const) {
    const exact = editDistance(a, b)
    t.equal(editDistance(a, b, exact), exact, `${a}, ${b}`)
    t.ok(editDistance(a, b, exact - 1) > exact - 1)
  }
})
