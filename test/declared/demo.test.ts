import t from 'tap'
import { declaredTables } from '../../sql/sources/index.ts'
import { universe } from '../helpers/universe.ts'

t.test('the demo has rows for every declared table that the demo speaks of', async (t) => {
  const { engine, published } = await universe()
  const { database } = published.publication
  for (const { name, demo, unique } of declaredTables) {
    if (!demo) continue
    const [row] = await engine.rows<{ n: number; keys: number }>({
      database,
      sql: `SELECT toUInt32(count()) AS n, toUInt32(uniqExact(${unique.join(', ')})) AS keys FROM ${name}`,
    })
    t.ok(row!.n > 0, name)
    t.equal(row!.keys, row!.n, `${name}: the key is unique`)
  }
})

t.test('who fails in the demo filed up to the quarter before, and is on both lists', async (t) => {
  const { engine, published } = await universe()
  const [row] = await engine.rows<Record<string, number>>({
    database: published.publication.database,
    sql: `SELECT toUInt32(count()) AS failed, toUInt32(countIf(f.cert > 0)) AS told_twice,
        toUInt32(countIf(b.last_quarter < closed_date AND closed_date <= b.last_quarter + 95)) AS right_after
      FROM failed_banks AS l
      LEFT JOIN failures AS f ON f.cert = l.cert AND f.failed_date = l.closed_date
      LEFT JOIN banks AS b ON b.cert = l.cert`,
  })
  t.ok(row!.failed! > 0)
  t.equal(row!.told_twice, row!.failed)
  t.equal(row!.right_after, row!.failed)
})
