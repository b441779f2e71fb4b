import { filingsOfBank, kindsOf, reports } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-officer-changes',
    summary:
      'Officers and directors of the registrant behind one bank who left, were elected or appointed, or whose pay changed: item 5.02 of Form 8-K, newest first.',
    notes: 'Until August 2004 the item is 6, resignations of directors.',
  },
  {
    from: kindsOf([['officer_change', reports('5.02', '6')]]),
    examples: [{ title: 'Every change' }, { title: 'Since 2025', query: 'from=2025' }],
  },
)
