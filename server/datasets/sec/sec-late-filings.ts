import { filingsOfBank, kindColumn, kindsOf } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-late-filings',
    summary:
      'Notices of the registrant behind one bank that a report is late: NT 10-K and NT 10-Q, newest first.',
  },
  {
    from: kindsOf([
      ['annual_report', `startsWith(form, 'NT 10-K')`],
      ['quarterly_report', `startsWith(form, 'NT 10-Q')`],
    ]),
    columns: [kindColumn('Which report is late.')],
    examples: [{ title: 'Every notice' }],
  },
)
