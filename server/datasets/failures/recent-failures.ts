import { linkedRelation } from '../../../sql/entities/links.ts'
import { over, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { integer, lookFrom } from '../../catalog/parameters.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const failures = declaredTable('failures')
const listed = declaredTable('failed_banks')
const optional = (names: string[]) => columnsOf(failures, names).map((one) => over(one, { nullable: true }))

export default dataset({
  key: 'recent-failures',
  summary:
    'The newest failures of insured banks, with who took them over, what they had and what they cost, newest first.',
  notes:
    'Of FDIC’s failed bank list and of its failures and assistance together: a bank is on the list at once, its figures come later and are null until then. Assistance to open banks is in `failures` alone. `days` counts back from the newest failure up to `as_of`.',
  from: ({ has }) => {
    const until = has('as_of') ? '<= {as_of:Date32}' : "<= '2299-12-31'"
    const all = `
    SELECT ifNull(a.failed_date, l.closed_date) AS failed_date, if(l.cert > 0, l.cert, a.cert) AS cert, if(l.name != '', l.name, a.name) AS name,
      if(l.city != '', l.city, a.city) AS city, if(l.cert > 0, toString(l.state), a.state) AS state, coalesce(l.acquirer, a.acquirer) AS acquirer,
      a.resolution AS resolution, coalesce(l.fund, a.fund) AS fund, a.total_assets AS total_assets, a.total_deposits AS total_deposits,
      a.cost AS cost, coalesce(l.rssd_id, a.rssd_id) AS rssd_id
    FROM (SELECT *, toNullable(closed_date) AS failed_date FROM ${linkedRelation(listed.name)} WHERE closed_date ${until}) AS l
    FULL JOIN (SELECT * EXCEPT failed_date, toNullable(failed_date) AS failed_date FROM ${linkedRelation(failures.name)} AS r WHERE kind = 'FAILURE' AND r.failed_date ${until}) AS a
      ON a.cert = l.cert AND a.failed_date = l.failed_date`
    return has('days')
      ? `SELECT * FROM (SELECT *, max(failed_date) OVER () AS newest FROM (${all})) WHERE failed_date > newest - {days:UInt32}`
      : all
  },
  time: { kind: 'day', column: 'failed_date' },
  grain: ['cert', 'name'],
  order: ['-failed_date'],
  parameters: {
    as_of: lookFrom('The day to look from, as 2010-06-30 or 2010Q2. Default: the newest failure.'),
    days: integer({
      doc: 'Failures of so many days up to the newest of them.',
      min: 1,
      max: 100_000,
      example: '365',
    }),
  },
  limit: { default: 25, most: 10_000 },
  columns: [
    ...columnsOf(failures, ['failed_date']),
    ...optional(['cert']),
    ...columnsOf(failures, ['name']),
    ...optional(['city', 'state', 'acquirer', 'resolution', 'fund']),
    ...columnsOf(failures, ['total_assets', 'total_deposits', 'cost']),
    over(rssdId, {
      nullable: true,
      doc: 'Federal Reserve identifier of the bank; null where it is unknown, or not certain.',
    }),
  ],
  sources: ['fdic-failures'],
  examples: [
    { title: 'The newest', query: 'limit=5', expect: { rows: 5 } },
    { title: 'Of the year up to the end of 2010', query: 'as_of=2010Q4&days=365' },
  ],
})
