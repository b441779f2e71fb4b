import { metricCategories } from '../../../sql/formula/metrics/index.ts'
import { dataset } from '../define.ts'
import { metricDefinition } from '../metric-definition.ts'
import { oneOfMany, search } from '../parameters.ts'

export default dataset({
  key: 'metrics',
  summary: 'Every metric of the catalog, in catalog order.',
  notes: 'Formulas are in the expression language of the UBPR user guide, over MDRM items and other metrics.',
  from: 'metric_catalog',
  grain: ['position'],
  order: ['position'],
  parameters: {
    category: oneOfMany('category', metricCategories, { doc: 'Area, or several by comma.' }),
    q: {
      ...search(['key', 'label', "ifNull(description, '')"]),
      doc: 'Words that must all occur in key, label or description, without regard to case.',
    },
  },
  columns: metricDefinition,
  sources: [],
  examples: [
    { title: 'The whole catalog', expect: { least: 150 } },
    { title: 'What there is on deposits', query: 'q=deposits&fields=key,label,unit', expect: { least: 1 } },
  ],
})
