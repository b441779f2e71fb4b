// EDGAR's indexes and lists of tickers, as the SEC publishes them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'
import { submissions } from './submissions.ts'

const real = join(import.meta.dirname, '../../../shared/data/sec')
const skip = existsSync(real) ? false : `${real} is not there`

const filings = (forms: readonly string[], numbers: readonly string[]) => ({
  recent: {
    accessionNumber: numbers,
    form: forms,
    filingDate: forms.map(() => '2020-03-17'),
    items: forms.map(() => '8.01'),
  },
})

t.test(
  'an index adds the filings of registrants that are known, and leaves what submissions tell',
  async (t) => {
    const { loadText, sql, data } = await ratesApp(t)
    await loadText(
      'sec-submissions',
      submissions({
        cik: '0000927719',
        name: 'DELHI BANK CORP',
        filings: filings(['8-K'], ['0001213900-20-000001']),
      }),
      'CIK0000927719.json',
    )
    const index = (
      first: string,
    ) => `Description:           Daily Index of EDGAR Dissemination Feed by Form Type
Last Data Received:    Mar 18, 2020

${first}
---------------------------------------------------------------------------------------------------------------------------------------------
1-A POS     Belpointe REIT, Inc.                                          1749817     20200318    edgar/data/1749817/0001010549-20-000033.txt
1-A POS     DELHI BANK CORP 1 2020                                        927719      20200318    edgar/data/927719/0001213900-20-006773.txt
8-K         DELHI BANK CORP                                               927719      20200317    edgar/data/927719/0001213900-20-000001.txt
`
    const header =
      'Form Type   Company Name                                                  CIK         Date Filed  File Name'
    await loadText('sec-index', index(header), 'form.20200318.idx')
    t.strictSame(
      await sql(
        'SELECT accession_number, form, toString(filed_date) AS filed, items FROM sec_filings ORDER BY accession_number',
      ),
      [
        { accession_number: '0001213900-20-000001', form: '8-K', filed: '2020-03-17', items: ['8.01'] },
        { accession_number: '0001213900-20-006773', form: '1-A POS', filed: '2020-03-18', items: [] },
      ],
    )
    await loadText(
      'sec-index',
      'Description:           Master Index of EDGAR Dissemination Feed\n\nCIK|Company Name|Form Type|Date Filed|Filename\n----\n927719|DELHI BANK CORP|10-K405|2020-03-30|edgar/data/927719/0001213900-20-007777.txt\n',
      'master.idx',
    )
    const feed = await data('/sec/filings/')
    t.strictSame(
      feed.map(({ form }: { form: string }) => form),
      ['10-K405', '1-A POS', '8-K'],
    )
    t.match(await data('/sec/filings/0001213900-20-000001/'), {
      form: '8-K',
      items: [{ item: '8.01', meaning: 'Another event' }],
      registrants: [{ cik: 927719, name: 'DELHI BANK CORP' }],
      documents: [
        {
          kind: 'index',
          url: 'https://www.sec.gov/Archives/edgar/data/927719/000121390020000001/0001213900-20-000001-index.htm',
        },
        { kind: 'submission' },
      ],
    })
  },
)

t.test('a day’s index, and tickers, of the SEC', { skip }, async (t) => {
  const { load, loadText, sql, data } = await ratesApp(t)
  await loadText(
    'sec-submissions',
    submissions({ cik: '0000019617', name: 'JPMORGAN CHASE & CO', tickers: [] }),
    'CIK0000019617.json',
  )
  const { editions } = await load('sec-index', [join(real, 'index/form.20200318.idx')])
  t.match(editions, [{ status: 'published', rowsRejected: 0 }])
  // grep -c ' 19617 ' of the index
  t.strictSame(await sql('SELECT form, toUInt8(count()) AS n FROM sec_filings GROUP BY form ORDER BY form'), [
    { form: '424B2', n: 16 },
    { form: '424B3', n: 4 },
  ])
  await load('sec-tickers', [join(real, 'company_tickers.json')])
  await load('sec-tickers', [join(real, 'company_tickers_exchange.json')])
  t.match(await data('/sec/registrants/?ticker=JPM'), [{ cik: 19617, exchanges: ['NYSE'] }])
})
