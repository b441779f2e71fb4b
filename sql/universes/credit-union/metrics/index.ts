import { type Concept, type Metric, summed } from '../../../formula/metrics/metric.ts'
import { balanceSheet, investments } from './balance-sheet.ts'
import { efficiency, income, profitability } from './income.ts'
import { assetQuality, loanConcepts, loanMix, loans } from './loans.ts'
import { capitalRatios, growth, liquidity, members, securityRatios, shareTypes } from './members.ts'
import { average, metric, sum } from './terms.ts'

/** The figures of a credit union, by NCUA's definitions, in catalog order. */
export const metrics: readonly Metric[] = [
  ...balanceSheet,
  ...members,
  ...loans,
  ...shareTypes,
  ...investments,
  ...income,
  ...profitability,
  ...efficiency,
  ...capitalRatios,
  ...assetQuality,
  ...loanMix,
  ...liquidity,
  ...securityRatios,
  ...growth,
]

/** What ratios are made of, where it is no metric by itself. */
export const concepts: readonly Concept[] = [
  ...loanConcepts,
  summed('cash_and_investments', sum(metric('cash'), metric('total_investments'))),
  ...['total_assets', 'total_loans', 'total_shares', 'net_worth', 'cash_and_investments'].map(average),
  summed('operating_revenue', sum(metric('net_interest_income'), metric('noninterest_income'))),
  summed(
    'net_operating_expense',
    `${metric('noninterest_expense')} - ExistingOf(${metric('fee_income')}, 0)`,
  ),
  summed('fixed_and_foreclosed', sum(metric('fixed_assets'), metric('foreclosed_assets'))),
  summed('liquid_assets', sum(metric('cash'), metric('short_term_investments'))),
  summed('shares_and_net_worth', sum(metric('total_shares'), metric('net_worth'))),
  summed('shares_and_borrowings', sum(metric('total_shares'), metric('borrowings'))),
  summed('core_shares', sum(metric('regular_shares'), metric('share_drafts'))),
  summed(
    'assets_for_shares',
    `${metric('total_assets')} - (${metric('total_liabilities')} - ExistingOf(${metric('total_shares')}, 0))`,
  ),
  summed('cost_afs', `${metric('securities_afs')} - ExistingOf(${metric('unrealized_gains_afs')}, 0)`),
  summed('unrealized_gains', sum(metric('unrealized_gains_afs'), metric('unrealized_gains_htm'))),
]
