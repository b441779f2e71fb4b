import { area } from '../../../formula/metrics/metric.ts'
import { item, items, line, metric, ofDepositories, percentOf, report, sum } from './terms.ts'

const deposits = area('deposits')
const { money, percent } = area('liquidity')
const securities = area('securities')
const growth = area('growth')

/** Schedule HC-E parts time and brokered deposits at $250,000 since 2017, and at $100,000 before. */
const generation = (now: string, before: string) => `ExistingOf(${now}, ${before})`

export const funding = [
  deposits.money('time_deposits_large', {
    label: 'Time deposits above the insurance limit',
    formula: generation(ofDepositories('J474'), ofDepositories('2604')),
    source: report('BHSR1343'),
    description: 'More than $250,000; before 2017 $100,000 or more.',
  }),
  deposits.money('brokered_deposits_small', {
    label: 'Brokered deposits up to the insurance limit',
    formula: generation(items('BHDMHK06', 'BHDMHK31'), items('BHDMA243', 'BHDMA164')),
    source: report('BHSR1345'),
    description: 'Of $250,000 or less; before 2017 less than $100,000.',
  }),
  deposits.money('core_deposits', {
    label: 'Core deposits',
    direction: 'higher',
    formula: `${sum(ofDepositories('2210').replace('BHOD2210', 'BHOD3189'), metric('transaction_accounts'), metric('savings_deposits'), generation(ofDepositories('HK29'), ofDepositories('6648')))} - ExistingOf(${metric('brokered_deposits_small')}, 0)`,
    source: report('BHSR095'),
    description: 'Domestic deposits but large time deposits and brokered ones up to the insurance limit.',
  }),
  money('noncore_funding', {
    label: 'Noncore funding',
    direction: 'lower',
    formula: sum(
      ...['time_deposits_large', 'brokered_deposits_small', 'foreign_deposits', 'fed_funds_purchased'].map(
        (key) => metric(key),
      ),
      ...['commercial_paper', 'short_term_borrowings', 'long_term_borrowings'].map((key) => metric(key)),
    ),
    source: report('BHSR096'),
  }),
  money('short_term_investments', {
    label: 'Short-term investments',
    formula: sum(metric('interest_bearing_balances'), metric('fed_funds_sold'), item('0383')),
    source: line('HC 1.b, 3, HC-B Memo 2.a'),
    description: 'Interest-bearing balances, federal funds sold, and debt securities of one year or less.',
  }),
  money('long_term_assets', {
    label: 'Loans, securities of more than one year and equity securities',
    formula: sum(metric('net_loans'), items('0384', '0387'), item('JA22', 'A511')),
    source: report('BHSR225'),
  }),
  deposits.percent('core_deposits_ratio', {
    label: 'Core deposits to assets',
    direction: 'higher',
    formula: percentOf('core_deposits', 'total_assets'),
    source: report('BHSR116'),
  }),
  deposits.percent('foreign_deposits_ratio', {
    label: 'Foreign deposits to assets',
    formula: percentOf('foreign_deposits', 'total_assets'),
    source: report('BHSR269'),
  }),
  deposits.percent('noninterest_bearing_deposits_ratio', {
    label: 'Noninterest-bearing deposits to deposits',
    formula: percentOf('noninterest_bearing_deposits', 'total_deposits'),
    source: line('HC 13'),
  }),
  percent('noncore_funding_ratio', {
    label: 'Noncore funding to assets',
    direction: 'lower',
    formula: percentOf('noncore_funding', 'total_assets'),
    source: report('BHSR117'),
  }),
  percent('net_noncore_funding_dependence', {
    label: 'Net noncore funding dependence',
    direction: 'lower',
    formula: `PCTOF(${metric('noncore_funding')} - ${metric('short_term_investments')}, ${metric('long_term_assets')})`,
    source: report('BHSR231'),
  }),
  percent('short_term_investments_ratio', {
    label: 'Short-term investments to assets',
    formula: percentOf('short_term_investments', 'total_assets'),
    source: report('BHSR254'),
  }),
  percent('loan_to_deposit_ratio', {
    label: 'Net loans to deposits',
    formula: percentOf('net_loans', 'total_deposits'),
    source: report('BHSR121'),
  }),
  percent('loans_to_core_deposits', {
    label: 'Net loans to core deposits',
    formula: percentOf('net_loans', 'core_deposits'),
    source: report('BHSR287'),
  }),
  percent('fed_funds_purchased_ratio', {
    label: 'Federal funds purchased and repos to assets',
    formula: percentOf('fed_funds_purchased', 'total_assets'),
    source: report('BHSR272'),
  }),
  percent('short_term_borrowings_ratio', {
    label: 'Borrowings of one year or less to assets',
    formula: percentOf('short_term_borrowings', 'total_assets'),
    source: report('BHSR284'),
  }),
  percent('interest_bearing_balances_ratio', {
    label: 'Interest-bearing balances to assets',
    formula: percentOf('interest_bearing_balances', 'total_assets'),
    source: report('BHSR061'),
  }),
  securities.money('securities_afs', {
    label: 'Available-for-sale securities',
    formula: item('1773'),
    source: report('BHSR740'),
    description: 'At fair value.',
  }),
  securities.money('securities_htm', {
    label: 'Held-to-maturity securities',
    formula: item('JJ34', '1754'),
    source: line('HC 2.a'),
    description: 'At amortised cost, net of allowance where there is one.',
  }),
  securities.money('unrealized_gains_afs', {
    label: 'Unrealised gains on available-for-sale securities',
    direction: 'higher',
    formula: `${item('1773')} - ${item('1772')}`,
    source: report('BHSR837'),
  }),
  securities.money('unrealized_gains_htm', {
    label: 'Unrealised gains on held-to-maturity securities',
    direction: 'higher',
    formula: `${item('1771')} - ${item('1754')}`,
    source: report('BHSR836'),
  }),
  securities.money('pledged_securities', {
    label: 'Pledged securities',
    formula: item('0416'),
    source: line('HC-B Memo 1'),
  }),
  securities.percent('investment_securities_ratio', {
    label: 'Investment securities to assets',
    formula: percentOf('investment_securities', 'total_assets'),
    source: report('BHSR622'),
  }),
  securities.percent('securities_afs_ratio', {
    label: 'Available-for-sale securities to investment securities',
    formula: percentOf('securities_afs', 'investment_securities'),
    source: report('BHSR741'),
  }),
  securities.percent('pledged_securities_ratio', {
    label: 'Pledged securities to investment securities',
    formula: percentOf('pledged_securities', 'investment_securities'),
    source: report('BHSR305'),
  }),
  securities.percent('unrealized_gains_afs_to_tier1', {
    label: 'Unrealised gains on available-for-sale securities to tier 1 capital',
    direction: 'higher',
    formula: percentOf('unrealized_gains_afs', 'tier1_capital'),
    source: report('BHSR842'),
  }),
  securities.percent('unrealized_gains_htm_to_tier1', {
    label: 'Unrealised gains on held-to-maturity securities to tier 1 capital',
    direction: 'higher',
    formula: percentOf('unrealized_gains_htm', 'tier1_capital'),
    source: report('BHSR841'),
  }),
]

const changes: Record<string, [of: string, label: string, code: string]> = {
  asset_growth_1y: ['total_assets', 'Growth of assets', 'BHSR129'],
  loan_growth_1y: ['net_loans', 'Growth of net loans', 'BHSR126'],
  deposit_growth_1y: ['total_deposits', 'Growth of deposits', ''],
  core_deposit_growth_1y: ['core_deposits', 'Growth of core deposits', 'BHSR127'],
  noncore_funding_growth_1y: ['noncore_funding', 'Growth of noncore funding', 'BHSR128'],
  short_term_investment_growth_1y: ['short_term_investments', 'Growth of short-term investments', 'BHSR234'],
  securities_growth_1y: ['investment_securities', 'Growth of investment securities', 'BHSR235'],
  equity_growth_1y: ['total_equity', 'Growth of equity', 'BHSR348'],
}

export const growths = Object.entries(changes).map(([key, [of, label, code]]) =>
  growth.percent(key, {
    label: `${label} over a year`,
    formula: `CHANGEYI(#m:${of}, 1)`,
    source: code ? report(code) : line('HC 13'),
  }),
)
