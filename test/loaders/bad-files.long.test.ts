import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { edit, type Files, loaderEngine, memberOf, quarterFiles, writeFiles, zipOf } from './helpers.ts'

const KEY = 'ffiec-call-report'
const ZIP = 'FFIEC CDR Call Bulk All Schedules 12312018.zip'

function without(files: Files, schedule: string): Files {
  const fewer = new Map(files)
  fewer.delete(memberOf(files, schedule))
  return fewer
}

function renamed(files: Files, from: string, to: (name: string) => string): Files {
  return new Map([...files].map(([name, bytes]) => [name === from ? to(name) : name, bytes]))
}

t.test('what is not sound is refused whole, by name and reason', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const files = await quarterFiles('2018Q4')
  const rc = memberOf(files, 'RC')
  const second = [...files.keys()].find((name) => name.includes('(2 of 3)'))!
  const cases: [string, Buffer | Files, RegExp][] = [
    ['no zip at all', Buffer.from('this is text'), /not a readable zip file/],
    ['a zip cut off', zipOf(files).subarray(0, 2000), /not a readable zip file/],
    ['a damaged member', zipOf(files, { corrupt: true, store: true }), /CRC-32/],
    ['an empty zip', zipOf([]), /POR file .* is missing/],
    [
      'a file that is no schedule',
      new Map([...files, ['notes.txt', Buffer.from('x')]]),
      /"notes\.txt" is no file of a Call Report/,
    ],
    ['no POR', without(files, 'POR'), /POR file .* is missing/],
    [
      'only the POR',
      new Map([[memberOf(files, 'POR'), files.get(memberOf(files, 'POR'))!]]),
      /no schedule, only the POR/,
    ],
    [
      'a part that is missing',
      new Map([...files].filter(([name]) => name !== second)),
      /RCRII \(2 of 3\) is missing/,
    ],
    [
      'a part that is there twice',
      new Map([...files, [`copy/${second}`, files.get(second)!]]),
      /there are 2 files of RCRII \(2 of 3\)/,
    ],
    [
      'a schedule that is there twice',
      new Map([...files, [`copy/${rc}`, files.get(rc)!]]),
      /there are 2 files of RC/,
    ],
    [
      'parts that disagree',
      renamed(files, second, (name) => name.replace('2 of 3', '2 of 4')),
      /disagree on the number of parts: 3, 4/,
    ],
    [
      'a member of another quarter',
      renamed(files, rc, (name) => name.replace('12312018', '09302018')),
      /different report dates: 2018-09-30, 2018-12-31/,
    ],
    [
      'a date that is no report date',
      renamed(files, rc, (name) => name.replace('12312018', '12302018')),
      /is no file of a Call Report/,
    ],
    [
      'names of another quarter than the content',
      new Map([...files].map(([name, bytes]) => [name.replace('12312018', '09302018'), bytes])),
      /the name says 2018-09-30, but 4 filers report as of 20181231/,
    ],
    ['an empty member', edit(files, 'RC', () => ''), /RC 12312018\.txt: is empty/],
    [
      'only headings',
      edit(files, 'RC', (text) => `${text.split('\r\n').slice(0, 2).join('\r\n')}\r\n`),
      /RC 12312018\.txt: has no rows/,
    ],
    [
      'cut off in a cell',
      edit(files, 'RC', (text) => text.slice(0, -6)),
      /RC 12312018\.txt: is cut off: line 6/,
    ],
    ['cut off behind a tab', edit(files, 'RC', (text) => text.slice(0, -2)), /RC 12312018\.txt: is cut off/],
    [
      'a last row with too few cells',
      edit(files, 'RC', (text) => text.replace(/\t[^\t]*\t\r\n$/, '\r\n')),
      /is cut off: its last line, 6, has 4 cells/,
    ],
    [
      'cut off between two lines',
      edit(files, 'RC', (text) => `${text.split('\r\n').slice(0, 4).join('\r\n')}\r\n`),
      /ends with RSSD ID 202, and the POR has 2 filers after/,
    ],
    ['commas', edit(files, 'RC', (text) => text.replaceAll('\t', ',')), /separated by ",", expected tabs/],
    [
      'LF lines',
      edit(files, 'RC', (text) => text.replaceAll('\r\n', '\n')),
      /lines end in LF, expected CRLF/,
    ],
    ['no header', edit(files, 'RC', (text) => text.split('\r\n').slice(2).join('\r\n')), /begins with "101/],
    [
      'another kind of file',
      edit(files, 'RC', () => '<html><body>Service unavailable</body></html>'),
      /begins with "<html>/,
    ],
    [
      'a heading that is no code',
      edit(files, 'RC', (text) => text.replace('RCFD0010', 'Cash')),
      /column 4 is headed "CASH", expected an MDRM code/,
    ],
    [
      'a code twice',
      edit(files, 'RC', (text) => text.replace('RCFD0010', 'RCFD2170')),
      /two columns are headed RCFD2170/,
    ],
    [
      'no row with an id',
      edit(files, 'RC', (text) => text.replaceAll(/\n(\d)/g, '\nx$1')),
      /none of its 4 rows can be kept; line 3/,
    ],
    [
      'a POR without names',
      edit(files, 'POR', (text) => text.replace('Institution Name', 'Name')),
      /has no column "Financial Institution Name"/,
    ],
  ]
  for (const [what, content, reason] of cases) {
    const path = join(
      await temporaryFolder(t),
      what.startsWith('names of') ? ZIP.replace('1231', '0930') : ZIP,
    )
    await writeFile(path, Buffer.isBuffer(content) ? content : zipOf(content))
    const { dataVersion, editions } = await load(KEY, [path])
    t.equal(editions.length, 1, what)
    t.match(editions[0], { status: 'failed', reason }, what)
    t.equal(dataVersion, null, `${what}: nothing is published`)
  }

  t.test('a bad quarter does not hold back a sound one', async (t) => {
    const folder = await temporaryFolder(t)
    await writeFile(join(folder, ZIP), zipOf(edit(files, 'RC', (text) => text.slice(0, -6))))
    await writeFile(join(folder, 'other 06302012.zip'), zipOf(await quarterFiles('2012Q2')))
    const { dataVersion, editions } = await load(KEY, [folder])
    t.match(dataVersion, /^2012Q2-/)
    t.strictSame(
      editions.map(({ reportDate, status }) => [reportDate, status]),
      [
        ['2012-06-30', 'published'],
        ['2018-12-31', 'failed'],
      ],
    )
    t.strictSame(await rows('SELECT DISTINCT report_date FROM call_report_items'), [
      { report_date: '2012-06-30' },
    ])
    const staging = await rows(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'staging%'",
    )
    t.strictSame(staging, [], 'nothing of the staging is published')
  })

  t.test('in a folder, what is none of ours is left alone and named', async (t) => {
    const folder = await writeFiles(await temporaryFolder(t), files)
    await writeFile(join(folder, 'picture.png'), 'x')
    await mkdir(join(folder, '.git'))
    const { ignored, editions } = await load(KEY, [folder])
    t.strictSame(ignored, [join(folder, 'picture.png')])
    t.match(editions, [{ status: 'published' }])
  })
})

t.test('rows that cannot be told are listed, the others kept', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const files = await quarterFiles('2018Q4')
  const line = (text: string, rssd: number) => text.split('\r\n').find((one) => one.startsWith(`${rssd}\t`))!
  let changed = edit(files, 'RC', (text) => text.replace('\n202\t', '\n2O2\t'))
  changed = edit(changed, 'RIE', (text) => text.replace('\n303\t', '\n303\ta tab\tinside'))
  changed = edit(changed, 'SU', (text) =>
    text.replace(line(text, 303), `${line(text, 303)}\r\n${line(text, 303)}`),
  )
  changed = edit(changed, 'RCRI', (text) =>
    text.replace(line(text, 202), `${line(text, 202)}\r\n202\t1%\t\t\t7\t`),
  )
  changed = edit(changed, 'RCE', (text) => text.replace(line(text, 303), `${line(text, 303)}\r\n399\t1\t2\t`))
  const path = join(await temporaryFolder(t), ZIP)
  await writeFile(path, zipOf(changed))

  const { editions } = await load(KEY, [path])
  t.match(editions, [{ status: 'published', rowsRead: 47, rowsKept: 41, rowsRejected: 6 }])
  const rejects = await rows<Record<string, unknown>>(
    'SELECT member, line, reason, text FROM load_rejects ORDER BY member, line',
  )
  const reasons = rejects.map(
    ({ member, line: at, reason }) =>
      `${String(member).replace(/.*Schedule (\w+).*/, '$1')} ${at}: ${reason}`,
  )
  t.strictSame(reasons.sort(), [
    'RC 4: "2O2" is no RSSD ID',
    'RCE 6: RSSD ID 399 is not in the POR',
    'RCRI 4: RSSD ID 202 has several rows that differ',
    'RCRI 5: RSSD ID 202 has several rows that differ',
    'RIE 5: has 7 cells, its header 6',
    'SU 6: repeats line 5',
  ])
  t.equal(rejects.find(({ line: at, member }) => at === 6 && /RCE/.test(String(member)))!.text, '399\t1\t2\t')
  t.strictSame(
    await rows(
      "SELECT rssd_id, schedule FROM call_report_items WHERE mdrm = 'RCON2170' ORDER BY schedule, rssd_id",
    ),
    [
      { rssd_id: 101, schedule: 'RC' },
      { rssd_id: 303, schedule: 'RC' },
      { rssd_id: 101, schedule: 'RCE' },
      { rssd_id: 202, schedule: 'RCE' },
      { rssd_id: 303, schedule: 'RCE' },
    ],
  )
  t.strictSame(
    await rows("SELECT rssd_id, value FROM call_report_items WHERE schedule = 'SU' AND rssd_id = 303"),
    [{ rssd_id: 303, value: 1 }],
  )
})
