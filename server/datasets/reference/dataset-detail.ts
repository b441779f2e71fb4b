import { catalog } from '../../catalog/catalog.ts'
import { flag, objects, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { keyIn } from '../../catalog/parameters.ts'
import { catalogFacts } from '../../catalog/parts/catalog-facts.ts'

export default dataset({
  key: 'dataset-detail',
  summary:
    'One dataset: its place in the catalog, notes, parameters, columns with unit and meaning, worked examples.',
  from: 'dataset_catalog',
  grain: ['key'],
  parameters: {
    key: keyIn(
      catalog.map((entry) => entry.key),
      { doc: 'Key of the dataset.', noun: 'dataset', where: 'key = {key:String}', example: 'bank-trends' },
    ),
  },
  columns: [
    ...catalogFacts,
    text('notes', 'Notes', { nullable: true, doc: 'What an analyst must know to use it right.' }),
    objects(
      'parameters',
      'Parameters',
      [
        text('name', 'Name'),
        flag('required', 'Required', { doc: 'Part of the path.' }),
        text('fallback', 'Default', { nullable: true }),
        text('meaning', 'Meaning'),
      ],
      { sql: 'parameter_details' },
    ),
    objects(
      'columns',
      'Columns',
      [
        text('name', 'Name'),
        text('label', 'Label'),
        text('type', 'Type', { doc: 'ClickHouse type.' }),
        flag('nullable', 'Nullable'),
        text('unit', 'Unit', { nullable: true }),
        text('meaning', 'Meaning', { nullable: true }),
        flag('metric', 'Metric', { doc: 'Of the metric catalog: see metric-detail.' }),
      ],
      { sql: 'column_details' },
    ),
    objects('examples', 'Examples', [text('title', 'Title'), text('url', 'Address')]),
  ],
  sources: [],
  examples: [
    { title: 'How to use bank-trends', expect: { rows: 1 } },
    { title: 'How to use sec-filings', path: { key: 'sec-filings' }, expect: { rows: 1 } },
  ],
})
