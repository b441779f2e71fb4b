import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { envelopeRows } from '../../server/formats/json.ts'

/** The envelope around a text that arrives in chunks of a size. */
const enveloped = async (rows: string, size: number): Promise<string> => {
  const bytes = Buffer.from(rows)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  return text(
    Readable.from(chunks).pipe(
      envelopeRows(({ rows, last }) => `,"count":${rows},"last":${last() ?? null}}`),
    ),
  )
}

t.test('counts the rows however they are cut', async (t) => {
  for (const size of [1, 2, 3, 7, 1000]) {
    t.same(JSON.parse(await enveloped('[\n\n]\n', size)), { data: [], count: 0, last: null })
    t.same(JSON.parse(await enveloped('[\n{"a":1}\n]\n', size)), {
      data: [{ a: 1 }],
      count: 1,
      last: { a: 1 },
    })
    t.same(JSON.parse(await enveloped('[\n{"a":"]\\n["},\n{"a":"é"}\n]\n', size)), {
      data: [{ a: ']\n[' }, { a: 'é' }],
      count: 2,
      last: { a: 'é' },
    })
  }
})

t.test('of a last row that is very long nothing is known', async (t) => {
  const long = `[\n{"a":1},\n{"a":"${'x'.repeat(20_000)}"}\n]\n`
  for (const size of [1000, 100_000]) t.equal(JSON.parse(await enveloped(long, size)).last, null)
})

t.test('a failure of the source is a failure of the answer', async (t) => {
  const source = new Readable({ read() {} })
  const answer = envelopeRows(() => ',"count":0}')
  source.once('error', (error) => answer.destroy(error))
  source.pipe(answer)
  source.push('[\n{"a":1},\n')
  setImmediate(() => source.destroy(new Error('the engine broke off')))
  await t.rejects(text(answer), { message: 'the engine broke off' })
})
