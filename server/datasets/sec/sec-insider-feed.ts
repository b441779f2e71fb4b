import { INSIDER_FEED } from '../../../sql/insiders/index.ts'
import { column } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import {
  filed,
  insiderNote,
  insiderSources,
  lineColumns,
  lineGrain,
  lineParameters,
  newestFirst,
} from '../../catalog/parts/insiders.ts'

export default dataset({
  key: 'sec-insider-feed',
  summary:
    'Transactions of the insiders of every bank registrant, on Forms 3, 4 and 5, in the order in which they were filed, newest first.',
  notes: insiderNote,
  from: INSIDER_FEED,
  time: filed,
  grain: lineGrain,
  order: newestFirst,
  parameters: lineParameters,
  bounds: true,
  limit: { default: 100, most: 10_000 },
  columns: [
    ...lineColumns,
    column('Array(UInt32)', 'rssd_ids', 'RSSD IDs', {
      doc: 'Of the banks that the registrant is or holds.',
    }),
  ],
  sources: insiderSources,
  examples: [
    { title: 'The newest transactions', query: 'limit=10', expect: { rows: 10 } },
    {
      title: 'Purchases and sales of a million dollars or more',
      query: 'code=P,S&min_value=1000',
      expect: { least: 1 },
    },
    { title: 'Those of a person', query: 'owner=avery&limit=10' },
  ],
})
