import { cohort, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, window } from '../../catalog/parameters.ts'
import { modelVersion, scoreColumns } from '../../catalog/parts/risk.ts'

export default dataset({
  key: 'failure-prediction-trends',
  summary: 'The score of one bank by the failure model in each quarter, oldest first.',
  notes:
    'All quarters are scored by the model in force: it has seen what became of the banks of its training window, see risk-model.',
  from: 'bank_rows',
  grain: ['rssd_id', 'report_date'],
  order: ['report_date'],
  parameters: { rssd_id: bank(), ...window() },
  columns: [rssdId, reportDate, ...scoreColumns, cohort, modelVersion],
  sources: ['ffiec-call-report', 'fdic-failures', 'nic-transformations'],
  examples: [
    { title: 'Two years', query: 'quarters=8', expect: { least: 1 } },
    { title: 'The tier in every quarter', query: 'fields=report_date,risk_tier', expect: { least: 1 } },
  ],
})
