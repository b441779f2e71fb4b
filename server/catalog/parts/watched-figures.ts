/** What the list of watched institutions says of each: who it is, its newest figures, and what moved since the quarter before. */
import { quarterBeforeSql } from '../../../sql/derive/quarters.ts'
import { nameOf, type Universe } from '../../../sql/derive/universe.ts'
import { universes } from '../../../sql/universes/index.ts'
import { type Column, money, percent } from '../columns.ts'
import { watchedOf } from './watches.ts'

interface Headline {
  readonly name: string
  readonly label: string
  /** Keys of the metric, one of which a universe has. */
  readonly of: readonly string[]
  readonly unit: 'money' | 'percent'
  /** Of sums that a year to date has, a change since the quarter before says nothing. */
  readonly changes: boolean
  readonly doc?: string
}

const headline: readonly Headline[] = [
  { name: 'total_assets', label: 'Total assets', of: ['total_assets'], unit: 'money', changes: true },
  { name: 'total_loans', label: 'Total loans', of: ['total_loans'], unit: 'money', changes: true },
  {
    ...{ name: 'total_deposits', label: 'Total deposits', of: ['total_deposits', 'total_shares'] },
    ...{ unit: 'money', changes: true, doc: 'Of credit unions total shares.' },
  },
  {
    ...{ name: 'net_income', label: 'Net income', of: ['net_income'], unit: 'money', changes: false },
    doc: 'Year to date.',
  },
  { name: 'roa', label: 'Return on assets', of: ['roa'], unit: 'percent', changes: true },
  { name: 'nim', label: 'Net interest margin', of: ['nim'], unit: 'percent', changes: true },
  {
    ...{ name: 'capital_ratio', label: 'Capital ratio', of: ['tier1_leverage_ratio', 'net_worth_ratio'] },
    ...{
      unit: 'percent',
      changes: true,
      doc: 'Tier 1 leverage ratio; of credit unions the net worth ratio.',
    },
  },
  {
    name: 'noncurrent_ratio',
    label: 'Noncurrent loans ratio',
    of: ['noncurrent_loans_ratio', 'delinquency_ratio'],
    ...{ unit: 'percent', changes: true, doc: 'Of credit unions loans delinquent for 60 days or more.' },
  },
]

export const headlineColumns: readonly Column[] = headline.flatMap(({ name, label, unit, changes, doc }) => [
  (unit === 'money' ? money : percent)(name, label, doc === undefined ? {} : { doc }),
  ...(changes
    ? [
        percent(`${name}_change`, `Change of ${label.toLowerCase()} in one quarter`, {
          ...(unit === 'percent' && { unit: 'percentage points' }),
        }),
      ]
    : []),
])

const absent = 'CAST(NULL AS Nullable(Float64))'

/** One row a watched institution of the universe; without figures where it never filed. */
function watchedSql(universe: Universe): string {
  const { entity, id, tables, identity } = universe
  const watched = `{${watchedOf(entity)}:Array(UInt32)}`
  const keys = headline.map(({ of }) => of.find((key) => universe.metric(key)))
  const state = ['hq_state', 'state'].find((name) => identity.columns.some((one) => nameOf(one) === name))!
  const figures = headline.flatMap(({ name, unit, changes }, index) => {
    const key = keys[index]
    if (key === undefined)
      return [`${absent} AS ${name}`, ...(changes ? [`${absent} AS ${name}_change`] : [])]
    const change =
      unit === 'money'
        ? `if(p.${key} > 0, 100 * (d.${key} - p.${key}) / p.${key}, NULL)`
        : `d.${key} - p.${key}`
    return [`d.${key} AS ${name}`, ...(changes ? [`${change} AS ${name}_change`] : [])]
  })
  const numberAs = (name: string) =>
    `${id === name ? 'toNullable(w.entity_id)' : 'CAST(NULL AS Nullable(UInt32))'} AS ${name}`
  const chosen = [...new Set(keys.filter((key) => key !== undefined))].join(', ')
  return `
SELECT '${entity}' AS entity, w.entity_id AS entity_id,
  ${numberAs('rssd_id')}, ${numberAs('cu_number')},
  nullIf(d.legal_name, '') AS legal_name, nullIf(d.city, '') AS city, nullIf(toString(d.${state}), '') AS state,
  if(d.legal_name = '', NULL, d.last_quarter) AS report_date, d.active AS active, nullIf(toString(d.cohort), '') AS cohort,
  ${figures.join(',\n  ')}
FROM (SELECT arrayJoin(${watched}) AS entity_id) AS w
LEFT JOIN (SELECT * FROM ${tables.directory} WHERE ${id} IN ${watched}) AS d ON d.${id} = w.entity_id
LEFT JOIN (
  SELECT ${id} AS entity_id, report_date, ${chosen} FROM ${tables.quarters}
  WHERE ${id} IN ${watched}
    AND report_date IN (SELECT ${quarterBeforeSql('last_quarter', 1)} FROM ${tables.directory} WHERE ${id} IN ${watched})
) AS p ON p.entity_id = w.entity_id AND p.report_date = ${quarterBeforeSql('d.last_quarter', 1)}`
}

/** One row a watched institution of any kind. */
export const watchedFigures: string = universes.map(watchedSql).join('\nUNION ALL\n')
