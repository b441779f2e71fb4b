/**
 * Files made to do harm, each in a folder with a sound one: the sound one is published, and the other is refused in
 * words that name it and the limit that it passes.
 */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { apart } from '../../loaders/lib/apart.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { edit, loaderEngine, memberOf, quarterFiles } from '../loaders/helpers.ts'
import { member, type RawMember, rawZip, repeated, workbook } from './hostile-files.ts'

const { load, rows } = await loaderEngine(t as unknown as Test, {
  ENGINE_MEMORY_MIB: '2048',
})
const MIB = 2 ** 20

/** File name → content, and what its refusal must say; `null`: it is sound. */
type Folder = Record<string, [content: string | Buffer, refusal: RegExp | null]>

/** Loads them all in one run. */
async function loadFolder(t: Test, key: string, files: Folder): Promise<void> {
  const folder = await temporaryFolder(t)
  for (const [name, [content]] of Object.entries(files)) await writeFile(join(folder, name), content)
  const { editions } = await load(key, [folder])
  t.equal(editions.length, Object.keys(files).length, 'each has its outcome')
  for (const [name, [, refusal]] of Object.entries(files)) {
    const outcome = editions.find((one) => one.name.endsWith(name))
    if (!refusal) t.match(outcome, { status: 'published', rowsRejected: 0 }, `${name} is published`)
    else {
      t.match(outcome, { status: 'failed', reason: refusal }, name)
      t.notOk(
        /\p{Cc}/u.test(outcome?.reason ?? ''),
        `${name}: nothing that a terminal would take for a command`,
      )
    }
  }
}

t.test('zips', async (t) => {
  const files = await quarterFiles('2018Q4')
  const sound = [...files].map(([name, bytes]) => member(name, bytes))
  const rc = memberOf(files, 'RC')
  const withRc = (change: (rc: RawMember) => RawMember) =>
    rawZip(sound.map((one) => (one.name === rc ? change(one) : one)))
  const zip = (content: string | Buffer) => withRc(() => member(rc, content))
  const text = files.get(rc)!.toString('latin1')
  const page = text.split('\r\n')
  const named = (name: string) => rawZip([...sound, member(name, 'x')])
  await loadFolder(t, 'ffiec-call-report', {
    'sound 06302012.zip': [
      rawZip([...(await quarterFiles('2012Q2'))].map(([name, bytes]) => member(name, bytes))),
      null,
    ],
    'bomb.zip': [
      withRc(() => repeated(rc, '\r\n'.repeat(MIB / 2), 250)),
      /RC 12312018\.txt: has 262,144,000 bytes unpacked, more than the 16,777,216 /,
    ],
    'a line of 2 GB.zip': [
      withRc(() => repeated(rc, 'x'.repeat(MIB), 2048)),
      /has 2,147,483,648 bytes unpacked, more than the 16,777,216 /,
    ],
    'tight.zip': [
      withRc(() => repeated(rc, '\0'.repeat(MIB), 12)),
      /unpacked for each packed, more than the 200 /,
    ],
    'many bombs.zip': [
      rawZip([
        ...sound,
        ...Array.from({ length: 9 }, (_, k) => ({
          name: `${k}`,
          data: Buffer.alloc(MIB / 8),
          size: 15 * MIB,
        })),
      ]),
      /many bombs\.zip: has 141,\d+,\d+ bytes unpacked, more than the 134,217,728 /,
    ],
    'says less.zip': [
      withRc(() => repeated(rc, 'x'.repeat(MIB), 2048, 4000)),
      /damaged in the zip \(\d+ bytes came, and it says that it has 4000/,
    ],
    'says more.zip': [
      withRc((one) => ({ ...one, size: one.size + 1 })),
      /damaged in the zip \(\d+ bytes came/,
    ],
    'another sum.zip': [withRc((one) => ({ ...one, crc: 1 })), /damaged in the zip \(.*CRC-32/],
    'overlapping.zip': [withRc((one) => ({ ...one, at: 1 })), /: lies within another member/],
    'nowhere.zip': [withRc((one) => ({ ...one, at: 2 ** 31 })), /damaged in the zip/],
    'twice.zip': [rawZip([...sound, sound[0]!]), /two members have this name/],
    'many.zip': [
      rawZip([...sound, ...Array.from({ length: 5000 }, (_, k) => member(`${k}`, ''))]),
      /has 5,0\d\d members, more than the 1,000 /,
    ],
    'above.zip': [named('../../etc/cron.d/x'), /above\.zip: .*invalid relative path/],
    'absolute.zip': [named('/etc/passwd'), /absolute path/],
    'long name.zip': [named('x'.repeat(65_535)), /long name\.zip: "x{1900}/],
    'bell.zip': [named('\x1b[2J\x07\0.txt'), /is no file of a Call Report/],
    'half.zip': [rawZip(sound).subarray(0, -3000), /not a readable zip file/],
    'no directory.zip': [rawZip(sound, { directory: false }), /not a readable zip file/],
    'nothing.zip': ['', /not a readable zip file/],
    'long line.zip': [
      zip(`${page[0]}\r\n${randomBytes(MIB).toString('hex')}\r\n`),
      /line 2: no line ends within 1,048,576 bytes/,
    ],
    'lines.zip': [zip('\r\n'.repeat(100_001)), /RC 12312018\.txt: begins with ""/],
    'rejects.zip': [
      zip(`${page[0]}\r\n${page[1]}\r\n${'x\r\n'.repeat(60_000)}`),
      /RC 12312018\.txt: none of its 60000 rows can be kept; line 3/,
    ],
    'zeros.zip': [zip(Buffer.alloc(MIB)), /RC 12312018\.txt: begins with /],
  })
  t.strictSame(await rows('SELECT DISTINCT report_date FROM call_report_items'), [
    { report_date: '2012-06-30' },
  ])
})

t.test('figures that no number holds', async (t) => {
  const files = edit(await quarterFiles('2018Q4'), 'RCRI', (page) =>
    page.replace(/\n202\t[\d.]+%/, '\n202\t1e999%'),
  )
  const path = join(await temporaryFolder(t), 'beyond.zip')
  await writeFile(path, rawZip([...files].map(([name, bytes]) => member(name, bytes))))
  t.match((await load('ffiec-call-report', [path])).editions, [{ status: 'published' }])
  t.strictSame(await rows("SELECT rssd_id, value, text FROM call_report_items WHERE text = '1e999%'"), [
    { rssd_id: 202, value: null, text: '1e999%' },
  ])
  t.strictSame(await rows('SELECT count() AS odd FROM call_report_items WHERE NOT isFinite(value)'), [
    { odd: 0 },
  ])
})

t.test('workbooks', async (t) => {
  const cell = (at: string) => `<row r="${at.replace(/\D+/, '')}"><c r="${at}"><v>1</v></c></row>`
  const corner = workbook(`<sheetData>${cell('A1')}${cell('XFD1048576')}</sheetData>`)
  t.ok(corner.length < 2000, 'it is small')
  const bomb = repeated('xl/media/image1.png', 'x'.repeat(MIB), 500)
  await loadFolder(t, 'fdic-national-rates', {
    'sound.csv': ['As of Date,Product,National Rate\n01/15/2024,Savings,0.4\n02/15/2024,Savings,0.5\n', null],
    'corner.xlsx': [corner, /sheet 2024: has 1,048,576 rows, more than the 10,000 /],
    'dimension.xlsx': [
      workbook(`<dimension ref="A1:XFD9"/><sheetData>${cell('A1')}${cell('XFD9')}</sheetData>`),
      /sheet 2024: has 16,384 columns, more than the 1,000 /,
    ],
    'bomb.xlsx': [rawZip([bomb]), /has 524,288,000 bytes unpacked, more than the 16,777,216 /],
    'liar.xlsx': [rawZip([{ ...bomb, size: 4000 }]), /bytes came, and it says that it has 4000/],
    'half.xlsx': [corner.subarray(0, 700), /not a readable zip file/],
  })
})

t.test('XML', async (t) => {
  const feed = (inner: string) =>
    `<?xml version="1.0"?><feed><entry><content>${inner}</content></entry></feed>`
  const entry =
    '<m:properties><NEW_DATE>2024-01-02T00:00:00</NEW_DATE><BC_1MONTH>5.5</BC_1MONTH></m:properties>'
  const laughs = [
    '<!DOCTYPE feed [<!ENTITY a "ha">',
    ...[...'bcdefghij'].map((name, k) => `<!ENTITY ${name} "${`&${'abcdefghij'[k]};`.repeat(10)}">`),
  ]
  const depth = 100_000
  await loadFolder(t, 'treasury', {
    'sound.xml': [feed(entry), null],
    'laughs.xml': [
      `<?xml version="1.0"?>${laughs.join('')}]><feed>${entry}<x>&j;</x></feed>`,
      /document type/,
    ],
    'prototype.xml': [feed(entry.replaceAll('BC_1MONTH', '__proto__') + entry), /__proto__/],
    'deep.xml': [feed('<a>'.repeat(depth) + entry + '</a>'.repeat(depth)), /more than 50 deep/],
    'open.xml': [feed(`${'<a>'.repeat(depth)}${entry}`), /not whole XML/],
  })
})

t.test('tables of rates', async (t) => {
  await loadFolder(t, 'fred', {
    'DGS10.csv': ['DATE,DGS10\n2024-01-02,5.5\n2024-01-03,5.4\n', null],
    'wide.csv': [
      `DATE${',ABC'.repeat(100_000)}\n2024-01-02\n`,
      /wide\.csv: has 100,001 columns, more than the 4,000 /,
    ],
    'million.csv': [`DATE${',ABC'.repeat(1e6)}\n`, /line 1: no line ends within 1,048,576 bytes/],
    'line.csv': [
      `DATE,DGS10\n2024-01-02,${'5'.repeat(2 * MIB)}\n`,
      /line 2: no line ends within 1,048,576 bytes/,
    ],
    'blank.csv': [`DATE,DGS10\n${'\n'.repeat(2_100_000)}`, /there is no line below the header/],
    'lines.csv': [`DATE,DGS10\n${'x\n'.repeat(2_100_000)}`, /has 2,000,001 lines, more than /],
    'zeros.csv': [`DATE,DGS10\n${'\0'.repeat(1000)}\n`, /1 of 1 lines cannot be read/],
    'beyond.csv': [
      'DATE,DGS30\n2024-01-02,1e400\n2024-13-45,1\n99999999-01-01,1\n2500-01-01,1\n',
      /beyond\.csv: 3 of 4 lines/,
    ],
    'large.csv': [
      `DATE,DGS10\n${' '.repeat(65 * MIB)}`,
      /large\.csv: has [\d,]+ bytes, more than the 67,108,864 /,
    ],
  })
  t.strictSame(await rows('SELECT count() AS odd FROM observations WHERE NOT isFinite(value)'), [{ odd: 0 }])
})

t.test('lists', async (t) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  await loadFolder(t, 'fdic-institutions', {
    'sound.json': ['[{"CERT": 1, "NAME": "A", "REPDTE": "03/31/2024"}]', null],
    'deep value.json': [
      `[{"CERT": "x", "REPDTE": "03/31/2024", "NAME": ${deep}}]`,
      /deep value\.json: 1 of 1 lines cannot be read/,
    ],
    'deep.json': [`{"CERT": 1, "NAME": "", "data": ${deep}}`, /entry 1 is no object/],
    'object.json': ['{"CERT": 1, "NAME": ""}', /neither an array of objects nor has an array "data"/],
    'texts.json': ['[{"CERT": 1, "NAME": ""}, null, 5]', /entry 2 is no object/],
    'half.json': ['[{"CERT": 1, "NAME": "A"', /not readable as JSON/],
    'prototype.json': [
      '[{"CERT": "x", "__proto__": {"CERT": 1}, "NAME": "", "REPDTE": "03/31/2024"}]',
      /1 of 1 lines cannot be read/,
    ],
    'future.json': [
      '[{"CERT": 1, "NAME": "A", "REPDTE": "03/31/2099"}]',
      /says that it is of 2099-03-31, expected a day/,
    ],
    'wide.csv': [
      `CERT,NAME${',c'.repeat(100_000)}\n1\n`,
      /wide\.csv: has 100,002 columns, more than the 4,000 /,
    ],
    'million.csv': [`CERT,NAME${',c'.repeat(1e6)}\n1\n`, /line 1: no line ends within 1,048,576 bytes/],
    'quote.csv': [
      `CERT,NAME,REPDTE\n1,"${'a\n'.repeat(MIB)}`,
      /quote\.csv: line 2: a quote that is opened there is not closed within 1,048,576 bytes/,
    ],
  })
})

t.test('formulas', async (t) => {
  const entry = (fields: object) => JSON.stringify([{ mdrm: 'UBPRE013', formula: 'uc:UBPRE001', ...fields }])
  await loadFolder(t, 'ubpr-formulas', {
    'guide 2017-06-22.json': [entry({}), null],
    'numbers 2017-06-23.json': [
      entry({ mdrm: 5, title: {}, page_name: [] }),
      /1 of 1 lines cannot be read; the first is line 1: "5" is no code of a concept/,
    ],
    'no day 2017-99-99.json': [entry({}), /tells no edition date: expected a day/],
  })
  const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`
  for (const [day, formula, reason] of [
    ['24', nested(100_000), /more than 2000 words and symbols/],
    ['25', nested(500), /parentheses lie more than 100 deep/],
    ['26', `${'-'.repeat(1900)}1${'+1'.repeat(40)}`, null],
  ] as const) {
    const path = join(await temporaryFolder(t), `brackets 2017-06-${day}.json`)
    await writeFile(path, entry({ formula }))
    const { editions } = await load('ubpr-formulas', [path])
    t.match(editions, [{ status: 'published', rowsRejected: reason ? 1 : 0 }], 'kept, and listed')
    const rejects = await rows(`SELECT reason FROM load_rejects WHERE file_name LIKE '%-${day}.json'`)
    t.match(rejects, reason ? [{ reason }] : [])
  }
})

t.test('a parser that never comes back is ended', async (t) => {
  const module = new URL('./busy.ts', import.meta.url).href
  const most = { seconds: 1, mebibytes: 64 }
  await t.rejects(apart('a.xlsx', { module, name: 'spin', payload: null }, most), {
    name: 'LoadError',
    message: 'a.xlsx: was not read within 1 seconds',
  })
  await t.rejects(apart('a.xlsx', { module, name: 'hoard', payload: null }, { ...most, seconds: 60 }), {
    name: 'LoadError',
    message: 'a.xlsx: takes more than 64 MiB of memory to read',
  })
})
