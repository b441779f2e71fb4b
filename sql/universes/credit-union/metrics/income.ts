import { area } from '../../../formula/metrics/metric.ts'
import { account, accounts, annualised, asReported, firstOf, metric, percentOf } from './terms.ts'

const { money } = area('income')
const { percent } = area('profitability')
const { percent: cost } = area('efficiency')

/** Calendar year to date, as reported. */
export const income = [
  ...asReported(money, [
    ['interest_income', 'Interest income', '115'],
    ['investment_income', 'Income of investments', '120 124'],
    ['interest_expense', 'Interest expense', '350'],
    ['dividends', 'Dividends and interest on shares', '380 381'],
    ['borrowing_expense', 'Interest on borrowed money', '340'],
    ['provision', 'Provision for credit losses', '300 IS0017'],
    ['noninterest_income', 'Noninterest income', '117'],
    ['fee_income', 'Fees', '131'],
    ['noninterest_expense', 'Noninterest expense', '671'],
    ['compensation', 'Compensation and benefits', '210'],
    ['office_expense', 'Office occupancy and operations', '250 260'],
    ['loan_servicing_expense', 'Loan servicing', '280'],
    ['promotion_expense', 'Education and promotion', '270'],
    ['professional_expense', 'Professional and outside services', '290'],
    ['net_income', 'Net income', '661A', 'higher'],
  ]),
  money('loan_income', {
    label: 'Interest on loans',
    formula: `${account('110')} - ExistingOf(${account('119')}, 0)`,
    source: '5300 account 110 - 119',
  }),
  money('net_interest_income', {
    label: 'Net interest income',
    formula: `${account('115')} - ExistingOf(${account('350')}, 0)`,
    source: '5300 account 115 - 350',
  }),
  money('other_operating_income', {
    label: 'Other operating income',
    formula: firstOf(account('IS0020'), account('659')),
    source: '5300 account IS0020; before 2022 659',
  }),
  money('gross_income', {
    label: 'Gross income',
    formula: `${accounts('115', '131')} + ExistingOf(${metric('other_operating_income')}, 0)`,
    source: 'FPR: 115 + 131 + other operating income',
  }),
]

const ofAssets = (key: string, label: string, flow: string, source: string, direction: 'higher' | 'lower') =>
  percent(key, {
    label: `${label} to average assets`,
    direction,
    formula: annualised(flow, 'average_total_assets'),
    source,
  })

/** Annualised, to averages of the balance and that of the year-end before: the Financial Performance Report's. */
export const profitability = [
  ofAssets('roa', 'Net income', 'net_income', 'FPR: 661A annualised / average 010', 'higher'),
  percent('roe', {
    label: 'Net income to average net worth',
    direction: 'higher',
    formula: `IF(${metric('average_net_worth')} > 0, ${annualised('net_income', 'average_net_worth')}, NULL)`,
    source: '5300 account 661A annualised / average 997',
  }),
  ofAssets(
    'nim',
    'Net interest income',
    'net_interest_income',
    'FPR: net interest margin / average 010',
    'higher',
  ),
  ofAssets('gross_income_ratio', 'Gross income', 'gross_income', 'FPR: gross income / average 010', 'higher'),
  ofAssets('fee_income_ratio', 'Fees', 'fee_income', '5300 account 131 annualised / average 010', 'higher'),
  ofAssets(
    'noninterest_income_ratio',
    'Noninterest income',
    'noninterest_income',
    '5300 account 117 annualised / average 010',
    'higher',
  ),
  ofAssets(
    'cost_of_funds',
    'Interest expense',
    'interest_expense',
    'FPR: cost of funds / average 010',
    'lower',
  ),
  ofAssets('provision_ratio', 'Provision', 'provision', 'FPR: credit loss expense / average 010', 'lower'),
  percent('yield_on_loans', {
    label: 'Yield on average loans',
    direction: 'higher',
    formula: annualised('loan_income', 'average_total_loans'),
    source: 'FPR: (110 - 119) annualised / average 025B',
  }),
  percent('yield_on_investments', {
    label: 'Yield on average investments and cash',
    direction: 'higher',
    formula: annualised('investment_income', 'average_cash_and_investments'),
    source: 'FPR: (120 + 124) annualised / average investments and cash',
  }),
  percent('cost_of_shares', {
    label: 'Dividends to average shares',
    direction: 'lower',
    formula: annualised('dividends', 'average_total_shares'),
    source: '5300 account (380 + 381) annualised / average 018',
  }),
]

export const efficiency = [
  cost('noninterest_expense_ratio', {
    label: 'Noninterest expense to average assets',
    direction: 'lower',
    formula: annualised('noninterest_expense', 'average_total_assets'),
    source: 'FPR: operating expenses / average 010',
  }),
  cost('net_operating_expense_ratio', {
    label: 'Noninterest expense less fees to average assets',
    direction: 'lower',
    formula: annualised('net_operating_expense', 'average_total_assets'),
    source: 'FPR: (671 - 131) annualised / average 010',
  }),
  cost('expense_to_gross_income', {
    label: 'Noninterest expense to gross income',
    direction: 'lower',
    formula: percentOf('noninterest_expense', 'gross_income'),
    source: 'FPR: operating expenses / gross income',
  }),
  cost('efficiency_ratio', {
    label: 'Noninterest expense to net interest and noninterest income',
    direction: 'lower',
    formula: percentOf('noninterest_expense', 'operating_revenue'),
    source: '5300 account 671 / (115 - 350 + 117)',
  }),
  cost('fixed_and_foreclosed_ratio', {
    label: 'Fixed and foreclosed assets to assets',
    direction: 'lower',
    formula: percentOf('fixed_and_foreclosed', 'total_assets'),
    source: 'FPR: (007 + 008 + 798A) / 010',
  }),
]
