import { banks } from '../../../sql/universes/bank/index.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'

export default dataset({
  key: 'bank-profile',
  summary:
    'One bank in one answer: its snapshot, scorecard, standing in its size cohort, structural events and failure prediction.',
  notes:
    'Each part is the `data` of the dataset of that name, of the same quarter, under the tier of its own dataset: a part that your plan does not read is null, and `meta.left_out` says which and why. `ranks` has the headline metrics, `events` the twenty newest events whatever the quarter.',
  parts: {
    snapshot: { dataset: 'bank-snapshot' },
    scorecard: { dataset: 'bank-scorecard' },
    ranks: { dataset: 'bank-percentile-ranks', query: `metrics=${banks.headline.join(',')}` },
    events: { dataset: 'bank-events', query: 'limit=20' },
    failure_prediction: { dataset: 'failure-prediction' },
  },
  grain: [],
  parameters: { rssd_id: bank(), as_of: asOf() },
  columns: [],
  sources: [
    ...['ffiec-call-report', 'fdic-failures'],
    ...['nic-transformations', 'nic-attributes', 'nic-relationships', 'fdic-history'],
  ],
  examples: [
    { title: 'All that the plan reads', expect: { rows: 1 } },
    { title: 'At the end of 2025', query: 'as_of=2025Q4', expect: { rows: 1 } },
  ],
})
