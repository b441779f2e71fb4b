import { code, day, flag, INSTANT, list, moment, optional, orBlank, orNull, whole, words } from './columns.ts'
import { documents, source } from './declare.ts'
import { bulkThenFiled, edgar, sec } from './sec.ts'
import { FILINGS, filingsTable } from './sec-filings.ts'
import { REGISTRANTS, registrants } from './sec-registrants.ts'

export default source({
  key: 'sec-submissions',
  name: 'SEC submissions',
  ...sec,
  address: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  what: 'Every registrant of EDGAR with its names, addresses, tickers and filings; those that are banks or hold one are kept. Made anew each night.',
  fetch: edgar({
    base: 'https://www.sec.gov/Archives/edgar/daily-index/bulkdata',
    mostBytes: 8 * 2 ** 30,
    note: 'The archive of everybody is more than 1.3 GB; until it is two weeks old only those are asked for who have filed since.',
    among: `SELECT cik FROM ${REGISTRANTS}`,
    // the thousand newest filings are in a registrant's document: what lies behind them is from the archive
    addresses: bulkThenFiled(
      { name: 'submissions.zip', path: '/submissions.zip' },
      'https://data.sec.gov/submissions/',
    ),
  }),
  tables: {
    [REGISTRANTS]: {
      ...registrants,
      form: documents({
        ...{ hook: 'sec-submissions', reader: 'registrants', member: /^CIK(\d{10})\.json$/ },
        begins: (text) => /^\s*\{"cik":/.test(text) && text.includes('"entityType"'),
        expected: 'a registrant’s submissions, which begin with {"cik":',
      }),
    },
    [FILINGS]: {
      ...filingsTable({
        cik: whole('cik'),
        accession_number: words('accessionNumber'),
        form: code('form'),
        filed_date: day('filingDate'),
        report_date: orNull(day('reportDate')),
        accepted: { ...orNull(moment('acceptanceDateTime')), type: INSTANT },
        items: orBlank(list('items', ',')),
        primary_document: optional(words('primaryDocument')),
        description: optional(words('primaryDocDescription')),
        file_number: optional(words('fileNumber')),
        film_number: optional(words('filmNumber')),
        act: optional(code('act')),
        size: orNull({ ...whole('size'), type: 'UInt64', read: (text) => `toUInt64OrNull(${text})` }),
        xbrl: orNull(flag('isXBRL')),
      }),
      form: documents({
        ...{ hook: 'sec-submissions', reader: 'filings' },
        member: /^CIK(\d{10})(?:-submissions-\d{3})?\.json$/,
        begins: (text) => /^\s*\{("cik":|"accessionNumber":\[)/.test(text),
        expected: 'a registrant’s filings, which begin with {"cik": or {"accessionNumber":',
        among: `SELECT cik FROM {${REGISTRANTS}} UNION DISTINCT SELECT cik FROM ${REGISTRANTS}`,
      }),
    },
  },
})
