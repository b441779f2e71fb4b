import { area } from '../../../formula/metrics/metric.ts'
import { item, items, line, metric, ofParent, percentOf, report, sum } from './terms.ts'

const fees = area('fees-and-trading')
const offBalance = area('off-balance-sheet')
const parent = area('parent-company')

/** Fees by activity, trading, and what stands off the balance sheet. */
export const activities = [
  fees.money('fiduciary_income', {
    label: 'Income from fiduciary activities',
    direction: 'higher',
    formula: item('4070'),
    source: line('HI 5.a'),
  }),
  fees.money('service_charges', {
    label: 'Service charges on deposits',
    formula: item('4483'),
    source: line('HI 5.b'),
  }),
  fees.money('trading_revenue', {
    label: 'Trading revenue',
    direction: 'higher',
    formula: item('A220'),
    source: report('BHSR864'),
  }),
  fees.money('investment_banking_income', {
    label: 'Investment banking, advisory and brokerage fees',
    direction: 'higher',
    formula: `ExistingOf(${items('C886', 'C888', 'C887')}, ${item('B490')})`,
    source: report('BHSR1250'),
  }),
  fees.money('insurance_income', {
    label: 'Insurance revenue',
    formula: `ExistingOf(${items('C386', 'C387')}, ${item('B494')})`,
    source: report('BHSR1217'),
  }),
  fees.money('servicing_fees', {
    label: 'Net servicing fees',
    formula: item('B492'),
    source: line('HI 5.f'),
  }),
  fees.money('securitization_income', {
    label: 'Net securitization income',
    formula: item('B493'),
    source: line('HI 5.g'),
  }),
  ...Object.entries({
    fiduciary_income: ['Fiduciary income', 'BHSR1026'],
    service_charges: ['Service charges on deposits', 'BHSR1027'],
    trading_revenue: ['Trading revenue', 'BHSR1028'],
    investment_banking_income: ['Investment banking fees', 'BHSR1029'],
    insurance_income: ['Insurance revenue', 'BHSR1218'],
  } as const).map(([key, [label, code]]) =>
    fees.percent(`${key}_share`, {
      label: `${label} to adjusted operating income`,
      formula: percentOf(key, 'adjusted_operating_income'),
      source: report(code),
    }),
  ),
  fees.percent('trading_assets_ratio', {
    label: 'Trading assets to assets',
    formula: percentOf('trading_assets', 'total_assets'),
    source: report('BHSR153'),
  }),
  offBalance.money('loan_commitments', {
    label: 'Unused loan commitments',
    formula: sum(
      item('3814'),
      `ExistingOf(${items('J455', 'J456')}, ${item('3815')})`,
      items('3816', '6550', '3817'),
      `ExistingOf(${items('J457', 'J458', 'J459')}, ${item('3818')})`,
    ),
    source: report('BHSR491'),
  }),
  offBalance.money('standby_letters_of_credit', {
    label: 'Standby letters of credit',
    formula: items('6566', '6570'),
    source: report('BHSR288'),
  }),
  offBalance.money('commercial_letters_of_credit', {
    label: 'Commercial letters of credit',
    formula: item('3411'),
    source: line('HC-L 4'),
  }),
  offBalance.money('securities_lent', {
    label: 'Securities lent',
    formula: item('3433'),
    source: line('HC-L 6'),
  }),
  offBalance.money('derivatives_notional', {
    label: 'Notional amount of derivatives',
    formula: items('A126', 'A127', '8723', '8724', '8725', '8726', '8727', '8728'),
    source: report('BHSR803'),
    description:
      'Interest rate, foreign exchange, equity and commodity contracts; without credit derivatives.',
  }),
  offBalance.money('credit_derivatives_sold', {
    label: 'Credit protection sold',
    formula: items('C968', 'C970', 'C972', 'C974'),
    source: line('HC-L 7.a'),
  }),
  ...Object.entries({
    loan_commitments: ['Unused loan commitments', 'BHSR320'],
    standby_letters_of_credit: ['Standby letters of credit', 'BHSR328'],
    commercial_letters_of_credit: ['Commercial letters of credit', 'BHSR329'],
    securities_lent: ['Securities lent', 'BHSR335'],
  } as const).map(([key, [label, code]]) =>
    offBalance.percent(`${key}_ratio`, {
      label: `${label} to assets`,
      formula: percentOf(key, 'total_assets'),
      source: report(code),
    }),
  ),
]

/** The parent alone: FR Y-9LP of those that file FR Y-9C, FR Y-9SP of small holders. */
export const parentCompany = [
  parent.money('parent_assets', {
    label: 'Assets of the parent',
    formula: ofParent('2170'),
    source: 'FR Y-9LP PC 9; FR Y-9SP BS 7',
  }),
  parent.money('parent_equity', {
    label: 'Equity of the parent',
    formula: ofParent('3210'),
    source: 'FR Y-9LP PC 20; FR Y-9SP BS 16',
  }),
  parent.money('parent_net_income', {
    label: 'Net income of the parent',
    direction: 'higher',
    formula: ofParent('4340'),
    source: 'FR Y-9LP PI 9; FR Y-9SP IS 14',
    description: 'Year to date.',
  }),
  parent.money('parent_equity_in_subsidiaries', {
    label: 'Equity investment of the parent in subsidiaries',
    formula: sum(
      items('BHCP3239', 'BHCP3238', 'BHCP1273', 'BHCP0087', 'BHCP0201', 'BHCP0202'),
      items('BHSP3239', 'BHSP3238', 'BHSP0088', 'BHSP0087', 'BHSP0201', 'BHSP0202'),
    ),
    source: 'FR Y-9LP PC 5; FR Y-9SP BS 4, 5',
    description: 'With goodwill.',
  }),
  parent.money('parent_short_term_debt', {
    label: 'Short-term debt of the parent',
    formula: sum(items('BHCP2309', 'BHCP2332'), items('BHSP2309', 'BHSP2724')),
    source: 'FR Y-9LP PC 11, 12',
  }),
  parent.money('parent_long_term_debt', {
    label: 'Long-term debt of the parent',
    formula: sum(items('BHCP0368', 'BHCP4062'), items('BHSP3151')),
    source: 'FR Y-9LP PC 13, 15',
  }),
  parent.money('parent_bank_dividends', {
    label: 'Dividends of bank subsidiaries to the parent',
    formula: ofParent('0508'),
    source: 'FR Y-9LP PI 1.a(1); FR Y-9SP IS 1.a',
    description: 'Year to date.',
  }),
  parent.money('parent_interest_expense', {
    label: 'Interest expense of the parent',
    formula: ofParent('4073'),
    source: 'FR Y-9LP PI 2.b',
    description: 'Year to date.',
  }),
  parent.money('parent_pretax_income', {
    label: 'Income of the parent before taxes and undistributed income',
    formula: ofParent('4250'),
    source: 'FR Y-9LP PI 4',
    description: 'Year to date.',
  }),
  parent.percent('double_leverage', {
    label: 'Double leverage',
    direction: 'lower',
    formula: percentOf('parent_equity_in_subsidiaries', 'parent_equity'),
    source: report('BHSR183'),
    description: 'Equity investment in subsidiaries to equity of the parent.',
  }),
  parent.percent('parent_liabilities_to_equity', {
    label: 'Liabilities to equity of the parent',
    direction: 'lower',
    formula: `PCTOF(${metric('parent_assets')} - ${metric('parent_equity')}, ${metric('parent_equity')})`,
    source: report('BHSR171'),
  }),
  parent.percent('parent_long_term_debt_ratio', {
    label: 'Long-term debt to equity of the parent',
    direction: 'lower',
    formula: percentOf('parent_long_term_debt', 'parent_equity'),
    source: report('BHSR178'),
  }),
  parent.percent('parent_short_term_debt_ratio', {
    label: 'Short-term debt to equity of the parent',
    direction: 'lower',
    formula: percentOf('parent_short_term_debt', 'parent_equity'),
    source: report('BHSR180'),
  }),
  parent.percent('parent_interest_coverage', {
    label: 'Income before taxes and interest to interest expense of the parent',
    direction: 'higher',
    formula: `PCTOF(${sum(metric('parent_pretax_income'), metric('parent_interest_expense'))}, ${metric('parent_interest_expense')})`,
    source: report('BHSR189'),
  }),
] as const
