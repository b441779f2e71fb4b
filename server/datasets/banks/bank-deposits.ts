import { quotedList } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import {
  code,
  cohort,
  metricColumns,
  money,
  objects,
  percent,
  reportDate,
  rssdId,
  text,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'
import { bankRow, places } from '../../catalog/parts/bank-row.ts'
import {
  depositKinds,
  depositMetrics,
  depositSources,
  uninsuredColumns,
} from '../../catalog/parts/deposit-book.ts'
import { nested } from '../../catalog/parts/nested.ts'

const rowColumns = [
  code('kind', 'Kind', { doc: 'Key in the metric catalog.' }),
  text('label', 'Label'),
  money('amount', 'Amount'),
  percent('share', 'Share of total deposits'),
  money('change_1q', 'Change in one quarter'),
  money('change_1y', 'Change in one year'),
  percent('growth_1y', 'Growth in one year'),
]
const kindColumns = [
  ...rowColumns,
  percent('cost', 'Cost', {
    doc: 'Interest expense of the year to date, annualised, over the quarterly average; the kinds of savings have one between them, and so have those of time deposits.',
  }),
]
const changeColumns = [rowColumns[0]!, rowColumns[1]!, rowColumns[5]!, rowColumns[6]!]

/** One row a kind, with the same kind a quarter and a year before. */
const rowsOf = (kinds: readonly (readonly [string, string, (string | undefined)?])[]) => `
SELECT kind, label, now.metrics[place] AS amount,
  if(total > 0, 100 * amount / total, NULL) AS share,
  amount - quarter_ago.metrics[place] AS change_1q,
  amount - year_ago.metrics[place] AS change_1y,
  if(year_ago.metrics[place] > 0, 100 * change_1y / year_ago.metrics[place], NULL) AS growth_1y,
  if(cost_place = 0, NULL, now.metrics[if(cost_place = 0, 1, cost_place)]) AS cost
FROM (
  SELECT 1 AS one, metrics, metrics[${banks.position('total_deposits')}] AS total, kind, label, place, cost_place, position FROM ${bankRow()}
  ARRAY JOIN
    ${quotedList(kinds.map(([key]) => key))} AS kind,
    ${quotedList(kinds.map(([, label]) => label))} AS label,
    ${places(kinds.map(([key]) => key))} AS place,
    [${kinds.map(([, , cost]) => (cost === undefined ? 0 : banks.position(cost))).join(', ')}] AS cost_place,
    range(1, ${kinds.length + 1}) AS position
) AS now
LEFT JOIN (SELECT 1 AS one, metrics FROM ${bankRow(1)}) AS quarter_ago ON quarter_ago.one = now.one
LEFT JOIN (SELECT 1 AS one, metrics FROM ${bankRow(4)}) AS year_ago ON year_ago.one = now.one
ORDER BY position`

const largest = `SELECT * FROM (${rowsOf([...depositKinds, ...depositSources])}) WHERE change_1y != 0 ORDER BY abs(change_1y) DESC LIMIT 5`

export default dataset({
  key: 'bank-deposits',
  summary:
    'The deposits of one bank: by kind, by where they come from, insured and uninsured, what each costs and what changed most.',
  notes:
    '`kinds` add up to total deposits. `deposit_sources` are the same deposits looked at otherwise, and do not add up. Uninsured deposits are the bank’s own estimate where it files one (with $1 billion of assets or more), else what accounts above $250,000 hold above that: `uninsured_method` says which, and `uninsured_reason` why neither can be known. The object with its lists is JSON; bank-deposits-trends has the same figures flat, in every format.',
  from: `
SELECT *,
  ${nested(rowsOf(depositKinds), kindColumns)} AS kinds,
  ${nested(rowsOf(depositSources), rowColumns)} AS deposit_sources,
  ${nested(largest, changeColumns)} AS top_changes
FROM bank_rows`,
  shape: 'array',
  grain: ['rssd_id'],
  parameters: { rssd_id: bank(), as_of: asOf() },
  columns: [
    rssdId,
    reportDate,
    cohort,
    metricColumns(depositMetrics.filter((key) => !depositKinds.some(([kind]) => kind === key))),
    ...uninsuredColumns,
    objects('kinds', 'Kinds', kindColumns),
    objects('deposit_sources', 'Sources', rowColumns, {
      doc: 'Brokered, reciprocal, listing service, public.',
    }),
    objects('top_changes', 'Largest changes in one year', changeColumns),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'What is uninsured, and how that is known',
      query: 'fields=report_date,estimated_uninsured_deposits,uninsured_method',
      expect: { rows: 1 },
    },
  ],
})
