import { linkedRelation } from '../../../sql/entities/links.ts'
import { enforcementTypes } from '../../../sql/sources/enforcement.ts'
import { plainOrder } from '../../../sql/sources/ncua-enforcement.ts'
import { id } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { oneOfMany, search, timeParameters } from '../../catalog/parameters.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const orders = declaredTable('ncua_orders')

export default dataset({
  key: 'ncua-enforcement',
  summary:
    'NCUA’s administrative orders, notices and letters against credit unions and their people, newest year first.',
  notes:
    'NCUA’s list tells the year of an order and not its day, and seldom its type. Most orders are against persons. Credit unions are linked by name and place; those that are not certain have no charter number.',
  from: linkedRelation(orders.name),
  time: orders.time,
  grain: ['id'],
  order: ['-year', '-docket'],
  parameters: {
    ...timeParameters(orders.time),
    type: oneOfMany('type', [...enforcementTypes, plainOrder], {
      doc: 'Orders of this type, or of any of several by comma.',
    }),
    q: search(['institution', "ifNull(person, '')", 'docket']),
  },
  limit: { default: 100, most: 10_000 },
  columns: [
    ...columnsOf(orders, ['id', 'year', 'docket', 'type', 'institution']),
    id('cu_number', 'Charter number', {
      nullable: true,
      doc: 'NCUA’s number of the credit union; null where it is not certain.',
    }),
    ...columnsOf(orders, ['city', 'state', 'person', 'relationship', 'document']),
  ],
  sources: ['ncua-enforcement'],
  examples: [
    { title: 'The newest orders', query: 'limit=10' },
    { title: 'Those of 2020 in which a word occurs', query: 'from=2020&to=2020&q=federal' },
  ],
})
