/** Deposits by kind, as bank-deposits and bank-deposits-trends tell of them. */
import { banks } from '../../../sql/universes/bank/index.ts'
import { type Column, code, text } from '../columns.ts'
import { type MetricShape, metricSql } from '../relations.ts'

/** Kinds that add up to total deposits, and what each costs where Schedule RI tells. */
export const depositKinds = [
  ['demand_deposits', 'Demand deposits', undefined],
  ['other_transaction_deposits', 'Other transaction accounts', 'cost_of_interest_transaction_deposits'],
  ['money_market_deposits', 'Money market deposit accounts', 'cost_of_all_savings_deposits'],
  ['savings_deposits', 'Other savings deposits', 'cost_of_all_savings_deposits'],
  ['time_deposits_under_100k', 'Time deposits of less than $100,000', 'cost_of_time_deposits'],
  ['time_deposits_100k_250k', 'Time deposits of $100,000 through $250,000', 'cost_of_time_deposits'],
  ['large_time_deposits', 'Time deposits of more than $250,000', 'cost_of_time_deposits'],
  ['foreign_deposits', 'Deposits in foreign offices', 'cost_of_foreign_deposits'],
] as const

/** Of the same deposits, looked at otherwise: these do not add up. */
export const depositSources = [
  ['brokered_deposits', 'Brokered deposits'],
  ['reciprocal_deposits', 'Reciprocal deposits'],
  ['listing_service_deposits', 'Deposits through listing services, not brokered'],
  ['public_deposits', 'Deposits of states and political subdivisions'],
] as const

/** Metrics of every row of the trends, and of the snapshot. */
export const depositMetrics = [
  'total_deposits',
  'domestic_deposits',
  'noninterest_bearing_deposits',
  'interest_bearing_deposits',
  'core_deposits',
  ...depositKinds.map(([key]) => key),
  ...depositSources.map(([key]) => key),
  'estimated_uninsured_deposits',
  'insured_deposits',
  'estimated_uninsured_deposits_ratio',
  'noninterest_bearing_deposits_ratio',
  'core_deposits_ratio',
  'brokered_deposits_ratio',
  'reciprocal_deposits_ratio',
  'public_deposits_ratio',
  'large_time_deposits_ratio',
  'loan_to_deposit_ratio',
  'cost_of_interest_transaction_deposits',
  'cost_of_all_savings_deposits',
  'cost_of_time_deposits',
  'cost_of_foreign_deposits',
  'deposit_growth_1q',
  'deposit_growth_1y',
] as const

/** How uninsured deposits are known, over a relation of that shape. */
export const uninsuredMethod = (shape: MetricShape): Column =>
  code('uninsured_method', 'Method of uninsured deposits', {
    nullable: true,
    doc: '`reported`: the bank’s own estimate. `accounts`: what accounts above the insurance limit hold above it. Null where neither can be known.',
    sql: `multiIf(isNotNull(${metricSql(banks, 'uninsured_deposits', shape)}), 'reported', isNotNull(${metricSql(banks, 'estimated_uninsured_deposits', shape)}), 'accounts', NULL)`,
  })

/** The same over `bank_rows`, and why nothing is known. */
export const uninsuredColumns: readonly Column[] = [
  uninsuredMethod('array'),
  text('uninsured_reason', 'Why uninsured deposits are not known', {
    nullable: true,
    sql: `if(isNull(${metricSql(banks, 'estimated_uninsured_deposits', 'array')}), 'Schedule RC-O of this filing has neither an estimate of uninsured deposits nor the accounts above the insurance limit', NULL)`,
  }),
]
