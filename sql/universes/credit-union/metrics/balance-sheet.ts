import { area } from '../../../formula/metrics/metric.ts'
import { account, accounts, asReported, firstOf, metric, sum } from './terms.ts'

const { money } = area('balance-sheet')
const { money: held } = area('securities')
const { money: capital } = area('capital')

/** Page 1 of the 5300: assets, liabilities and equity. */
export const balanceSheet = [
  ...asReported(money, [['total_assets', 'Total assets', '010']]),
  ...asReported(money, [['cash', 'Cash and deposits on demand', '730A 730B 730C AS0008']]),
  money('total_investments', {
    label: 'Investments',
    formula: firstOf(accounts('AS0007', 'AS0013', 'AS0017'), account('799I')),
    source: '5300 account AS0007 + AS0013 + AS0017; before 2022 799I',
    description: 'Investment securities, time deposits with others, and other investments; no cash.',
  }),
  ...asReported(money, [
    ['total_loans', 'Loans and leases', '025B'],
    ['loans_held_for_sale', 'Loans held for sale', '003'],
    ['allowance', 'Allowance for losses on loans and leases', '719 AS0048'],
    ['fixed_assets', 'Land, building and other fixed assets', '007 008'],
    ['foreclosed_assets', 'Foreclosed and repossessed assets', '798A', 'lower'],
    ['ncusif_deposit', 'Deposit with the share insurance fund', '794'],
    ['cuso_investment', 'Investment in service organisations (CUSO)', '851'],
  ]),
  money('net_loans', {
    label: 'Loans net of the allowance',
    formula: `${metric('total_loans')} - ExistingOf(${metric('allowance')}, 0)`,
    source: '5300 account 025B - 719 - AS0048',
  }),
  money('other_assets', {
    label: 'Other assets',
    formula: firstOf(account('AS0036'), account('009')),
    source: '5300 account AS0036; before 2022 009',
  }),
  ...asReported(money, [
    ['total_shares', 'Shares and deposits', '018'],
    ['borrowings', 'Borrowings', '860C'],
    ['unfunded_commitments', 'Unfunded commitments', '816A'],
  ]),
  money('total_liabilities', {
    label: 'Liabilities and shares',
    formula: firstOf(account('LI0069'), accounts('018', '860C', '925A', '825', '820A')),
    source: '5300 account LI0069; before 2022 018 + 860C + 925A + 825 + 820A',
  }),
  money('total_equity', {
    label: 'Equity',
    formula: `${metric('total_assets')} - ${metric('total_liabilities')}`,
    source: '5300 account 010 - total liabilities',
  }),
  ...asReported(capital, [['net_worth', 'Net worth', '997', 'higher']]),
  capital('net_worth_without_transition', {
    label: 'Net worth without the transition to CECL',
    direction: 'higher',
    formula: `${account('997')} - (${firstOf(account('NW0010'), account('010'))} - ${account('010')})`,
    source: '5300 account 997 - (NW0010 - 010)',
    description: 'Without what the transition to CECL still puts back, as NCUA lists credit unions.',
  }),
  capital('net_worth_assets', {
    label: 'Assets that net worth is measured against',
    formula: `IF(${sum(account('010A'), account('010B'), account('010C'))} > 0,
      ${sum(account('010A'), account('010B'), account('010C'))} + ${firstOf(account('NW0010'), account('010'))} - ${account('010')},
      ${firstOf(account('NW0010'), account('010'))})`.replaceAll(/\s+/g, ' '),
    source: '5300 accounts NW0010, 010A, 010B, 010C; 12 CFR 702.2',
    description:
      'Total assets, or the average that the credit union elected, with what the transition to CECL still puts back.',
  }),
]

/** Investments by what they are and when they mature. */
export const investments = [
  ...asReported(held, [
    ['investment_securities', 'Investment securities', 'AS0013'],
    ['securities_htm', 'Held-to-maturity debt securities', 'AS0073'],
    ['securities_afs', 'Available-for-sale debt securities', 'AS0067'],
    ['equity_securities', 'Equity securities', 'AS0055'],
    ['time_deposits', 'Time deposits with banks and credit unions', 'AS0007'],
    ['fair_value_htm', 'Fair value of held-to-maturity securities', '801'],
    ['unrealized_gains_afs', 'Unrealized gains on available-for-sale securities', 'EQ0009', 'higher'],
    ['short_term_investments', 'Investments of at most a year', 'NV0153'],
    ['long_term_investments', 'Investments of more than three years', 'NV0155 NV0156 NV0157'],
  ]),
  held('unrealized_gains_htm', {
    label: 'Unrealized gains on held-to-maturity securities',
    direction: 'higher',
    formula: `${metric('fair_value_htm')} - ${metric('securities_htm')}`,
    source: '5300 account 801 - AS0073',
  }),
]
