/** Metrics that a page begins with. */
import { THOUSANDS } from './numbers.ts'

export interface MetricName {
  readonly key: string
  readonly label: string
  readonly unit: string
}

const amount = (key: string, label: string): MetricName => ({ key, label, unit: THOUSANDS })
const ratio = (key: string, label: string): MetricName => ({ key, label, unit: 'percent' })

/** All three kinds of institution have these, in this order. */
export const headline: readonly MetricName[] = [
  amount('total_assets', 'Total assets'),
  amount('total_loans', 'Total loans'),
  amount('total_deposits', 'Total deposits'),
  amount('total_equity', 'Equity'),
  amount('net_income', 'Net income, year to date'),
  ratio('roa', 'Return on assets'),
  ratio('roe', 'Return on equity'),
  ratio('nim', 'Net interest margin'),
  ratio('efficiency_ratio', 'Efficiency ratio'),
]

/** Drawn through time for a bank. */
export const bankTrends: readonly MetricName[] = [
  headline[0]!,
  ratio('roa', 'Return on assets'),
  ratio('roe', 'Return on equity'),
  ratio('nim', 'Net interest margin'),
  ratio('efficiency_ratio', 'Efficiency ratio'),
  ratio('tier1_leverage_ratio', 'Tier 1 leverage ratio'),
  ratio('cet1_ratio', 'Common equity tier 1 ratio'),
  ratio('noncurrent_loans_ratio', 'Noncurrent loans'),
  ratio('net_chargeoffs_ratio', 'Net charge-offs'),
  ratio('loan_to_deposit_ratio', 'Loans to deposits'),
  ratio('construction_concentration', 'Construction loans to capital'),
  ratio('asset_growth_1y', 'Growth of assets in a year'),
]
