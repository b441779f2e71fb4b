import { code, computed, day, hidden, whole, words } from './columns.ts'
import { hook, source } from './declare.ts'
import type { Address, Asked } from './fetch.ts'
import { dayIndex, edgar, sec } from './sec.ts'
import { FILINGS, filingsTable } from './sec-filings.ts'

const base = 'https://www.sec.gov/Archives/edgar'
/** Days back from today of which the index of each is asked for. */
const DAYS = 10

/** Each quarter's index since the first year that is wanted, and the last days'. */
function addresses({ today, fromYear }: Asked): Address[] {
  const year = Number(today.slice(0, 4))
  const now = year * 4 + Math.floor((Number(today.slice(5, 7)) - 1) / 3)
  const quarters = Array.from({ length: now - (fromYear ?? year) * 4 + 1 }, (_, at) => now - at).map(
    (n): Address => {
      const [of, quarter] = [Math.floor(n / 4), (n % 4) + 1]
      return {
        name: `form.${of}Q${quarter}.idx`,
        path: `/full-index/${of}/QTR${quarter}/form.idx`,
        ...(n < now - 1 && { settled: true }),
      }
    },
  )
  const days = Array.from({ length: DAYS }, (_, back): Address => {
    const date = new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10)
    const index = dayIndex(date)
    return { ...index, path: index.path.slice(base.length), settled: true }
  })
  return [...quarters, ...days]
}

export default source({
  key: 'sec-index',
  name: 'SEC filing indexes',
  ...sec,
  address: 'https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data',
  what: 'Every filing with the SEC by form, registrant and day: an index each working day, and one of each quarter.',
  fetch: edgar({ base, addresses, note: 'A quarter’s index has some 50 MB.' }),
  tables: {
    [FILINGS]: {
      ...filingsTable({
        cik: whole('CIK'),
        file: hidden(words('File Name')),
        accession_number: computed('String', `extract(file, '([0-9]{10}-[0-9]{2}-[0-9]{6})')`),
        form: code('Form Type'),
        filed_date: day('Date Filed'),
      }),
      checks: { "accession_number != ''": `concat('“', file, '” names no accession number')` },
      // submissions tell more of a filing than an index: what is there stays
      edition: { replaces: 'nothing' },
      form: hook('sec-index', {
        begins: (text) => /^Description:\s{1,40}\w+ Index of EDGAR/.test(text),
        expected: 'an index of EDGAR, which begins with “Description: … Index of EDGAR”',
      }),
    },
  },
})
