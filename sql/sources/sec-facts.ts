import { documents, source } from './declare.ts'
import { bulkThenFiled, edgar, sec } from './sec.ts'
import { FACTS, factTable, told } from './sec-fact-table.ts'
import { REGISTRANTS } from './sec-registrants.ts'
import { STATEMENTS } from './sec-statements.ts'

/** Whose facts are kept. */
const known = `SELECT cik FROM ${REGISTRANTS} UNION DISTINCT SELECT cik FROM ${STATEMENTS}`

/** Forms that have figures as XBRL, and amendments of them. */
const XBRL_FORMS = /^(10-[KQ]|8-K|20-F|40-F|6-K)/

export default source({
  key: 'sec-facts',
  name: 'SEC company facts',
  ...sec,
  address: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  what: 'Every XBRL fact of every registrant of EDGAR since 2009; those of banks and of holders of banks are kept. Made anew each night.',
  fetch: edgar({
    base: 'https://www.sec.gov/Archives/edgar/daily-index/xbrl',
    mostBytes: 8 * 2 ** 30,
    note: 'The archive of everybody is more than 1.3 GB; until it is two weeks old only those are asked for who have filed since.',
    among: known,
    addresses: bulkThenFiled(
      { name: 'companyfacts.zip', path: '/companyfacts.zip' },
      'https://data.sec.gov/api/xbrl/companyfacts/',
      XBRL_FORMS,
    ),
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
