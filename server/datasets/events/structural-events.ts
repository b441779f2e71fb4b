import { dataset } from '../../catalog/define.ts'
import { state } from '../../catalog/parameters.ts'
import { eventColumns, eventList, eventParameters } from '../../catalog/parts/events.ts'

export default dataset({
  key: 'structural-events',
  summary:
    'Structural events of all institutions, newest first: mergers, failures, openings, closures, changes of name, charter, place and control.',
  notes:
    'NIC tells of mergers, failures, openings, closures and control, FDIC of changes of name, place, charter, regulator, insurance and certificate since 1934; what both tell stands once, in NIC’s words. `type` is one vocabulary over the codes of both, and the raw code stands beside it. Control is of banks, thrifts and holding companies, held directly.',
  from: 'structural_events',
  ...eventList,
  parameters: { ...eventParameters, state: state('state') },
  limit: { default: 100, most: 10_000 },
  columns: eventColumns,
  examples: [
    { title: 'The newest events', query: 'limit=20', expect: { rows: 20 } },
    { title: 'Mergers and failures', query: 'type=merger,failure&limit=10', expect: { rows: 10 } },
    { title: 'Those of Texas in 2025', query: 'state=TX&from=2025&to=2025' },
  ],
})
