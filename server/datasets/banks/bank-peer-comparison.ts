import { figure, finite, smallCount } from '../../catalog/columns.ts'
import { peerDataset, peerPercentile } from '../../catalog/parts/peer-dataset.ts'
import { summary } from '../../catalog/parts/peers.ts'

const inUnit = { doc: 'In the unit of the row.' }

export default peerDataset({
  key: 'bank-peer-comparison',
  summary: 'The value of one bank beside the distribution in its peer group, one row a metric.',
  notes:
    'Without `metrics`: the headline ones. The group includes the bank. Quartiles are interpolated between neighbours (inclusive method), as in industry-benchmarks.',
  aggregates: summary,
  columns: [
    figure('value', 'Value of the bank', inUnit),
    figure('min', 'Minimum', { ...inUnit, sql: finite('five[1]') }),
    figure('p25', 'First quartile', { ...inUnit, sql: finite('five[2]') }),
    figure('median', 'Median', { ...inUnit, sql: finite('five[3]') }),
    figure('p75', 'Third quartile', { ...inUnit, sql: finite('five[4]') }),
    figure('max', 'Maximum', { ...inUnit, sql: finite('five[5]') }),
    figure('mean', 'Mean', { ...inUnit, sql: 'average' }),
    smallCount('count', 'Banks with a value', { sql: 'present' }),
    peerPercentile,
  ],
  examples: [
    { title: 'The headline metrics against the asset tier', expect: { least: 1 } },
    {
      title: 'Margins against banks of the state',
      query: 'metrics=nim,roa&cohort=state',
      expect: { rows: 2 },
    },
    {
      title: 'Against the most similar banks',
      query: 'metrics=cet1_ratio&cohort=similar',
      expect: { rows: 1 },
    },
  ],
})
