import { createHash } from 'node:crypto'
import t from 'tap'
import { code, count, figure, flag, id, instant, longDate, text } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { decodeCursor, encodeCursor, following, type Walk } from '../../server/query/cursor.ts'
import { orderOf } from '../../server/query/order.ts'
import { type Place, START } from '../../server/query/place.ts'

const columns = [
  ...[id('id', 'Id'), count('size', 'Size'), figure('share', 'Share'), text('name', 'Name')],
  ...[code('state', 'State', { nullable: true }), longDate('day', 'Day')],
  ...[instant('moment', 'Moment'), flag('open', 'Open')],
]
const of = dataset({
  key: 'structural-events',
  summary: 'Rows of every type.',
  from: 'relation',
  grain: ['place'],
  order: columns.map(({ name }) => name),
  columns,
  sources: [],
  examples: [{ title: 'All' }],
})
const walk: Walk = { dataset: of, order: orderOf(of, undefined), canonical: '/a/?b=1', dataVersion: 'v1' }
const keys = [
  ...['4294967295', '18446744073709551615', '-1.7976931348623157e308', 'w4l-', null],
  ...['1900-01-01', '-2208988800000', '1', '-9223372036854775808'],
]
const place: Place = { passed: 100, total: 1000, keys, skip: 0 }
const decoded = (made: Partial<Place>, other: Partial<Walk> = {}) =>
  decodeCursor(encodeCursor({ ...place, ...made }, walk), { ...walk, ...other })

t.test('gives back the place it was made for', async (t) => {
  t.strictSame(decoded({}), place)
  t.strictSame(decoded({ keys: undefined, skip: 100 }), { ...place, keys: undefined, skip: 100 })
  const empty = keys.with(3, '')
  t.strictSame(decoded({ keys: empty, passed: 2 ** 31 }), { ...place, keys: empty, passed: 2 ** 31 })
})

t.test('is bound to the query, its order and the data version', async (t) => {
  const others: Partial<Walk>[] = [
    { canonical: '/a/?b=2' },
    { dataVersion: 'v2' },
    { order: orderOf(of, [{ column: 'share', descending: true }]) },
  ]
  for (const other of others)
    t.throws(() => decoded({}, other), /another query or an older data version/, JSON.stringify(other))
})

t.test('refuses what was altered, character by character', async (t) => {
  const cursor = encodeCursor(place, walk)
  t.ok(cursor.length < 300, `${cursor.length} characters`)
  for (let at = 0; at < cursor.length; at++) {
    for (const other of ['', cursor[at] === 'A' ? 'B' : 'A', `${cursor[at]}A`]) {
      const altered = cursor.slice(0, at) + other + cursor.slice(at + 1)
      // the last character may have bits that mean nothing
      if (Buffer.from(altered, 'base64url').equals(Buffer.from(cursor, 'base64url'))) continue
      t.throws(() => decodeCursor(altered, walk), { name: 'InvalidValue' }, altered)
    }
    t.throws(() => decodeCursor(cursor.slice(0, at), walk), { name: 'InvalidValue' })
  }
})

t.test('refuses what is no cursor, and one that was an offset', async (t) => {
  const offset = Buffer.from('2s.0123456789abcdef').toString('base64url')
  for (const cursor of ['', '!', 'abc', 'MTAw', offset, 'A'.repeat(5000), '~~~~'])
    t.throws(() => decodeCursor(cursor, walk), /not a cursor of this server/, cursor.slice(0, 50))
})

t.test('refuses values that no row has, though their maker knows the digest', async (t) => {
  const wrong: Record<number, string[]> = {
    0: ['', 'x', '1.5', '9223372036854775808', '1 OR 1=1', '9'.repeat(21), '--1'],
    1: ['-1', '18446744073709551616'],
    2: ['nan', 'inf', '1e999', 'w4l', '1e', '.5'],
    3: ['a', 'a b', '==', "'"],
    5: ['2026-02-30', '2026-13-01', '26-01-01', '0', '20260101'],
    6: ['2026-01-01', '9'.repeat(14)],
    7: ['2', 'true'],
    8: ['1.0', 'a'],
  }
  for (const [at, texts] of Object.entries(wrong))
    for (const one of texts)
      t.throws(
        () => decoded({ keys: keys.with(Number(at), one) }),
        /not a cursor of this server/,
        `${at}: ${one}`,
      )
  t.throws(() => decoded({ keys: keys.slice(1) }), /not a cursor of this server/)
  t.throws(() => decoded({ keys: [...keys, '1'] }), /not a cursor of this server/)
  // numbers of rows
  for (const told of ['-1~a~0', '1~~0', '1~a', 'zzzzzzzz~1~0', '1~1~N']) {
    const { canonical, order, dataVersion } = walk
    const digest = createHash('sha256').update(JSON.stringify([dataVersion, canonical, order, told]))
    const made = Buffer.from(`${told}~${digest.digest('base64url').slice(0, 16)}`).toString('base64url')
    t.throws(() => decodeCursor(made, walk), /not a cursor of this server/, told)
  }
})

t.test('a page follows the last row, or is counted from it where its values are not kept', async (t) => {
  const after = (last: readonly (string | null)[], from: Place = place) =>
    following(from, { ...walk, rows: 10, total: 1000, last })
  const other = keys.with(0, '7')
  t.strictSame(after(other), { passed: 110, total: 1000, keys: other, skip: 0 })
  const long = keys.with(3, 'YWJj'.repeat(1000))
  t.strictSame(after(long), { passed: 110, total: 1000, keys, skip: 10 })
  t.strictSame(after(keys.with(2, 'nan')), { passed: 110, total: 1000, keys, skip: 10 })
  t.strictSame(after(long, after(long)), { passed: 120, total: 1000, keys, skip: 20 })
  t.strictSame(after(long, START), { passed: 10, total: 1000, keys: undefined, skip: 10 })
  t.strictSame(after(other, after(long)), { passed: 120, total: 1000, keys: other, skip: 0 })
})
