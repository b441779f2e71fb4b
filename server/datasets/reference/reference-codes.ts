import { quotedList } from '../../../sql/quoted.ts'
import { code, column, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { oneOfMany } from '../../catalog/parameters.ts'
import { codeLists } from '../../catalog/parts/code-lists.ts'

const rows = codeLists.flatMap(({ list, source, codes }) =>
  Object.entries(codes).map(([value, meaning]) => [list, value, meaning, source] as const),
)
const array = (at: 0 | 1 | 2 | 3) => quotedList(rows.map((row) => row[at]))

export default dataset({
  key: 'reference-codes',
  summary: 'Every list of codes that answers use: each code with its meaning and who gave it, list by list.',
  notes:
    'Codes that are keys of another catalog are there: metrics in metrics, items of the Call Report in mdrm, datasets in datasets, sources in reference-sources.',
  from: `
SELECT list, code, meaning, source, position FROM system.one
ARRAY JOIN
  ${array(0)} AS list,
  ${array(1)} AS code,
  ${array(2)} AS meaning,
  ${array(3)} AS source,
  range(1, ${rows.length + 1})::Array(UInt16) AS position`,
  grain: ['position'],
  order: ['position'],
  parameters: {
    list: oneOfMany(
      'list',
      codeLists.map(({ list }) => list),
      { doc: 'A list, or several by comma.' },
    ),
  },
  columns: [
    code('list', 'List'),
    code('code', 'Code'),
    text('meaning', 'Meaning'),
    text('source', 'Source', { doc: 'Who gave the code its meaning.' }),
    column('UInt16', 'position', 'Position'),
  ],
  sources: [],
  examples: [
    { title: 'Every list', expect: { least: 1 } },
    { title: 'Charter classes', query: 'list=charter', expect: { rows: 11 } },
  ],
})
