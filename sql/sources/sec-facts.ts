import { documents, source } from './declare.ts'
import { edgar, sec } from './sec.ts'
import { FACTS, factTable, told } from './sec-fact-table.ts'
import { REGISTRANTS } from './sec-registrants.ts'
import { STATEMENTS } from './sec-statements.ts'

/** Whose facts are kept. */
const known = `SELECT cik FROM ${REGISTRANTS} UNION DISTINCT SELECT cik FROM ${STATEMENTS}`

export default source({
  key: 'sec-facts',
  name: 'SEC company facts',
  ...sec,
  address: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  what: 'Every XBRL fact of every registrant of EDGAR since 2009; those of banks and of holders of banks are kept. Made anew each night.',
  fetch: edgar({
    base: 'https://www.sec.gov/Archives/edgar/daily-index/xbrl',
    mostBytes: 8 * 2 ** 30,
    note: 'The archive is more than 1.3 GB.',
    addresses: () => [{ name: 'companyfacts.zip', path: '/companyfacts.zip' }],
  }),
  notes: async (client) => {
    const answer = await client.query({ query: `SELECT 1 FROM ${FACTS} LIMIT 1`, format: 'JSONEachRow' })
    if ((await answer.json()).length > 0) return []
    return ['no fact is kept: those of registrants that sec-submissions or sec-statements have are']
  },
  tables: {
    [FACTS]: factTable(told, 'upsert', {
      form: documents({
        ...{ hook: 'sec-facts', reader: 'facts', member: /^CIK(\d{10})\.json$/ },
        begins: (text) => /^\s*\{"cik":/.test(text) && text.includes('"facts"'),
        expected:
          'a registrant’s company facts, which begin with {"cik": (quarters of the data sets are of sec-statements)',
        among: known,
      }),
      keep: `cik IN (${known})`,
    }),
  },
})
