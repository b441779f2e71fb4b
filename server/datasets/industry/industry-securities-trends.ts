import { metricColumns, reportDate, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { window } from '../../catalog/parameters.ts'

export default dataset({
  key: 'industry-securities-trends',
  summary: 'Quarterly series of the industry’s securities, oldest first.',
  notes:
    'Sums over all filers; ratios are those of the summed filings. Held-to-maturity securities are at amortised cost, available-for-sale ones at fair value. Unrealised gains are fair value less amortised cost: below 0 is a loss.',
  from: 'industry_quarters',
  where: "cohort = 'all'",
  grain: ['report_date'],
  order: ['report_date'],
  parameters: window(),
  columns: [
    reportDate,
    smallCount('banks', 'Banks', { doc: 'Filers of the quarter.' }),
    metricColumns([
      'securities',
      'securities_afs',
      'securities_htm',
      'unrealized_gains_afs',
      'unrealized_gains_htm',
      'unrealized_gains_ratio',
      'unrealized_gains_afs_ratio',
      'unrealized_gains_htm_ratio',
      'treasury_securities',
      'agency_securities',
      'mortgage_backed_securities',
      'municipal_securities',
      'equity_securities',
      'pledged_securities',
      'securities_ratio',
      'securities_htm_share',
      'yield_on_securities',
      'securities_gains',
    ]),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'Two years', query: 'quarters=8', expect: { rows: 8 } },
    {
      title: 'Unrealised losses against capital',
      query: 'fields=report_date,unrealized_gains_ratio',
      expect: { least: 1 },
    },
  ],
})
