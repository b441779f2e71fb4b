import { code, optional, whole, words } from './columns.ts'
import { hook, source } from './declare.ts'
import { edgar, sec } from './sec.ts'
import { REGISTRANTS } from './sec-registrants.ts'

export const TICKERS = 'sec_tickers'

export default source({
  key: 'sec-tickers',
  name: 'SEC tickers',
  ...sec,
  address: 'https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data',
  what: 'The tickers that registrants trade under today, with their exchanges.',
  fetch: edgar({
    base: 'https://www.sec.gov/files',
    addresses: () => [{ name: 'company_tickers_exchange.json', path: '/company_tickers_exchange.json' }],
  }),
  tables: {
    [TICKERS]: {
      doc: 'A ticker of a registrant.',
      columns: {
        cik: whole('cik | cik_str', { label: 'CIK' }),
        ticker: words('ticker', { label: 'Ticker' }),
        name: words('name | title', { label: 'Name' }),
        exchange: optional(code('exchange', { label: 'Exchange' })),
      },
      unique: ['cik', 'ticker'],
      edition: { replaces: 'all' },
      form: hook('sec-tickers', {
        begins: (text) => /^\s*\{"fields":\["cik"/.test(text) || /^\s*\{"0":\{"cik_str"/.test(text),
        expected: 'a list of tickers of EDGAR, which begins with {"fields":["cik" or {"0":{"cik_str"',
      }),
      demo: `SELECT cik, arrayJoin(arrayZip(tickers, exchanges)) AS one, one.1 AS ticker, name, one.2 AS exchange FROM ${REGISTRANTS}`,
    },
  },
})
