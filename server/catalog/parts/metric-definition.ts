import { code, column, strings, text } from '../columns.ts'

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
  text('fdic_variable', 'FDIC variable', {
    doc: "The variable of FDIC's Statistics on Depository Institutions that the metric equals, where there is one.",
    nullable: true,
  }),
  text('description', 'Description', { nullable: true }),
  column('UInt16', 'position', 'Place in the catalog'),
  code('universe', 'Universe', { doc: 'Whose metric it is: the same key may mean another in each.' }),
] as const
