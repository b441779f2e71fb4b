import { banks } from '../../../sql/universes/bank/index.ts'
import { figure, metricColumns, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, window } from '../../catalog/parameters.ts'
import { comparedSecurityMetrics, securityMetrics } from '../../catalog/parts/security-metrics.ts'

const shown = [...new Set([...securityMetrics, ...comparedSecurityMetrics])]
const before = (key: string) => `industry_${key}`

export default dataset({
  key: 'bank-securities-trends',
  summary:
    'The securities of one bank by quarter with the industry’s figure beside each ratio, oldest first.',
  notes:
    'The industry’s ratios are those of the summed filings of all banks. Gains are fair value less amortised cost: below 0 is a loss.',
  from: `
SELECT b.rssd_id AS rssd_id, b.report_date AS report_date, b.metrics AS metrics,
  ${comparedSecurityMetrics.map((key) => `i.${key} AS ${before(key)}`).join(', ')}
FROM (SELECT rssd_id, report_date, metrics FROM bank_rows WHERE rssd_id = {rssd_id:UInt32}) AS b
LEFT JOIN (SELECT * FROM industry_quarters WHERE cohort = 'all') AS i ON i.report_date = b.report_date`,
  shape: 'array',
  grain: ['rssd_id', 'report_date'],
  order: ['report_date'],
  parameters: { rssd_id: { ...bank(), where: undefined }, ...window() },
  columns: [
    rssdId,
    reportDate,
    metricColumns(shown),
    ...comparedSecurityMetrics.map((key) =>
      figure(before(key), `Industry: ${banks.metric(key)!.label}`, { unit: banks.metric(key)!.unit }),
    ),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'Two years', query: 'quarters=8', expect: { rows: 8 } },
    {
      title: 'Losses against capital, of the bank and of the industry',
      query: 'fields=report_date,unrealized_gains_ratio,industry_unrealized_gains_ratio',
      expect: {
        least: 1,
        columns: ['report_date', 'unrealized_gains_ratio', 'industry_unrealized_gains_ratio'],
      },
    },
  ],
})
