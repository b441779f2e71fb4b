import { dataset } from '../../catalog/define.ts'
import { asOf } from '../../catalog/parameters.ts'
import { rateEnvironment, rateEnvironmentNotes } from '../../catalog/parts/rate-environment.ts'

export default dataset({
  key: 'industry-rate-environment',
  summary: 'The yield curve at the end of the latest filed quarter, beside the industry’s margin.',
  notes: rateEnvironmentNotes,
  from: 'rate_environment',
  grain: ['report_date'],
  parameters: { as_of: asOf() },
  columns: rateEnvironment,
  sources: ['treasury', 'fred', 'pmms', 'ffiec-call-report'],
  examples: [{ title: 'The latest filed quarter', expect: { rows: 1 } }],
})
