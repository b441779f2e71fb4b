import { allBanks, cohorts } from '../../../sql/derive/cohorts.ts'
import { code, figure, reportDate, smallCount, text } from '../columns.ts'
import { dataset } from '../define.ts'
import { asOf, metricList, oneOfMany, window } from '../parameters.ts'

const { from, to } = window()
const tiers = [allBanks, ...cohorts.map(({ key }) => key)]
const inUnit = { doc: 'In the unit of the row.' }

export default dataset({
  key: 'industry-benchmarks',
  summary: 'Mean and 5-number summary of each metric in each asset-size tier.',
  notes:
    'Of the latest quarter, or the one of `as_of`; with `from` or `to`, of every quarter of the window up to it. Each bank counts once, whatever its size. Quartiles are interpolated between neighbours (inclusive method).',
  from: 'benchmarks',
  grain: ['report_date', 'tier_position', 'position'],
  order: ['report_date', 'tier_position', 'position'],
  parameters: {
    metrics: metricList({ where: { column: 'metric', operator: 'IN', type: 'Array(String)' } }),
    tier: oneOfMany('tier', tiers, { doc: 'Asset-size tier, or several by comma; `all` is every bank.' }),
    as_of: asOf({
      where: (_value, _name, scope) => ({
        column: 'report_date',
        operator: scope.has('from') || scope.has('to') ? '<=' : '=',
        type: 'Date',
      }),
    }),
    from,
    to,
  },
  columns: [
    reportDate,
    code('tier', 'Asset tier', { doc: 'Key of the asset-size cohort; `all` is every bank.' }),
    code('tier_label', 'Label of the tier'),
    code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
    text('label', 'Label'),
    code('unit', 'Unit'),
    smallCount('count', 'Banks with a value'),
    figure('mean', 'Mean', inUnit),
    figure('min', 'Minimum', inUnit),
    figure('p25', 'First quartile', inUnit),
    figure('median', 'Median', inUnit),
    figure('p75', 'Third quartile', inUnit),
    figure('max', 'Maximum', inUnit),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'Return on assets by tier', query: 'metrics=roa', expect: { least: 2 } },
    {
      title: 'The margin of all banks over time',
      query: 'metrics=nim&tier=all&from=2017Q1',
      expect: { least: 1 },
    },
  ],
})
