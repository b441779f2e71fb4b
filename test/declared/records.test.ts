import t from 'tap'
import { MOST_RECORD_BYTES, RecordCutter, separatorOf } from '../../loaders/declared/records.ts'
import { csv, tsv } from '../../sql/sources/declare.ts'

/** Records of a text that comes in chunks of so many bytes: `[line, fields, fault]`. */
function cut(text: string | Buffer, form = csv(), chunk = 1 << 16): [number, string[], string][] {
  const bytes = Buffer.from(text)
  const cutter = new RecordCutter(form, 'a.csv')
  const records = []
  for (let at = 0; at < bytes.length; at += chunk)
    records.push(...cutter.push(bytes.subarray(at, at + chunk)))
  records.push(...cutter.finish())
  return records.map(({ line, bytes: record, fault }) => [
    line,
    record.toString().split(separatorOf(form)),
    fault,
  ])
}

t.test('quotes, line ends and blank lines, however the chunks fall', (t) => {
  const text =
    '\uFEFFa,b\r\n1,"x, y"\n\n"2 ""two""","over\ntwo\r\nlines"\r\n3,5" wide\n4,"",\n5,\u00a0é\r\n6,last'
  const expected = [
    [1, ['a', 'b'], ''],
    [2, ['1', 'x, y'], ''],
    [4, ['2 "two"', 'over\ntwo\r\nlines'], ''],
    [7, ['3', '5" wide'], ''],
    [8, ['4', '', ''], ''],
    [9, ['5', ' é'], ''],
    [10, ['6', 'last'], ''],
  ]
  for (const chunk of [1, 2, 3, 5, 7, 64, 1000]) t.strictSame(cut(text, csv(), chunk), expected, `${chunk}`)
  t.end()
})

t.test('without quoting a quote is a character', (t) => {
  t.strictSame(cut('a\t"b\n"c\td\t"\r\n', tsv()), [
    [1, ['a', '"b'], ''],
    [2, ['"c', 'd', '"'], ''],
  ])
  t.end()
})

t.test('Windows-1252, and what is neither', (t) => {
  const [first, second, third] = cut(Buffer.from('caf\xe9 \x96 x,y\nna\u00efve,z\nbad \x81,w\n', 'latin1'))
  t.strictSame(first, [1, ['café – x', 'y'], ''])
  t.strictSame(second, [2, ['naïve', 'z'], ''])
  t.match(third![2], /^the byte 0x81 is neither UTF-8 nor Windows-1252$/)
  t.match(cut('a\0b,c\n'), [[1, [], /NUL/]])
  t.end()
})

t.test('a text that was cut', (t) => {
  t.match(cut('a,b\n1,"never closed\nmore'), [[1], [2, [], /the file ends within a quoted field/]])
  t.match(cut('a\tb\n1\t2', tsv({ endsLines: true })), [[1], [2, [], /the file ends within this line/]])
  t.match(cut('a,b\n"1"x,2\n'), [[1], [2, ['1x', '2'], /a quote is closed within a field/]])
  t.end()
})

t.test(
  'a line without end, and a quote that is not closed, end the reading: named, and in bounded memory',
  (t) => {
    const long = 'x'.repeat(MOST_RECORD_BYTES + 10)
    t.throws(() => cut(`a,b\n${long}`), { message: /^a\.csv: line 2: no line ends within 1,048,576 bytes$/ })
    t.throws(() => cut(`a,b\n1,2\n3,"${'y\n'.repeat(MOST_RECORD_BYTES / 2 + 10)}`), {
      message: /^a\.csv: line 3: a quote that is opened there is not closed within 1,048,576 bytes$/,
    })
    t.end()
  },
)
