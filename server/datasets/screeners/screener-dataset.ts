import {
  cohort,
  form,
  holdingCompanyName,
  holdingCompanyRssdId,
  identity,
  metricColumns,
  reportDate,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf } from '../../catalog/parameters.ts'

export default dataset({
  key: 'screener-dataset',
  summary: 'Every bank of a quarter with every metric of the catalog, by RSSD ID.',
  notes:
    'Some 5,000 rows of some 400 figures: `format=columns`, `arrow` or `parquet` are a third of the JSON.',
  from: 'bank_quarters',
  grain: ['rssd_id'],
  parameters: { as_of: asOf() },
  columns: [
    ...identity,
    reportDate,
    form,
    holdingCompanyRssdId,
    holdingCompanyName,
    cohort,
    metricColumns('all'),
  ],
  sources: ['ffiec-call-report', 'fdic-institutions'],
  examples: [
    { title: 'The working set of the latest quarter', expect: { least: 1 } },
    {
      title: 'Only what a chart needs',
      query: 'fields=rssd_id,total_assets,roa&format=columns',
      expect: { least: 1, columns: ['rssd_id', 'total_assets', 'roa'] },
    },
  ],
})
