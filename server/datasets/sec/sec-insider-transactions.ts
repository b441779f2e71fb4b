import { INSIDER_LINES } from '../../../sql/insiders/index.ts'
import { dataset } from '../../catalog/define.ts'
import { choice } from '../../catalog/parameters.ts'
import {
  filed,
  insiderNote,
  insiderSources,
  lineColumns,
  lineGrain,
  lineParameters,
  newestFirst,
} from '../../catalog/parts/insiders.ts'
import { askedRssdId, bankOfRegistrant, registrantNote } from '../../catalog/parts/sec-registrant.ts'

export default dataset({
  key: 'sec-insider-transactions',
  summary:
    'Transactions that insiders of a bank’s registrant reported on Forms 3, 4 and 5, newest first; with `include=holdings` also what they reported to hold.',
  notes: `${registrantNote} ${insiderNote}`,
  from: INSIDER_LINES,
  where: (scope) => (scope.is('include', 'holdings') ? 'line > 0' : 'NOT holding'),
  time: filed,
  grain: lineGrain,
  order: newestFirst,
  parameters: {
    rssd_id: bankOfRegistrant(),
    ...lineParameters,
    include: choice(['holdings'], { doc: 'Holdings that were reported without a transaction, too.' }),
  },
  limit: { default: 100, most: 10_000 },
  columns: [askedRssdId, ...lineColumns],
  sources: insiderSources,
  examples: [
    { title: 'The newest transactions', query: 'limit=10' },
    { title: 'Purchases and sales since 2024', query: 'code=P,S&from=2024' },
    { title: 'With holdings', query: 'include=holdings&limit=20' },
  ],
})
