import { catalog, categories, tiers } from '../../catalog/catalog.ts'
import { strings } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { oneOfMany, search } from '../../catalog/parameters.ts'
import { catalogFacts } from '../../catalog/parts/catalog-facts.ts'

export default dataset({
  key: 'datasets',
  summary: 'Every dataset of the catalog, in catalog order.',
  from: 'dataset_catalog',
  grain: ['position'],
  order: ['position'],
  parameters: {
    category: oneOfMany('category', categories, { doc: 'Category, or several by comma.' }),
    tier: oneOfMany('tier', tiers, { doc: 'Tier, or several by comma: Public, Free, Premium.' }),
    q: {
      ...search(['key', 'name', "ifNull(summary, '')"]),
      doc: 'Words that must all occur in key, name or summary, without regard to case.',
    },
  },
  columns: [
    ...catalogFacts,
    strings('parameters', 'Parameters', {
      doc: 'Beside those of every dataset: format, fields, sort, limit, cursor.',
    }),
    strings('columns', 'Columns', { doc: 'Every column that an answer can have.' }),
  ],
  sources: [],
  examples: [
    { title: 'The whole catalog', expect: { rows: catalog.length } },
    {
      title: 'What is open to everybody on banks',
      query: 'category=Banks&tier=Public&fields=key,name,path',
      expect: { least: 20 },
    },
  ],
})
