import { column, money, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { state, yearWindow } from '../../catalog/parameters.ts'

/** Of failures: NULL rather than 0 where no row has one. */
const figures = ['total_assets', 'total_deposits', 'cost']
const counts = [
  ['failures', "kind = 'FAILURE'"],
  ['assistance', "kind = 'ASSISTANCE'"],
  ['with_assets', "kind = 'FAILURE' AND isNotNull(r.total_assets)"],
  ['with_deposits', "kind = 'FAILURE' AND isNotNull(r.total_deposits)"],
  ['with_cost', "kind = 'FAILURE' AND isNotNull(r.cost)"],
] as const
const unknown = { nullable: true, doc: 'Null in years before the first that is loaded.' }

export default dataset({
  key: 'failures-by-year',
  summary:
    'Failures of insured banks and what they had and cost, and assistance, by year since 1934, oldest first.',
  notes:
    'Every year from 1934 to the newest that is loaded has a row. Sums are of failures alone, and of those whose figure FDIC gives: `with_assets`, `with_deposits` and `with_cost` count these. A sum of none is null, never 0, and so is everything of years before the first that is loaded. With `state` they are those of banks in the state.',
  from: ({
    has,
  }) => `SELECT year, ${counts.map(([name, which]) => `if(year < first, NULL, toUInt32(countIf(${which}))) AS ${name}`).join(', ')},
  ${figures.map((name) => `sumOrNullIf(r.${name}, kind = 'FAILURE') AS ${name}`).join(', ')}
FROM (
  SELECT toUInt16(arrayJoin(range(1934, years.2 + 1))) AS year, years.1 AS first
  FROM (SELECT (min(toYear(failed_date)), max(toYear(failed_date))) AS years FROM failures HAVING count() > 0)
) AS y
LEFT JOIN (
  SELECT *, toUInt16(toYear(failed_date)) AS failed_in FROM failures${has('state') ? " WHERE has({state:Array(String)}, ifNull(toString(state), ''))" : ''}
) AS r ON r.failed_in = y.year
GROUP BY year, first`,
  time: { kind: 'year', column: 'year' },
  grain: ['year'],
  order: ['year'],
  parameters: { ...yearWindow('year'), state: { ...state('state'), where: undefined } },
  columns: [
    column('UInt16', 'year', 'Year'),
    smallCount('failures', 'Failures', unknown),
    smallCount('assistance', 'Assistance transactions', unknown),
    money('total_assets', 'Total assets', { doc: 'Of the failed banks, at their last report.' }),
    money('total_deposits', 'Total deposits', { doc: 'Of the failed banks, at their last report.' }),
    money('cost', 'Estimated loss', { doc: 'What they cost the fund, as FDIC estimates it now.' }),
    smallCount('with_assets', 'Failures with known assets', unknown),
    smallCount('with_deposits', 'Failures with known deposits', unknown),
    smallCount('with_cost', 'Failures with an estimated loss', unknown),
  ],
  sources: ['fdic-failures'],
  examples: [
    { title: 'Since 1934', expect: { least: 50 } },
    { title: 'The crisis in Georgia', query: 'from=2007&to=2012&state=GA', expect: { rows: 6 } },
  ],
})
