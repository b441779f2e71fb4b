import { FILINGS } from '../../../sql/sources/sec-filings.ts'
import { eventColumns, eventsOf, filingsOfBank, itemParameter } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-events',
    summary:
      'Items of Form 8-K of the registrant behind one bank, a row each with its plain meaning, newest first.',
    notes:
      'A report with several items has a row for each. Of reports that only an index tells of, the items are not known.',
  },
  {
    from: eventsOf(`(SELECT * FROM ${FILINGS} WHERE startsWith(form, '8-K'))`),
    grain: ['item'],
    further: eventColumns,
    parameters: { item: itemParameter },
    examples: [
      { title: 'Every item' },
      { title: 'Changes of officers and directors in 2025', query: 'item=5.02&from=2025&to=2025' },
    ],
  },
)
