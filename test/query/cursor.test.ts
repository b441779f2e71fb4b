import t from 'tap'
import { decodeCursor, encodeCursor } from '../../server/query/cursor.ts'

t.test('gives back the place it was made for', async (t) => {
  for (const offset of [0, 1, 100, 10_000, 2 ** 31 - 1]) {
    t.equal(decodeCursor(encodeCursor(offset, '/a/?b=1', 'v1'), '/a/?b=1', 'v1'), offset)
  }
})

t.test('is bound to the query and the data version', async (t) => {
  const cursor = encodeCursor(100, '/a/?b=1', 'v1')
  t.throws(() => decodeCursor(cursor, '/a/?b=2', 'v1'), /another query or an older data version/)
  t.throws(() => decodeCursor(cursor, '/a/?b=1', 'v2'), /another query or an older data version/)
})

t.test('refuses what is no cursor', async (t) => {
  const tampered = Buffer.from(encodeCursor(100, '/a/', 'v1'), 'base64url')
  tampered[0] = tampered[0]! + 1
  for (const text of ['', '!', 'abc', 'MTAw', tampered.toString('base64url').slice(0, 5)]) {
    t.throws(() => decodeCursor(text, '/a/', 'v1'), /not a cursor of this server/, text)
  }
})
