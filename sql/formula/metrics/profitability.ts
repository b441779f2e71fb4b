import { area } from './metric.ts'
import { annualised, annualisedAsUbpr, annualisedQuarter, metric, percentOf } from './terms.ts'

const { percent } = area('profitability')

/** Annualised returns and margins. Unqualified names are FDIC's definitions, `ubpr_` ones the UBPR's. */
export const profitability = [
  percent('roa', {
    label: 'Return on assets',
    direction: 'higher',
    formula: annualised('net_income', 'average_assets'),
    source: 'FDIC ROA',
    description: 'Net income, annualised, to average assets of the year to date.',
  }),
  percent('roe', {
    label: 'Return on equity',
    direction: 'higher',
    formula: `IF(${metric('average_equity')} > 0, ${annualised('net_income', 'average_equity')}, NULL)`,
    source: 'FDIC ROE',
  }),
  percent('roa_quarter', {
    label: 'Return on assets of the quarter',
    direction: 'higher',
    formula: annualisedQuarter('net_income_quarter', 'average_assets_quarter'),
    source: 'FDIC ROAQ',
  }),
  percent('pretax_roa', {
    label: 'Pretax return on assets',
    direction: 'higher',
    formula: annualised('pretax_income', 'average_assets'),
    source: 'FDIC ROAPTX',
  }),
  percent('pre_provision_roa', {
    label: 'Pre-provision net revenue to average assets',
    direction: 'higher',
    formula: annualised('pre_provision_net_revenue', 'average_assets'),
    source: 'UBPRPG69, not tax-equivalent',
  }),
  percent('nim', {
    label: 'Net interest margin',
    direction: 'higher',
    formula: annualised('net_interest_income', 'average_earning_assets'),
    source: 'FDIC NIMY',
    description:
      'Net interest income, annualised, to average earning assets of the year to date; not tax-equivalent.',
  }),
  percent('nim_quarter', {
    label: 'Net interest margin of the quarter',
    direction: 'higher',
    formula: annualisedQuarter('net_interest_income_quarter', 'average_earning_assets_quarter'),
    source: 'FDIC NIMYQ',
  }),
  percent('yield_on_earning_assets', {
    label: 'Yield on earning assets',
    direction: 'higher',
    formula: annualised('interest_income', 'average_earning_assets'),
    source: 'FDIC INTINCY',
  }),
  percent('cost_of_funds', {
    label: 'Cost of funding earning assets',
    direction: 'lower',
    formula: annualised('interest_expense', 'average_earning_assets'),
    source: 'FDIC INTEXPY',
    description:
      'Interest expense, annualised, to average earning assets: the yield less this is the margin.',
  }),
  percent('yield_on_earning_assets_quarter', {
    label: 'Yield on earning assets of the quarter',
    direction: 'higher',
    formula: annualisedQuarter('interest_income_quarter', 'average_earning_assets_quarter'),
    source: 'FDIC INTINCYQ',
  }),
  percent('cost_of_funds_quarter', {
    label: 'Cost of funding earning assets of the quarter',
    direction: 'lower',
    formula: annualisedQuarter('interest_expense_quarter', 'average_earning_assets_quarter'),
    source: 'FDIC INTEXPYQ',
  }),
  percent('yield_on_loans', {
    label: 'Yield on loans and leases',
    direction: 'higher',
    formula: annualised('loan_income', 'average_loans'),
    source: 'RI 1.a + 1.b to FDIC LNLSGR5',
  }),
  percent('yield_on_securities', {
    label: 'Yield on securities',
    direction: 'higher',
    formula: annualised('securities_income', 'average_securities'),
    source: 'RI 1.d to average securities',
  }),
  percent('cost_of_deposits', {
    label: 'Cost of deposits',
    direction: 'lower',
    formula: annualised('deposit_interest_expense', 'average_deposits'),
    source: 'RI 2.a to average total deposits',
  }),
  percent('cost_of_interest_bearing_deposits', {
    label: 'Cost of interest-bearing deposits',
    direction: 'lower',
    formula: annualised('deposit_interest_expense', 'average_interest_bearing_deposits'),
    source: 'RI 2.a to average interest-bearing deposits',
  }),
  percent('noninterest_income_ratio', {
    label: 'Noninterest income to average assets',
    direction: 'higher',
    formula: annualised('noninterest_income', 'average_assets'),
    source: 'FDIC NONIIAY',
  }),
  percent('provision_ratio', {
    label: 'Provision to average assets',
    direction: 'lower',
    formula: annualised('provision', 'average_assets'),
    source: 'FDIC ELNATRY',
  }),
  percent('earning_assets_ratio', {
    label: 'Earning assets to total assets',
    direction: 'higher',
    formula: percentOf('earning_assets', 'total_assets'),
    source: 'FDIC ERNASTR',
  }),
  percent('noninterest_income_share', {
    label: 'Noninterest income to net operating revenue',
    formula: percentOf('noninterest_income', 'operating_revenue'),
    source: 'RI 5.m to 3 + 5.m',
  }),
  percent('effective_tax_rate', {
    label: 'Effective tax rate',
    formula: `IF(${metric('pretax_income')} > 0, ${percentOf('income_taxes', 'pretax_income')}, NULL)`,
    source: 'RI 9 to 8.c',
  }),
  percent('ubpr_roa', {
    label: 'Net income to average assets (UBPR)',
    direction: 'higher',
    formula: annualisedAsUbpr('net_income', 'ubpr_average_assets'),
    source: 'UBPRE013',
    description: 'Over the quarterly averages of Schedule RC-K, where FDIC takes quarter-end balances.',
  }),
  percent('ubpr_roe', {
    label: 'Net income to average equity (UBPR)',
    direction: 'higher',
    formula: `IF(${metric('average_equity_own')} > 0, ${annualisedAsUbpr('net_income', 'average_equity_own')}, NULL)`,
    source: 'UBPRE630',
    description: 'The average takes no account of mergers.',
  }),
  percent('ubpr_noninterest_expense_ratio', {
    label: 'Noninterest expense to average assets (UBPR)',
    direction: 'lower',
    formula: annualisedAsUbpr('noninterest_expense', 'ubpr_average_assets'),
    source: 'UBPRE005',
  }),
]
