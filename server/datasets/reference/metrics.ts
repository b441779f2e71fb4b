import { metricCategories } from '../../../sql/formula/metrics/index.ts'
import { universes } from '../../../sql/universes/index.ts'
import { dataset } from '../../catalog/define.ts'
import { oneOfMany, search } from '../../catalog/parameters.ts'
import { metricDefinition } from '../../catalog/parts/metric-definition.ts'

export default dataset({
  key: 'metrics',
  summary: 'Every metric of the catalogs, each universe’s in catalog order.',
  notes: 'Formulas are in the expression language of the UBPR user guide, over MDRM items and other metrics.',
  from: 'metric_catalog',
  grain: ['universe', 'position'],
  order: ['universe', 'position'],
  parameters: {
    universe: oneOfMany(
      'universe',
      universes.map(({ entity }) => entity),
      { doc: 'Whose metrics: a kind of institution, or several by comma.' },
    ),
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
