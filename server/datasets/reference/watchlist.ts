import { code, column, date, flag, id, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { headlineColumns, watchedFigures } from '../../catalog/parts/watched-figures.ts'
import { readWatched } from '../../catalog/parts/watches.ts'

export default dataset({
  key: 'watchlist',
  summary:
    'The institutions that the key watches, each with its newest headline figures and what moved since the quarter before.',
  notes:
    'Banks, credit unions and holding companies together. One that no longer files keeps its last quarter; one that never filed has no figures. Put institutions on the list with watchlist-add and take them off with watchlist-remove. The list is of the key: it survives rotation and goes with revocation.',
  scope: 'client',
  from: watchedFigures,
  grain: ['entity', 'entity_id'],
  order: ['entity', 'legal_name'],
  steps: [readWatched],
  columns: [
    code('entity', 'Kind', { doc: 'bank, credit_union or holding_company.' }),
    id('rssd_id', 'RSSD ID', { nullable: true }),
    id('cu_number', 'Charter number of NCUA', { nullable: true }),
    text('legal_name', 'Legal name', { nullable: true }),
    text('city', 'City', { nullable: true }),
    code('state', 'State', { nullable: true, doc: 'USPS code of the head office.' }),
    date('report_date', 'Report date', {
      nullable: true,
      doc: 'Of the figures: the newest quarter that it filed.',
    }),
    flag('active', 'Files still'),
    code('cohort', 'Asset-size cohort', { nullable: true }),
    ...headlineColumns,
    column('UInt32', 'entity_id', 'Number of the institution', { doc: 'RSSD ID, or NCUA’s charter number.' }),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The whole list' },
    { title: 'What moved most', query: 'sort=-total_assets_change&limit=10' },
  ],
})
