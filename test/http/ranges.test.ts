import zlib from 'node:zlib'
import { Zstd } from '@hpcc-js/wasm-zstd'
import t from 'tap'
import { acceptedEncoding, compress, compressor } from '../../server/http/cache/encodings.ts'
import { readRanges } from '../../server/http/cache/ranges.ts'
import { entityTag, matches, matchingTag } from '../../server/http/cache/tags.ts'
import { decode } from '../helpers/decode.ts'

t.test('ranges of 1,000 bytes', (t) => {
  const first = { start: 0, end: 99 }
  for (const [header, expected] of [
    ['bytes=0-99', [first]],
    ['Bytes = 0-99', [first]],
    ['bytes=900-', [{ start: 900, end: 999 }]],
    ['bytes=-100', [{ start: 900, end: 999 }]],
    ['bytes=-5000', [{ start: 0, end: 999 }]],
    ['bytes=990-5000', [{ start: 990, end: 999 }]],
    ['bytes=500-599, 0-99', [first, { start: 500, end: 599 }]],
    ['bytes=0-99, 50-199, 150-299', [{ start: 0, end: 299 }]],
    ['bytes=0-99, 150-249', [{ start: 0, end: 249 }]],
    ['bytes=0-99, 5000-', [first]],
    ['bytes=1000-', []],
    ['bytes=-0', []],
    ['bytes=99-0', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['rows=0-99', 'whole'],
    ['bytes=0 - 99', 'whole'],
    ['bytes=0-99=', 'whole'],
    [`bytes=${Array.from({ length: 17 }, (_, i) => `${i * 50}-${i * 50}`)}`, 'whole'],
    [`bytes=0-99${',5000-'.repeat(16)}`, 'whole'],
    [
      `bytes=${Array.from({ length: 16 }, () => `${'0'.repeat(13)}10-${'0'.repeat(12)}999`).join(', ')}`,
      [{ start: 10, end: 999 }],
    ],
    [`bytes=0-99${' '.repeat(1100)}`, 'whole'],
  ] as const)
    t.same(readRanges(header, 1000), expected === 'whole' ? 'whole' : [...expected], header)
  t.same(readRanges('bytes=0-', 0), [], 'nothing has no bytes')
  t.end()
})

t.test('the tag of an answer stands for every coding of it', (t) => {
  t.equal(matchingTag('"abc"', 'abc'), '"abc"')
  t.equal(matchingTag('"x", W/"abc-gzip"', 'abc'), '"abc-gzip"', 'the one that the client has is named')
  for (const other of ['"abcd"', '"abc-lzma"', 'abc', '*', '"ab"'])
    t.equal(matchingTag(other, 'abc'), undefined)
  t.ok(matches('"x", "abc-br"', 'abc'))
  t.ok(matches('*', 'abc'))
  t.notOk(matches('W/"abc"', 'abc'), 'a weak tag is not strong enough')
  t.equal(entityTag('abc', 'zstd'), '"abc-zstd"')
  t.end()
})

t.test('the coding that a client prefers', (t) => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0', undefined],
    ['deflate, lzma', undefined],
    ['gzip;q=0.2, identity;q=0.9', undefined],
    ['zstd, gzip;q=0.5', 'zstd'],
    ['GZIP', 'gzip'],
  ] as const)
    t.equal(acceptedEncoding(header), expected, header ?? 'no header')
  t.match(acceptedEncoding('gzip, deflate, br, zstd'), /^(br|zstd)$/)
  t.match(acceptedEncoding('*'), /^(br|zstd)$/)
  t.end()
})

t.test(
  'answers that are compressed on the thread that answers take turns with all else',
  { skip: 'zstdCompress' in zlib && 'zlib has zstd, on threads of its own' },
  async (t) => {
    const zstd = await Zstd.load()
    const { compress: original } = zstd
    t.teardown(() => {
      zstd.compress = original
    })
    let turn = 0
    const turns: number[] = []
    zstd.compress = (...given) => {
      turns.push(turn)
      return original.apply(zstd, given)
    }
    let over = false
    const count = (): void => {
      turn++
      if (!over) setImmediate(count)
    }
    setImmediate(count)
    const bytes = Buffer.alloc(2 ** 20, 'rows of an answer, ')
    await Promise.all(Array.from({ length: 4 }, () => compress(bytes, 'zstd')))
    over = true
    t.ok(turns.length >= 64, `${turns.length} frames`)
    t.equal(new Set(turns).size, turns.length, 'one in each turn of the event loop')
  },
)

t.test('what is compressed is read back, whole and as a stream', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 1000},`).join(''))
  for (const encoding of ['br', 'gzip', 'zstd'] as const) {
    const whole = await compress(bytes, encoding)
    t.ok(whole.length < bytes.length * 0.8, `${encoding}: ${whole.length} of ${bytes.length}`)
    t.ok((await decode(whole, encoding)).equals(bytes))
    t.ok((await decode(await compress(Buffer.alloc(0), encoding), encoding)).equals(Buffer.alloc(0)))
    const stream = compressor(encoding)
    for (let at = 0; at < bytes.length; at += 10_000) stream.write(bytes.subarray(at, at + 10_000))
    stream.end()
    t.ok(
      (await decode(Buffer.concat(await stream.toArray()), encoding)).equals(bytes),
      `${encoding} as a stream`,
    )
  }
})
