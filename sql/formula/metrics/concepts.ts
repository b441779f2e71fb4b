import { loanTypeConcepts } from './asset-quality.ts'
import { depositBookConcepts } from './deposit-book.ts'
import { riskConcepts } from './failure-risk.ts'
import { type Concept, summed } from './metric.ts'
import { orderConcepts } from './scorecard.ts'
import {
  consolidated,
  domestic,
  foreign,
  income,
  metric,
  orZero,
  quarterAverage,
  regulatory,
  sum,
  yearToDateAverage,
} from './terms.ts'

/** The figure of those filers only that have the other one too, so that sums over banks match. */
const ofThoseWith = (key: string, other: string) => `IF(IsNil(${metric(other)}), NULL, ${metric(key)})`
const ofElecting = (key: string) => `IF(${metric('cblr_elected')} = 1, ${metric(key)}, NULL)`

/** Named formulas that metrics build on and that are not served by themselves. */
export const concepts: readonly Concept[] = [
  summed('average_securities', yearToDateAverage('securities')),
  summed('average_deposits', yearToDateAverage('total_deposits')),
  summed('average_interest_bearing_deposits', yearToDateAverage('interest_bearing_deposits')),
  summed('average_equity_own', yearToDateAverage('total_equity', false)),
  summed('interest_income_quarter', 'QUARTER(#m:interest_income)'),
  summed('interest_expense_quarter', 'QUARTER(#m:interest_expense)'),
  summed('average_loans_quarter', quarterAverage('total_loans')),
  summed(
    'overhead_expense',
    `${metric('noninterest_expense')} - ${orZero(metric('intangible_amortization'))}`,
  ),
  // UBPRE878: a filer without the quarterly average has its quarter-end instead.
  summed(
    'reported_average_assets',
    `IF(${consolidated('3368')} > 0, ${consolidated('3368')}, ${metric('total_assets')})`,
  ),
  // UBPRE386
  summed('reported_average_loans', sum(domestic('3360'), foreign('3360'), consolidated('3484'))),
  summed('ubpr_average_loans', 'CAVG04X(#m:reported_average_loans)'),
  // UBPRE131
  summed('gross_loans', `${metric('total_loans')} + ${orZero(consolidated('2123'))}`),
  // UBPR1795
  summed('ubpr_net_loss', `${sum(income('C079'), income('5523'))} - ${income('4605')}`),
  summed('cet1_capital_risk_based', ofThoseWith('cet1_capital', 'risk_weighted_assets')),
  summed('tier1_capital_risk_based', ofThoseWith('tier1_capital', 'risk_weighted_assets')),
  summed('risk_based_assets', ofThoseWith('total_assets', 'risk_weighted_assets')),
  summed('leverage_exposure', regulatory('H015')),
  summed('tier1_capital_slr', ofThoseWith('tier1_capital', 'leverage_exposure')),
  summed('cblr_tier1_capital', ofElecting('tier1_capital')),
  summed('cblr_leverage_assets', ofElecting('leverage_assets')),
  // 12 CFR 324.403(b)(5): tangible equity is tier 1 capital and other perpetual preferred stock.
  summed('tangible_capital', `MAX(${metric('tier1_capital')}, ${orZero(metric('tangible_equity'))})`),
  summed('uninsured_reporters_deposits', ofThoseWith('domestic_deposits', 'uninsured_deposits')),
  ...loanTypeConcepts,
  ...depositBookConcepts,
  ...orderConcepts,
  ...riskConcepts,
]
