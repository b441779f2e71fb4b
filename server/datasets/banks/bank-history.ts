import { typeOfChange } from '../../../sql/events/types.ts'
import { code, over, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, timeParameters } from '../../catalog/parameters.ts'
import { eventType } from '../../catalog/parts/events.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const history = declaredTable('fdic_history')
const { name, key } = { name: history.name, key: "concat(toString(cert), ' ', name)" }

export default dataset({
  key: 'bank-history',
  summary: 'FDIC’s log of changes of one bank and its offices, newest first.',
  notes:
    'One row an event as BankFind tells it, of the institution (`role` FI) or of a branch (BR); `type` is the vocabulary of `structural-events`, and the change code and FDIC’s words stand beside it. The bank is found by certificate, and by name where a certificate was of several.',
  from: `
SELECT *, {rssd_id:UInt32} AS rssd_id, ${typeOfChange('change_code', 'role')} AS type
FROM ${name}
WHERE ${key} IN (SELECT own FROM links WHERE relation = '${name}' AND entity = 'bank' AND entity_id = {rssd_id:UInt32})
  AND cert IN (SELECT toUInt32OrZero(splitByChar(' ', own)[1]) FROM links WHERE relation = '${name}' AND entity = 'bank' AND entity_id = {rssd_id:UInt32})`,
  time: history.time,
  grain: ['id'],
  order: ['-effective_date'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    type: eventType,
    ...timeParameters(history.time),
  },
  limit: { default: 100, most: 10_000 },
  columns: [
    over(rssdId, {}),
    code('type', 'Type', { doc: 'One vocabulary for NIC and FDIC.' }),
    ...columnsOf(history),
  ],
  sources: ['fdic-history'],
  examples: [
    { title: 'The newest changes', query: 'limit=20', expect: { least: 1 } },
    { title: 'Branches that opened since 2015', query: 'type=branch_opening&from=2015' },
  ],
})
