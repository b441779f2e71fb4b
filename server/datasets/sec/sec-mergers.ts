import { filingsOfBank, kindColumn, kindsOf, reports } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-mergers',
    summary:
      'Filings on mergers of the registrant behind one bank: communications (425), registrations (S-4), proxies (DEFM14A, PREM14A), tender offers (SC TO) and items 1.01 and 2.01 of Form 8-K, newest first.',
    notes: 'Item 1.01 tells of any material agreement, of which a merger is one.',
  },
  {
    from: kindsOf([
      ['communication', `form = '425'`],
      ['registration', `form IN ('S-4', 'S-4/A', 'S-4 POS', 'S-4EF', 'S-4MEF')`],
      ['proxy', `form IN ('DEFM14A', 'PREM14A', 'DEFM14C', 'PREM14C')`],
      ['tender_offer', `startsWith(form, 'SC TO') OR startsWith(form, 'SC 14D9')`],
      ['completed', reports('2.01', '2')],
      ['agreement', reports('1.01')],
    ]),
    columns: [kindColumn('What the filing has to do with a merger; of several the first.')],
    examples: [{ title: 'Every filing' }, { title: 'Since 2024', query: 'from=2024' }],
  },
)
