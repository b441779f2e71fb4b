import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { declaredSource } from '../../loaders/declared/load.ts'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import {
  code,
  computed,
  day,
  dollars,
  flag,
  oldDay,
  optional,
  stamped,
  whole,
  words,
} from '../../sql/sources/columns.ts'
import { csv, json, source } from '../../sql/sources/declare.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { loaderEngine, zipOf } from '../loaders/helpers.ts'

const branches = source({
  key: 'test-branches',
  ...{
    name: 'Test branches',
    publisher: 'A test',
    licence: 'None',
    address: 'https://test.example',
    what: 'Rows.',
  },
  tables: {
    test_branches: {
      doc: 'A branch.',
      columns: {
        year: stamped('UInt16', "nullIf(toUInt16OrZero(extract({file}, '20[0-9]{2}')), 0)"),
        id: whole('Branch ID | UNINUMBR'),
        name: words('Name'),
        state: code('State'),
        opened: day('Opened'),
        founded: optional(oldDay('Founded')),
        deposits: dollars('Deposits'),
        main: optional(flag('Main office')),
        decade: computed('UInt16', 'toUInt16(intDiv(toYear(opened), 10) * 10)'),
      },
      unique: ['year', 'id'],
      partition: 'year',
      edition: { replaces: 'partition', shrink: 0.5 },
      time: { kind: 'year', column: 'year' },
      form: [json('data[].data'), csv()],
    },
    test_notes: {
      doc: 'A note on a branch that is kept.',
      columns: { branch: whole('Branch'), text: words('Note text') },
      unique: ['branch'],
      edition: { replaces: 'all' },
      keep: 'branch IN (SELECT id FROM {test_branches})',
    },
  },
})

const header = 'Branch ID,Name,State,Opened,Founded,Deposits,Main office\n'
const rowsOf = (count: number, from = 1) =>
  Array.from(
    { length: count },
    (_, k) => `${from + k},"Branch, ${from + k}",GA,1999-03-0${1 + ((from + k) % 9)},,1500,N\n`,
  ).join('')

t.test('a declared source', async (t) => {
  const { engine, rows, sqlFolder } = await loaderEngine(t)
  const folder = await temporaryFolder(t)
  const publishing = { derive: async () => {}, sqlFolder }
  const load = async (name: string, content: string | Buffer, force = false) => {
    await writeFile(join(folder, name), content)
    const options = { force, progress: silent, log: memoryLog(), publishing }
    return (await runLoad(engine, declaredSource(branches) as never, [join(folder, name)], options))
      .editions[0]!
  }
  const count = async (year: number) =>
    (await rows<{ n: number }>(`SELECT toUInt32(count()) AS n FROM test_branches WHERE year = ${year}`))[0]!.n

  t.test('values of every kind, in each form of a date', async (t) => {
    const outcome = await load(
      'y2001.csv',
      `${header}1,"A, ""B"" C",GA,10/23/2001,1863-02-03,"1,234,567",Y\n2,D,TX,23-Oct-01,12/31/1899,-5,\n3,E,TX,"October 23, 2001",,$10,0\n4,F,TX,20011023,,0,no\n`,
    )
    t.match(outcome, { status: 'published', rowsRead: 4, rowsKept: 4, rowsRejected: 0 })
    t.strictSame(await rows('SELECT * FROM test_branches ORDER BY id'), [
      {
        year: 2001,
        id: 1,
        name: 'A, "B" C',
        state: 'GA',
        opened: '2001-10-23',
        founded: '1863-02-03',
        deposits: 1234.567,
        main: true,
        decade: 2000,
      },
      {
        year: 2001,
        id: 2,
        name: 'D',
        state: 'TX',
        opened: '2001-10-23',
        founded: '1899-12-31',
        deposits: -0.005,
        main: null,
        decade: 2000,
      },
      {
        year: 2001,
        id: 3,
        name: 'E',
        state: 'TX',
        opened: '2001-10-23',
        founded: null,
        deposits: 0.01,
        main: false,
        decade: 2000,
      },
      {
        year: 2001,
        id: 4,
        name: 'F',
        state: 'TX',
        opened: '2001-10-23',
        founded: null,
        deposits: 0,
        main: false,
        decade: 2000,
      },
    ])
  })

  t.test('what is wrong with a row is listed with its line; the sound rows are loaded', async (t) => {
    const bad = [
      ['x,A,GA,2001-01-01,,1,Y', /^Branch ID is “x”, expected a whole number$/],
      [',A,GA,2001-01-01,,1,Y', /^Branch ID is blank, expected a whole number$/],
      ['4294967296,A,GA,2001-01-01,,1,Y', /^Branch ID is “4294967296”/],
      ['9,A,GA,2001-02-30,,1,Y', /^Opened is “2001-02-30”, expected a day of the calendar/],
      ['9,A,GA,2/30/2001,,1,Y', /^Opened is “2\/30\/2001”/],
      ['9,A,GA,13/1/2001,,1,Y', /^Opened is “13\/1\/2001”/],
      ['9,A,GA,2001-01-01,1863-02-30,1,Y', /^Founded is “1863-02-30”/],
      ['9,A,GA,2001-01-01,,nan,Y', /^Deposits is “nan”, expected an amount in dollars$/],
      ['9,A,GA,2001-01-01,,1,perhaps', /^Main office is “perhaps”, expected yes or no$/],
      ['9,A,GA,2001-01-01', /^4 fields where 7 are expected$/],
      ['9,A,GA,2001-01-01,,1,Y,8', /^8 fields where 7 are expected$/],
    ] as const
    const text = `${header}${rowsOf(12)}${bad.map(([line]) => `${line}\n`).join('')}`
    const outcome = await load('y2002.csv', text)
    t.match(outcome, { status: 'published', rowsRead: 23, rowsKept: 12, rowsRejected: 11 })
    const rejects = await rows<{ line: number; reason: string }>(
      "SELECT line, reason FROM load_rejects WHERE file_name = 'y2002.csv' ORDER BY line",
    )
    for (const [index, [line, reason]] of bad.entries()) {
      t.equal(rejects[index]!.line, 14 + index, line)
      t.match(rejects[index]!.reason, reason)
    }
  })

  t.test('mixed line ends, a byte order mark, and odd bytes', async (t) => {
    const text = `\uFEFF${header.replace('\n', '\r\n')}1,Caf\u00e9,GA,2001-01-01,,1,Y\r\n2,B,GA,2001-01-01,,1,Y\n`
    t.match(await load('y2003.csv', text), { status: 'published', rowsKept: 2 })
    const odd = Buffer.from(`${header}1,Caf\xe9,GA,2001-01-01,,1,Y\n2,x\x81,GA,2001-01-01,,1,Y\n`, 'latin1')
    t.match(await load('y2003.csv', odd), { status: 'published', rowsKept: 1, rowsRejected: 1 })
    t.strictSame(await rows('SELECT name FROM test_branches WHERE year = 2003'), [{ name: 'Café' }])
  })

  t.test('duplicated keys: the first is kept, the others are listed', async (t) => {
    const twice = '7,Twice,GA,2001-01-01,,1,Y\n'
    const text = `${header}${rowsOf(5)}${twice}${twice}${twice.replace('Twice', 'Other')}`
    t.match(await load('y2004.csv', text), { status: 'published', rowsRead: 8, rowsKept: 6, rowsRejected: 2 })
    t.strictSame(
      await rows("SELECT line, reason FROM load_rejects WHERE file_name = 'y2004.csv' ORDER BY line"),
      [
        { line: 8, reason: 'year 2004, id 7 repeats line 7' },
        { line: 9, reason: 'year 2004, id 7 stands with other values on line 7' },
      ],
    )
    t.strictSame(await rows('SELECT name FROM test_branches WHERE year = 2004 AND id = 7'), [
      { name: 'Twice' },
    ])
  })

  t.test('a file that cannot be what it seems leaves what is loaded as it was', async (t) => {
    t.match(await load('y2005.csv', `${header}${rowsOf(40)}`), { status: 'published', rowsKept: 40 })
    const refused = async (name: string, content: string | Buffer, reason: RegExp) => {
      t.match(await load(name, content), { status: 'failed', reason }, String(reason))
      t.equal(await count(2005), 40)
    }
    await refused('y2005.csv', '', /the file is empty/)
    await refused('y2005.csv', header, /no line below the header/)
    await refused('y2005.csv', `${header}${rowsOf(19)}`, /has 19 rows where 40 are loaded, less than 50 %/)
    await refused(
      'y2005.csv',
      `Branch ID,Name\n1,A\n`,
      /expected a header with “State”, “Opened”, “Deposits”/,
    )
    await refused('y2005.csv', '<!doctype html><p>Log in', /this is a web page \(HTML\), not data/)
    await refused(
      'y2005.csv',
      `${header}${'a,b\n'.repeat(3)}${rowsOf(2)}`,
      /3 of 5 lines cannot be read; the first is line 2/,
    )
    await refused('none.csv', `${header}${rowsOf(3)}`, /none\.csv: tells no year/)
    await refused('y2005.json', '{"data": [{"data": {"UNINUMBR": 1', /not readable as JSON|expected a header/)
    await refused('y2005.zip', zipOf([['other.txt', Buffer.from('x')]]), /expected a header/)
    const cut = zipOf([['b.csv', Buffer.from(`${header}${rowsOf(30)}`)]], { corrupt: true, store: true })
    await refused('y2005.zip', cut, /do not match its CRC-32/)
    t.match(await load('y2005.csv', `${header}${rowsOf(19)}`, true), { status: 'published' }, 'by force')
    t.equal(await count(2005), 19)
  })

  t.test('an edition replaces its partition alone, and again changes nothing', async (t) => {
    t.match(await load('y2006.csv', `${header}${rowsOf(4)}`), { status: 'published' })
    t.match(await load('y2006.csv', `${header}${rowsOf(4)}`), { status: 'already-there' })
    t.match(await load('y2006.csv', `${header}${rowsOf(5, 100)}`), { status: 'published' })
    t.equal(await count(2006), 5)
    t.equal(await count(2005), 19)
    t.strictSame(
      await rows(`SELECT part, toUInt32(rows_kept) AS kept FROM load_files
        WHERE in_force AND source = 'test-branches' AND part LIKE '%200_' ORDER BY part`),
      [2001, 2002, 2003, 2004, 2005, 2006].map((year, index) => ({
        part: `test_branches ${year}`,
        kept: [4, 12, 1, 6, 19, 5][index],
      })),
    )
  })

  t.test('an archive of several tables, one of which looks at another; split files add up', async (t) => {
    const zip = zipOf([
      ['notes.csv', Buffer.from('Branch,Note text\n1,one\n2,two\n99,of no branch\n')],
      ['folder/b1.csv', Buffer.from(`${header}${rowsOf(2)}`)],
      ['folder/b2.csv', Buffer.from(`${header}${rowsOf(3, 2)}`)],
    ])
    t.match(await load('branches-2007.zip', zip), {
      status: 'published',
      rowsRead: 8,
      rowsKept: 6,
      rowsRejected: 1,
    })
    t.strictSame(await rows('SELECT * FROM test_notes ORDER BY branch'), [
      { branch: 1, text: 'one' },
      { branch: 2, text: 'two' },
    ])
    t.strictSame(
      await rows("SELECT member, line, reason FROM load_rejects WHERE file_name = 'branches-2007.zip'"),
      [{ member: 'b2.csv', line: 2, reason: 'year 2007, id 2 repeats line 3 of b1.csv' }],
    )
  })

  t.test('nothing of the scratch is left', async (t) => {
    t.strictSame(
      await rows(
        "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'load_test%'",
      ),
      [],
    )
  })
})
