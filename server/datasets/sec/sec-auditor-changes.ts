import { filingsOfBank, kindsOf, reports } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-auditor-changes',
    summary: 'Changes of the auditor of the registrant behind one bank: item 4.01 of Form 8-K, newest first.',
    notes: 'Until August 2004 the item is 4.',
  },
  { from: kindsOf([['auditor_change', reports('4.01', '4')]]), examples: [{ title: 'Every change' }] },
)
