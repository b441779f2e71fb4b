import { code, column, count, flag, instant, strings, text } from '../columns.ts'

/** What the catalog says of a dataset, before parameters and columns. */
export const catalogFacts = [
  code('key', 'Key'),
  text('name', 'Name'),
  code('category', 'Category'),
  code('tier', 'Tier', { doc: 'Who may read it: Public, Free (with a free key), Premium.' }),
  text('path', 'Path', { doc: 'Parameters of the path in braces.' }),
  code('result', 'Result', { doc: '`one`: data is an object. `many`: an array of rows.' }),
  flag('served', 'Served', { doc: 'False where this server has no such dataset: its path answers 501.' }),
  text('summary', 'Summary', { nullable: true, doc: 'What a row is, and the order of rows.' }),
  strings('sources', 'Sources', { doc: 'Keys of /api/v1/reference/sources/.' }),
  count('rows', 'Rows', { nullable: true, doc: 'Rows held; null where they are made at the request.' }),
  instant('last_update', 'Last update', {
    nullable: true,
    doc: 'When one of its sources was last loaded, UTC; in the demo universe the day that it ends with.',
  }),
  column('UInt16', 'position', 'Place in the catalog'),
] as const
