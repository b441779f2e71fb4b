import { metricColumns, reportDate, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { metricList, window } from '../../catalog/parameters.ts'

export default dataset({
  key: 'industry-trends',
  summary: 'Quarterly series of industry metrics, oldest first.',
  notes: 'Amounts are sums; ratios are those of the summed filings, not means of the banks’ ratios.',
  from: 'industry_quarters',
  where: "cohort = 'all'",
  grain: ['report_date'],
  order: ['report_date'],
  parameters: { ...window(), metrics: metricList() },
  columns: [
    reportDate,
    smallCount('banks', 'Banks', { doc: 'Filers of the quarter.' }),
    metricColumns('headline'),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    {
      title: 'Return on assets and margin of a year',
      query: 'quarters=4&metrics=roa,nim',
      expect: { rows: 4, columns: ['report_date', 'banks', 'roa', 'nim'] },
    },
    { title: 'The headline metrics of every quarter held', expect: { least: 1 } },
  ],
})
