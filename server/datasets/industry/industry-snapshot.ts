import { metricColumns, reportDate, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf } from '../../catalog/parameters.ts'

export default dataset({
  key: 'industry-snapshot',
  summary: 'All banks of the latest filed quarter, or of the one asked for, as one: every metric.',
  notes: 'Amounts are sums; ratios are those of the summed filings, not means of the banks’ ratios.',
  from: 'industry_quarters',
  where: "cohort = 'all'",
  grain: ['report_date'],
  parameters: { as_of: asOf() },
  columns: [
    reportDate,
    smallCount('banks', 'Banks', { doc: 'Filers of the quarter.' }),
    metricColumns('all'),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The industry now', expect: { rows: 1 } },
    { title: 'A few figures', query: 'fields=report_date,banks,total_assets,roa', expect: { rows: 1 } },
  ],
})
