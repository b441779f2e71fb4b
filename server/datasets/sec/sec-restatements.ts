import { filingsOfBank, kindColumn, kindsOf, reports } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-restatements',
    summary:
      'Filings by which the registrant behind one bank took back or amended its reports: item 4.02 of Form 8-K, and amended annual and quarterly reports; newest first.',
    notes:
      'An amendment may restate figures, or add what was left out, such as Part III: item 4.02 tells of figures.',
  },
  {
    from: kindsOf([
      ['non_reliance', reports('4.02')],
      ['amended_annual_report', `startsWith(form, '10-K') AND endsWith(form, '/A')`],
      ['amended_quarterly_report', `startsWith(form, '10-Q') AND endsWith(form, '/A')`],
    ]),
    columns: [kindColumn('Statements that can no longer be relied on, or an amended report.')],
    examples: [{ title: 'Every one' }, { title: 'Since 2020', query: 'from=2020' }],
  },
)
