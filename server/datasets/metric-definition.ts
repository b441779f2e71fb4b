import { code, column, strings, text } from './columns.ts'

/** What the catalog says of a metric. */
export const metricDefinition = [
  code('key', 'Key', { doc: 'Name of the metric in every dataset and parameter.' }),
  text('label', 'Label'),
  code('unit', 'Unit'),
  code('direction', 'Direction', { doc: 'Which way is better: higher, lower or neutral.' }),
  code('category', 'Area'),
  text('formula', 'Formula', { doc: 'In the expression language of the UBPR user guide.' }),
  strings('items', 'MDRM items', {
    doc: 'Every item that the formula looks at, also through other metrics.',
  }),
  text('source', 'Source of the definition'),
  text('description', 'Description', { nullable: true }),
  column('UInt16', 'position', 'Place in the catalog'),
] as const
