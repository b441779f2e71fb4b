import { figure, smallCount } from '../../catalog/columns.ts'
import { peerDataset, peerPercentile } from '../../catalog/parts/peer-dataset.ts'
import { rankSql, standing } from '../../catalog/parts/peers.ts'
import { rankingInMemory } from '../../catalog/parts/standing.ts'

export default peerDataset({
  key: 'bank-peer-ranking',
  summary: 'Rank and percentile of one bank in a group, recomputed at the request, one row a metric.',
  notes:
    'Without `metrics`: the headline ones. The group includes the bank. Rank 1 is the best value: the highest, or the lowest where `direction` is lower; equal values share the better rank. A bank without a value has neither rank nor percentile. The percentile is defined as in bank-percentile-ranks.',
  aggregates: standing,
  counted: rankingInMemory,
  select: [`${rankSql} AS rank`],
  columns: [
    figure('value', 'Value', { doc: 'In the unit of the row.' }),
    peerPercentile,
    smallCount('rank', 'Rank', { nullable: true, doc: '1 is the best value.' }),
    smallCount('ranked', 'Banks ranked', { sql: 'present', doc: 'Banks of the group that have a value.' }),
  ],
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
