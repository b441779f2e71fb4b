import { metrics } from '../../../sql/formula/metrics/index.ts'
import { figure, over, reportDate, smallCount } from '../columns.ts'
import { dataset } from '../define.ts'
import { metricDefinition } from '../metric-definition.ts'
import { keyIn } from '../parameters.ts'

const inUnit = { doc: 'Over all banks in the latest quarter, in the unit of the metric.' }

export default dataset({
  key: 'metric-detail',
  summary:
    'One metric: its definition, the items that it is made of, and its distribution in the latest quarter.',
  from: 'metric_details',
  grain: ['key'],
  parameters: {
    metric: keyIn(
      metrics.map(({ key }) => key),
      { doc: 'Key of the metric.', noun: 'metric', where: 'key = {metric:String}', example: 'roa' },
    ),
  },
  columns: [
    ...metricDefinition,
    over(reportDate, { nullable: true, doc: 'The quarter of the distribution.' }),
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
    { title: 'Return on assets', expect: { rows: 1 } },
    { title: 'The Texas ratio', path: { metric: 'texas_ratio' }, expect: { rows: 1 } },
  ],
})
