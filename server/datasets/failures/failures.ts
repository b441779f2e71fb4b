import { linkedRelation } from '../../../sql/entities/links.ts'
import { over, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { charterClass, integer, oneOfMany, search, state, timeParameters } from '../../catalog/parameters.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const failures = declaredTable('failures')

export default dataset({
  key: 'failures',
  summary: 'Failures of insured banks and savings institutions, and assistance, since 1934, newest first.',
  notes:
    'As FDIC’s BankFind tells them. Assets, deposits and loss are null where FDIC gives none; a loss of 0 is FDIC’s own estimate. Whoever failed more than once has a row for each time.',
  from: linkedRelation(failures.name),
  time: failures.time,
  grain: ['id'],
  order: ['-failed_date'],
  parameters: {
    ...timeParameters(failures.time),
    year: integer({
      doc: 'Year of the failure.',
      ...{ min: 1934, max: 2299, where: 'toYear(failed_date) = {year:UInt16}', example: '2009' },
    }),
    state: state('state'),
    kind: oneOfMany('kind', ['FAILURE', 'ASSISTANCE'], { doc: 'Failures alone, or assistance alone.' }),
    charter: charterClass(),
    q: search(['name', "ifNull(city, '')"]),
  },
  bounds: true,
  limit: { default: 100, most: 10_000 },
  columns: [
    ...columnsOf(failures),
    over(rssdId, {
      nullable: true,
      doc: 'Federal Reserve identifier of the bank; null where it is unknown, or not certain.',
    }),
  ],
  sources: ['fdic-failures'],
  examples: [
    { title: 'The newest failures', query: 'limit=10', expect: { rows: 10 } },
    { title: 'Those of the crisis in Georgia', query: 'state=GA&from=2008&to=2012' },
    { title: 'The costliest', query: 'kind=FAILURE&sort=-cost&limit=5', expect: { rows: 5 } },
  ],
})
