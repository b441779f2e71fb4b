import {
  cbsaCode,
  cohort,
  form,
  holdingCompanyName,
  holdingCompanyRssdId,
  identity,
  metricColumns,
  reportDate,
} from '../columns.ts'
import { dataset } from '../define.ts'
import { asOf, bank } from '../parameters.ts'

export default dataset({
  key: 'bank-snapshot',
  summary: 'One bank in its latest filed quarter, or in the one asked for: identity and every metric.',
  from: 'bank_quarters',
  grain: ['rssd_id', 'report_date'],
  parameters: { rssd_id: bank(), as_of: asOf() },
  columns: [
    ...identity,
    reportDate,
    form,
    holdingCompanyRssdId,
    holdingCompanyName,
    cbsaCode,
    cohort,
    metricColumns('all'),
  ],
  sources: ['ffiec-call-report', 'fdic-institutions'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Capital at the latest quarter',
      query: 'fields=rssd_id,report_date,total_assets,cet1_ratio',
      expect: { rows: 1, columns: ['rssd_id', 'report_date', 'total_assets', 'cet1_ratio'] },
    },
  ],
})
