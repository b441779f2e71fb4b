import { dataset } from '../../catalog/define.ts'
import { window } from '../../catalog/parameters.ts'
import { rateEnvironment, rateEnvironmentNotes } from '../../catalog/parts/rate-environment.ts'

export default dataset({
  key: 'industry-rate-environment-trends',
  summary:
    'The yield curve at each quarter’s end beside the industry’s margin, asset yield and cost of funds, oldest first.',
  notes: rateEnvironmentNotes,
  from: 'rate_environment',
  grain: ['report_date'],
  order: ['report_date'],
  parameters: window(),
  columns: rateEnvironment,
  sources: ['treasury', 'fred', 'pmms', 'ffiec-call-report'],
  examples: [
    { title: 'Two years', query: 'quarters=8', expect: { rows: 8 } },
    { title: 'Slope and margin', query: 'fields=report_date,curve_slope,nim', expect: { least: 1 } },
  ],
})
