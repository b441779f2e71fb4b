import { quotedAll } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import { code, column, count, figure, money, percent } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { choice, institution, integer, state, timeParameters } from '../../catalog/parameters.ts'
import { declaredTable } from '../../catalog/tables.ts'

const lending = declaredTable('hmda_lending')

/** Banks that merged into it, and into those, by NIC: 1 a merger, 50 a failure whose charter went to the buyer. */
const predecessors = `
  WITH RECURSIVE merged AS (
    SELECT {rssd_id:UInt32} AS id, 0 AS depth
    UNION ALL
    SELECT DISTINCT toUInt32(t.predecessor_rssd_id) AS id, m.depth + 1 AS depth FROM transformations AS t
    INNER JOIN merged AS m ON t.successor_rssd_id = m.id WHERE t.kind IN (1, 50) AND m.depth < 12
  ) SELECT id FROM merged`

const parameters = {
  rssd_id: { ...institution(banks), where: undefined },
  ...timeParameters(lending.time),
  year: integer({
    doc: 'Activity year.',
    min: 1990,
    max: 2299,
    where: 'activity_year = {year:UInt16}',
    example: '2023',
  }),
  state: state('state'),
  group_by: choice(['purpose', 'type'], { doc: 'Rows by the purpose of the loans, or by their type, too.' }),
  include: choice(['predecessors'], {
    doc: 'Lending of the banks that merged into it too, by NIC; otherwise its own alone.',
  }),
}

const of = (...actions: string[]) => `sumIf(loans, action IN (${quotedAll(actions)}))`
const dollarsOf = (...actions: string[]) => of(...actions).replace('(loans', '(dollars')
const applied = ['originated', 'approved_not_accepted', 'denied', 'withdrawn', 'incomplete']

const columns = [
  column('UInt16', 'year', 'Activity year', { sql: 'activity_year' }),
  code('state', 'State', {
    nullable: true,
    doc: 'Of the property; null where the register does not say.',
  }),
  count('applications', 'Applications', { sql: of(...applied), doc: 'Requests for a preapproval are none.' }),
  count('originations', 'Originations', { sql: of('originated') }),
  count('approved_not_accepted', 'Approved, not accepted', { sql: of('approved_not_accepted') }),
  count('denials', 'Denials', { sql: of('denied') }),
  count('withdrawn', 'Withdrawn', { sql: of('withdrawn') }),
  count('incomplete', 'Closed for incompleteness', { sql: of('incomplete') }),
  count('purchased', 'Loans purchased', { sql: of('purchased') }),
  percent('denial_rate', 'Denial rate', {
    doc: 'Denials to all applications that were decided on: withdrawn and incomplete ones are none.',
    sql: `100 * ${of('denied')} / nullIf(${of('originated', 'approved_not_accepted', 'denied')}, 0)`,
  }),
  money('application_amount', 'Amount applied for', { nullable: false, sql: dollarsOf(...applied) }),
  money('origination_amount', 'Amount originated', { nullable: false, sql: dollarsOf('originated') }),
  money('denial_amount', 'Amount denied', { nullable: false, sql: dollarsOf('denied') }),
  money('purchase_amount', 'Amount purchased', { nullable: false, sql: dollarsOf('purchased') }),
  money('mean_amount', 'Mean loan originated', {
    sql: `${dollarsOf('originated')} / nullIf(${of('originated')}, 0)`,
  }),
  figure('median_amount', 'Median loan originated', {
    unit: 'thousands of US dollars',
    sql: `if(${of('originated')} = 0, NULL, toFloat64(quantileExactWeightedArray(0.5)(mapKeys(amounts), mapValues(amounts))))`,
  }),
]

const kinds = {
  purpose: code('purpose', 'Purpose', {
    doc: 'home_purchase, home_improvement, refinancing, cash_out_refinancing, other, not_applicable; until 2017 cash-out refinancings are among refinancings.',
  }),
  type: code('type', 'Type', { doc: 'conventional, fha, va, rural (USDA).' }),
} as const

const shared = {
  key: 'bank-hmda',
  time: lending.time,
  parameters,
  sources: ['hmda', 'nic-transformations'],
  from: (scope: { has(parameter: string): boolean }) => `
    SELECT * REPLACE (nullIf(state, '') AS state) FROM hmda_lending WHERE lender IN (
      SELECT own FROM links WHERE relation = 'hmda_lenders' AND entity = 'bank'
        AND entity_id IN (${scope.has('include') ? predecessors : 'SELECT {rssd_id:UInt32}'}))`,
} as const

export default dataset({
  ...shared,
  summary:
    'Mortgage applications and loans of one bank by activity year and state of the property, newest year first.',
  notes:
    'From the public loan application register. A lender is a bank by the RSSD ID of CFPB’s panel, before 2018 by what its agency knows it by; affiliated mortgage companies are lenders of their own. CFPB’s last panel is of 2023: a lender that is new since then is linked once it has one. Amounts are, since 2018, the midpoints of ten-thousand-dollar bands that the public register gives. Lenders below the thresholds of the Act do not report.',
  groupBy: ['year', 'state'],
  grain: ['year', 'state'],
  order: ['-year', '-originations'],
  columns,
  flat: {
    parameter: 'group_by',
    of: Object.fromEntries(
      (['purpose', 'type'] as const).map((name) => [
        name,
        dataset({
          ...shared,
          summary: `Mortgage applications and loans of one bank by year, state and ${name}.`,
          groupBy: ['year', 'state', name],
          grain: ['year', 'state', name],
          order: ['-year', '-originations'],
          columns: [...columns.slice(0, 2), kinds[name], ...columns.slice(2)],
          examples: [{ title: `By ${name}` }],
        }),
      ]),
    ),
  },
  examples: [
    { title: 'Every year and state', expect: { least: 1 } },
    { title: 'By purpose', query: 'group_by=purpose', expect: { least: 1 } },
    {
      title: 'With the banks that merged into it',
      query: 'include=predecessors&fields=year,state,originations',
      expect: { least: 1 },
    },
  ],
})
