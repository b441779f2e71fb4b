import { EVENT_FEED } from '../../../sql/filings/index.ts'
import { dataset } from '../../catalog/define.ts'
import {
  eventColumns,
  filingSources,
  filings,
  filingWindow,
  itemParameter,
  registrantColumns,
} from '../../catalog/parts/sec-filings.ts'

export default dataset({
  key: 'sec-event-feed',
  summary: 'Items of Form 8-K of every bank registrant, a row each with its plain meaning, newest first.',
  notes:
    'A report with several items has a row for each. Of reports that only an index tells of, the items are not known.',
  from: EVENT_FEED,
  time: filings.time,
  grain: ['accession_number', 'cik', 'item'],
  // as its table is ordered, backwards: a page reads no further than its rows
  order: ['-filed_date', '-accession_number', '-cik', 'item'],
  parameters: { ...filingWindow, item: itemParameter },
  limit: { default: 100, most: 10_000 },
  columns: [...registrantColumns, ...eventColumns],
  sources: [...filingSources],
  examples: [
    { title: 'The newest items', query: 'limit=10', expect: { rows: 10 } },
    { title: 'Statements that can no longer be relied on', query: 'item=4.02' },
    { title: 'Results of the first quarter of 2026', query: 'item=2.02&from=2026Q1&to=2026Q1&limit=20' },
  ],
})
