import { code, over } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, oneOfMany } from '../../catalog/parameters.ts'
import { eventColumns, eventList, eventParameters } from '../../catalog/parts/events.ts'

export default dataset({
  key: 'bank-events',
  summary: 'The structural events of one bank, newest first: what happened to it, and what it took over.',
  notes:
    'As `structural-events`, of one institution on either side: `role` is `subject` where it happened to the bank, and `counterparty` where the bank took over or acquired control of the institution that the row names. What became of a closed bank is its last event.',
  from: 'institution_events',
  ...eventList,
  parameters: {
    rssd_id: { ...bank(), where: { column: 'institution', operator: '=', type: 'UInt32' } },
    ...eventParameters,
    role: oneOfMany('role', ['subject', 'counterparty'], {
      doc: 'On which side of the event the bank stands.',
    }),
  },
  columns: [
    code('role', 'Role of the bank', {
      doc: 'subject: it happened to the bank; counterparty: the bank is the other institution.',
    }),
    ...eventColumns.map((column) =>
      column.name === 'rssd_id'
        ? over(column, { doc: 'Whom it happened to: the bank, or an institution that it took over.' })
        : column,
    ),
  ],
  examples: [
    { title: 'Everything that is known', expect: { least: 1 } },
    { title: 'What it took over', query: 'type=merger,failure&role=counterparty' },
    { title: 'Since 2020', query: 'from=2020' },
  ],
})
