import { readFileSync } from 'node:fs'
import t from 'tap'
import { fredSeries } from '../../sql/sources/fred-series.ts'

t.test('docs/rates.md lists the catalog of FRED series as it is', async (t) => {
  const text = readFileSync(new URL('../../docs/rates.md', import.meta.url), 'utf8')
  const rows = text.slice(text.indexOf('| series |')).trim().split('\n').slice(2)
  const expected = fredSeries.map(
    (one) =>
      `| ${one.id} | ${one.title} | ${one.unit} | ${one.frequency} | ${one.publisher} | ${one.licence} |`,
  )
  t.strictSame(rows, expected)
})
