import { percentileRank } from '../../../sql/derive/percentile.ts'
import { code, figure, percent, reportDate, rssdId, smallCount, text } from '../columns.ts'
import { dataset } from '../define.ts'
import { asOf, bank, metricList } from '../parameters.ts'
import { chosenMetrics, overGroup, peerParameters, similarBanks, standing } from '../peers.ts'

export default dataset({
  key: 'bank-peer-ranking',
  summary: 'Rank and percentile of one bank in a group, recomputed at the request, one row a metric.',
  notes:
    'Without `metrics`: the headline ones. The group includes the bank. Rank 1 is the best value: the highest, or the lowest where `direction` is lower; equal values share the better rank. A bank without a value has neither rank nor percentile. The percentile is defined as in bank-percentile-ranks.',
  from: (scope) =>
    `SELECT *, if(value IS NULL, NULL, toUInt32(if(direction = 'lower', below, present - below - equal) + 1)) AS rank,
  ${percentileRank('below', 'equal', 'present')} AS percentile
FROM (${overGroup(scope, chosenMetrics(scope), standing)})`,
  grain: ['position'],
  order: ['position'],
  steps: [similarBanks],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    metrics: metricList(),
    ...peerParameters,
    as_of: asOf({ where: null }),
  },
  columns: [
    rssdId,
    reportDate,
    code('metric', 'Metric', { doc: 'Key in the metric catalog.', sql: 'metric' }),
    text('label', 'Label'),
    code('unit', 'Unit'),
    code('direction', 'Direction', { doc: 'Which way is better: higher, lower or neutral.' }),
    figure('value', 'Value', { doc: 'In the unit of the row.' }),
    percent('percentile', 'Percentile rank', { doc: 'From 0 to 100, among the banks that have a value.' }),
    smallCount('rank', 'Rank', { nullable: true, doc: '1 is the best value.' }),
    smallCount('ranked', 'Banks ranked', { sql: 'present', doc: 'Banks of the group that have a value.' }),
    smallCount('cohort_size', 'Cohort size', {
      sql: 'banks',
      doc: 'Banks of the group, with a value or without.',
    }),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The headline metrics in the asset tier', expect: { least: 1 } },
    {
      title: 'Profitability among all banks',
      query: 'metrics=roa,nim,efficiency_ratio&cohort=all',
      expect: { rows: 3 },
    },
    {
      title: 'Capital among the most similar banks',
      query: 'metrics=cet1_ratio&cohort=similar',
      expect: { rows: 1 },
    },
  ],
})
