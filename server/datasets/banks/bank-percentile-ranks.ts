import { cohort, reportDate, rssdId, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank, metricList } from '../../catalog/parameters.ts'
import { rankColumns } from '../../catalog/parts/standing-through-time.ts'

export default dataset({
  key: 'bank-percentile-ranks',
  aliases: ['bank-peer-ranks'],
  summary: 'Percentile rank of one bank in its asset-size cohort, one row a metric, in catalog order.',
  notes:
    'Computed when the data is published. A percentile says where the value stands in the cohort, not whether that is good: `direction` says which way is better. A bank without a value has no rank.',
  from: 'bank_ranks',
  // those of a higher tier are left out
  where: "metric IN (SELECT key FROM metric_catalog WHERE universe = 'bank' AND tier = 'Public')",
  grain: ['rssd_id', 'report_date', 'position'],
  order: ['position'],
  parameters: {
    rssd_id: bank(),
    as_of: asOf(),
    metrics: metricList({ where: 'metric IN {metrics:Array(String)}' }),
  },
  columns: [
    rssdId,
    reportDate,
    ...rankColumns,
    cohort,
    smallCount('cohort_count', 'Cohort size', { doc: 'Banks in the cohort in that quarter.' }),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'Every metric', expect: { least: 1 } },
    { title: 'Profitability', query: 'metrics=roa,nim', expect: { rows: 2 } },
  ],
})
