// What an upgrade does to a declared table that holds rows.
import t, { type Test } from 'tap'
import { computed } from '../../sql/sources/columns.ts'
import type { Table } from '../../sql/sources/declare.ts'
import { declaredTables } from '../../sql/sources/index.ts'
import { prepareDeclaredTables } from '../../sql/sources/tables.ts'
import { testEngine } from '../helpers/engine.ts'

const { partition: _p, granule: _g, also: _a, ...some } = declaredTables[0]!
const before: Table = {
  ...some,
  name: 'letters',
  doc: 'A letter.',
  columns: { day: computed('Date32', 'NULL'), number: computed('String', 'NULL') },
  unique: ['number'],
  order: ['day'],
  edition: { replaces: 'upsert' },
}
const after: Table = {
  ...before,
  columns: { ...before.columns, size: computed('Nullable(UInt64)', 'NULL') },
  lookup: ['number'],
}

t.test('new columns and new indexes are added, and its rows stay', async (t) => {
  const { engine } = await testEngine(t as unknown as Test)
  await engine.loader('default').command({ query: 'CREATE DATABASE banking_v_letters' })
  const client = engine.loader('banking_v_letters')
  await prepareDeclaredTables(client, [before])
  await client.command({
    query: `INSERT INTO letters SELECT toDate32('2020-01-01') + number % 50, concat('n-', number) FROM numbers(100000)`,
  })
  await prepareDeclaredTables(client, [after])
  await prepareDeclaredTables(client, [after])

  const rows = async (query: string) => (await client.query({ query, format: 'JSONEachRow' })).json()
  const find = `FROM letters WHERE number = 'n-51234'`
  t.strictSame(await rows(`SELECT toString(day) AS day, size ${find}`), [{ day: '2020-02-04', size: null }])
  const plan = JSON.stringify(await rows(`EXPLAIN indexes = 1 SELECT day ${find}`))
  const [, selected, all] = /Name: number.*?Granules: (\d+)\/(\d+)/.exec(plan)!
  t.ok(Number(all) > 10 && Number(selected) <= 2, `${selected} of ${all} granules are read`)

  await t.rejects(prepareDeclaredTables(client, [{ ...after, order: ['number'] }]), {
    message: /table letters: the order is day, the declaration says number/,
  })
})
