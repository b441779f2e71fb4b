import { percentileRank } from '../../../sql/derive/percentile.ts'
import { code, figure, finite, percent, reportDate, rssdId, smallCount, text } from '../columns.ts'
import { dataset } from '../define.ts'
import { asOf, bank, metricList } from '../parameters.ts'
import { chosenMetrics, overGroup, peerParameters, similarBanks, summary } from '../peers.ts'

const inUnit = { doc: 'In the unit of the row.' }

export default dataset({
  key: 'bank-peer-comparison',
  summary: 'The value of one bank beside the distribution in its peer group, one row a metric.',
  notes:
    'Without `metrics`: the headline ones. The group includes the bank. Quartiles are interpolated between neighbours (inclusive method), as in industry-benchmarks.',
  from: (scope) =>
    `SELECT *, ${percentileRank('below', 'equal', 'present')} AS percentile
FROM (${overGroup(scope, chosenMetrics(scope), summary)})`,
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
    code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
    text('label', 'Label'),
    code('unit', 'Unit'),
    code('direction', 'Direction', { doc: 'Which way is better: higher, lower or neutral.' }),
    figure('value', 'Value of the bank', inUnit),
    figure('min', 'Minimum', { ...inUnit, sql: finite('five[1]') }),
    figure('p25', 'First quartile', { ...inUnit, sql: finite('five[2]') }),
    figure('median', 'Median', { ...inUnit, sql: finite('five[3]') }),
    figure('p75', 'Third quartile', { ...inUnit, sql: finite('five[4]') }),
    figure('max', 'Maximum', { ...inUnit, sql: finite('five[5]') }),
    figure('mean', 'Mean', { ...inUnit, sql: 'average' }),
    smallCount('count', 'Banks with a value', { sql: 'present' }),
    percent('percentile', 'Percentile rank', { doc: 'From 0 to 100, among the banks that have a value.' }),
    smallCount('cohort_size', 'Cohort size', {
      sql: 'banks',
      doc: 'Banks of the group, with a value or without.',
    }),
  ],
  sources: ['ffiec-call-report'],
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
