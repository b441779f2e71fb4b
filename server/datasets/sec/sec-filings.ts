import { FILINGS } from '../../../sql/sources/sec-filings.ts'
import { filingsOfBank, formParameter } from '../../catalog/parts/sec-filings.ts'

export default filingsOfBank(
  {
    key: 'sec-filings',
    summary: 'Filings of the registrant behind one bank, newest first.',
  },
  {
    from: FILINGS,
    parameters: { form: formParameter },
    limit: { default: 100, most: 10_000 },
    examples: [
      { title: 'The newest filings', query: 'limit=10' },
      { title: 'Annual reports', query: 'form=10-K' },
    ],
  },
)
