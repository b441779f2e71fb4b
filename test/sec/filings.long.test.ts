// Filings of submissions: real documents in full, and archives of many that are passed over.
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { zipOf } from '../loaders/helpers.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { submissions } from './submissions.ts'

const real = join(import.meta.dirname, '../../../shared/data/sec/submissions')
const skip = existsSync(real) ? false : `${real} is not there`

t.test('JPMorgan’s filings are those of its document, form by form', { skip }, async (t) => {
  const { load, sql } = await ratesApp(t)
  const path = join(real, 'submissions_CIK0000019617_2021-08.json')
  await load('sec-submissions', [path])
  const { recent } = JSON.parse(readFileSync(path, 'utf8')).filings
  const counted = new Map<string, number>()
  for (const form of recent.form) counted.set(form, (counted.get(form) ?? 0) + 1)
  const found = await sql<{ form: string; n: number }>(
    'SELECT form, toUInt32(count()) AS n FROM sec_filings WHERE cik = 19617 GROUP BY form',
  )
  t.strictSame(new Map(found.map(({ form, n }) => [form, n])), counted)
  t.equal(recent.form.length, 10_354)
  t.match(
    await sql(`SELECT form, toString(filed_date) AS filed, toString(report_date) AS report, toString(accepted) AS accepted, items, primary_document, size, xbrl
      FROM sec_filings WHERE accession_number = '${recent.accessionNumber[recent.form.indexOf('10-Q')]}'`),
    [
      {
        form: '10-Q',
        filed: '2021-08-02',
        accepted: '2021-08-02 16:12:31',
        report: '2021-06-30',
        items: [],
        xbrl: true,
      },
    ],
  )
  t.strictSame(
    await sql(`SELECT (SELECT count() FROM sec_filings) = (SELECT count() FROM sec_filing_feed) AS same,
      (SELECT sumIf(length(items), startsWith(form, '8-K')) FROM sec_filings) = (SELECT count() FROM sec_event_feed) AS events`),
    [{ same: 1, events: 1 }],
  )
})

const arrays = (forms: readonly string[], first: number) => ({
  accessionNumber: forms.map((_, at) => `0000000001-20-${String(first + at).padStart(6, '0')}`),
  filingDate: forms.map(() => '2020-02-03'),
  reportDate: forms.map(() => ''),
  acceptanceDateTime: forms.map(() => '2020-02-03T16:01:22.000Z'),
  form: forms,
  items: forms.map((form) => (form === '8-K' ? '5.02,9.01' : '')),
  size: forms.map(() => 1000),
})

t.test(
  'an archive is read in one pass: filings of banks, in overflow files too, and of nobody else',
  async (t) => {
    const { sql, load } = await ratesApp(t)
    const doc = (said: Record<string, unknown>, forms: readonly string[] = ['10-K']) =>
      Buffer.from(submissions({ ...said, filings: { recent: arrays(forms, 1), files: [] } }))
    const path = join(await temporaryFolder(t), 'submissions.zip')
    await writeFile(
      path,
      zipOf([
        // whose they are is known from another member, which comes later
        ['CIK0000000007-submissions-001.json', Buffer.from(JSON.stringify(arrays(['10-K405', '10-Q'], 50)))],
        ['CIK0000000007.json', doc({ cik: '0000000007', name: 'SEVEN BANCORP' }, ['8-K', '10-Q'])],
        ['CIK0000000008.json', doc({ cik: '0000000008', name: 'MOTORS INC', sic: '3711' })],
        ['CIK0000000008-submissions-001.json', Buffer.from(JSON.stringify(arrays(['10-Q'], 90)))],
        ['CIK0000000009.json', doc({ cik: '0000000009', name: 'DOE JOHN', sic: '' })],
        ['CIK0000000010.json', doc({ cik: '0000000010', name: 'TEN BANCORP', filler: 'x'.repeat(50_000) })],
        ['CIK0000000011.json', Buffer.from('{"cik":"0000000011","sic":"6022",oh')],
        ['placeholder.txt', Buffer.from('nothing')],
      ]),
    )
    const { editions } = await load('sec-submissions', [path])
    t.match(editions, [{ status: 'published', rowsKept: 7, rowsRejected: 1 }])
    t.strictSame(await sql('SELECT cik, name FROM sec_registrants ORDER BY cik'), [
      { cik: 7, name: 'SEVEN BANCORP' },
      { cik: 10, name: 'TEN BANCORP' },
    ])
    t.strictSame(
      await sql(
        'SELECT cik, groupArray(form) AS forms FROM (SELECT * FROM sec_filings ORDER BY accession_number) GROUP BY cik ORDER BY cik',
      ),
      [
        { cik: 7, forms: ['8-K', '10-Q', '10-K405', '10-Q'] },
        { cik: 10, forms: ['10-K'] },
      ],
    )
    t.match(await sql('SELECT reason FROM load_rejects'), [
      { reason: /^CIK0000000011\.json: cannot be read as a registrant’s submissions: / },
    ])
  },
)

t.test('an archive that is damaged is refused by the name of its member', async (t) => {
  const { load, sql } = await ratesApp(t)
  const path = join(await temporaryFolder(t), 'submissions.zip')
  const document = Buffer.from(submissions({ filings: { recent: arrays(['10-K'], 1), files: [] } }))
  const files: [string, Buffer][] = [['CIK0000000001.json', document]]
  await writeFile(path, zipOf(files))
  t.match(await load('sec-submissions', [path]), { editions: [{ status: 'published' }] })
  await writeFile(path, zipOf(files, { corrupt: true, store: true }))
  t.match(await load('sec-submissions', [path]), {
    editions: [
      { status: 'failed', reason: /submissions\.zip: CIK0000000001\.json: .* do not match its CRC-32/ },
    ],
  })
  t.strictSame(
    await sql('SELECT toUInt8(count()) AS n FROM sec_filings'),
    [{ n: 1 }],
    'what was loaded stays',
  )
})
