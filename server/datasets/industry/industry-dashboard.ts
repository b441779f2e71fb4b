import { dataset } from '../../catalog/define.ts'
import { asOf } from '../../catalog/parameters.ts'

export default dataset({
  key: 'industry-dashboard',
  summary:
    'The industry at a glance: its snapshot, two years of headline metrics, rates, the newest failures, and how banks are distributed.',
  notes:
    'Each part is the `data` of the dataset of that name, of the same quarter. `distribution` is the 5-number summary of key metrics over all banks. `failures` are the ten newest up to that quarter’s end.',
  parts: {
    snapshot: { dataset: 'industry-snapshot' },
    trends: { dataset: 'industry-trends', query: 'quarters=8' },
    rates: { dataset: 'industry-rate-environment' },
    curve: { dataset: 'rates-yield-curve', query: 'latest=1' },
    failures: { dataset: 'recent-failures', query: 'limit=10' },
    distribution: {
      dataset: 'industry-benchmarks',
      query: 'tier=all&metrics=roa,nim,efficiency_ratio,tier1_leverage_ratio,noncurrent_loans_ratio',
    },
  },
  grain: [],
  parameters: { as_of: asOf() },
  columns: [],
  sources: ['ffiec-call-report', 'treasury', 'fred', 'pmms', 'fdic-failures'],
  examples: [{ title: 'The industry now', expect: { rows: 1 } }],
})
