import { count, instant, reportDate, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'

export default dataset({
  key: 'reference-quarters',
  summary: 'Report dates held, newest first, with the filers and the load time of each.',
  from: 'quarters',
  grain: ['report_date'],
  order: ['-report_date'],
  columns: [
    reportDate,
    smallCount('filers', 'Filers', { doc: 'Institutions with a filing.' }),
    smallCount('banks', 'Banks', { doc: 'Filers for which figures are derived.' }),
    count('items', 'Items', { doc: 'Values filed.' }),
    instant('loaded_at', 'Loaded', { nullable: true, doc: 'When the quarter was last loaded, UTC.' }),
  ],
  sources: ['ffiec-call-report'],
  examples: [{ title: 'Every quarter held', expect: { least: 1 } }],
})
