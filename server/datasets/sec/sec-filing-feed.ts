import { FILING_FEED } from '../../../sql/sources/sec-filings.ts'
import { dataset } from '../../catalog/define.ts'
import {
  filingDocument,
  filingPage,
  filingSources,
  filings,
  filingWindow,
  formParameter,
  headerColumns,
  registrantsLookedUp,
} from '../../catalog/parts/sec-filings.ts'

export default dataset({
  key: 'sec-filing-feed',
  summary: 'Filings of every bank registrant, newest first.',
  notes: 'A filing of several registrants is a row for each of them.',
  from: FILING_FEED,
  time: filings.time,
  grain: ['accession_number', 'cik'],
  // as its table is ordered, backwards: a page reads no further than its rows
  order: ['-filed_date', '-accession_number', '-cik'],
  parameters: { ...filingWindow, form: formParameter },
  limit: { default: 100, most: 10_000 },
  columns: [...registrantsLookedUp, ...headerColumns, filingDocument, filingPage],
  sources: [...filingSources],
  examples: [
    { title: 'The newest filings', query: 'limit=10', expect: { rows: 10 } },
    { title: 'Annual reports of 2025', query: 'form=10-K&from=2025&to=2025&limit=20' },
  ],
})
