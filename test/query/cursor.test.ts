import t from 'tap'
import { decodeCursor, encodeCursor } from '../../server/query/cursor.ts'

t.test('gives back the place it was made for', async (t) => {
  for (const offset of [0, 1, 100, 10_000, 2 ** 31 - 1]) {
    t.equal(decodeCursor(encodeCursor(offset, '/a/?b=1', 'v1'), '/a/?b=1', 'v1', 1), offset)
  }
})

t.test('is bound to the query and the data version', async (t) => {
  const cursor = encodeCursor(100, '/a/?b=1', 'v1')
  t.throws(() => decodeCursor(cursor, '/a/?b=2', 'v1', 7), /another query or an older data version/)
  t.throws(() => decodeCursor(cursor, '/a/?b=1', 'v2', 7), /another query or an older data version/)
})

t.test('refuses what is no cursor', async (t) => {
  const tampered = Buffer.from(encodeCursor(100, '/a/', 'v1'), 'base64url')
  tampered[0] = tampered[0]! + 1
  for (const text of ['', '!', 'abc', 'MTAw', tampered.toString('base64url').slice(0, 5)]) {
    t.throws(() => decodeCursor(text, '/a/', 'v1', 1), /not a cursor of this server/, text)
  }
})

t.test('leads to where a page begins, whoever made it', async (t) => {
  const made = (offset: number) => encodeCursor(offset, '/a/', 'v1')
  t.equal(decodeCursor(made(200), '/a/', 'v1', 100), 200)
  for (const [offset, limit] of [
    [201, 100],
    [99, 100],
    [100, undefined],
  ] as const)
    t.throws(() => decodeCursor(made(offset), '/a/', 'v1', limit), /not a cursor of this server/)
})
