import { area, summed } from '../../../formula/metrics/metric.ts'
import { annualised, average, item, items, line, metric, percentOf, report, sum } from './terms.ts'

const { money } = area('income')
const { percent } = area('profitability')
const efficiency = area('efficiency')

/** Average loans of the quarter: one figure in the bulk files, domestic and foreign offices in the forms of today. */
const loansOfQuarter = summed(
  'loans_average_of_quarter',
  `ExistingOf(${item('3516')}, ${items('BHDM3516', 'BHFN3360')})`,
)
export const concepts = [loansOfQuarter] as const
const averageLoans = `m:${loansOfQuarter.key}`

/** Calendar year to date. */
export const income = [
  money('interest_income', { label: 'Interest income', formula: item('4107'), source: line('HI 1.h') }),
  money('interest_expense', { label: 'Interest expense', formula: item('4073'), source: line('HI 2.f') }),
  money('net_interest_income', {
    label: 'Net interest income',
    direction: 'higher',
    formula: item('4074'),
    source: line('HI 3'),
  }),
  money('net_interest_income_te', {
    label: 'Net interest income, tax-equivalent',
    direction: 'higher',
    formula: item('4519', '4074'),
    source: report('BHSR006'),
    description: 'As the holder states it (HI Memo 1); where it need not, the plain one.',
  }),
  money('provision', {
    label: 'Provision for credit losses',
    formula: item('JJ33', '4230'),
    source: line('HI 4'),
  }),
  money('noninterest_income', {
    label: 'Noninterest income',
    direction: 'higher',
    formula: item('4079'),
    source: line('HI 5.m'),
  }),
  money('noninterest_expense', {
    label: 'Noninterest expense',
    formula: item('4093'),
    source: report('BHSR967'),
  }),
  money('personnel_expense', {
    label: 'Salaries and employee benefits',
    formula: item('4135'),
    source: line('HI 7.a'),
  }),
  money('occupancy_expense', {
    label: 'Expense of premises and fixed assets',
    formula: item('4217'),
    source: line('HI 7.b'),
  }),
  money('securities_gains', {
    label: 'Realised gains on securities',
    formula: items('3521', '3196'),
    source: report('BHSR746'),
  }),
  money('pretax_income', {
    label: 'Income before taxes',
    direction: 'higher',
    formula: item('4301'),
    source: line('HI 8.c'),
  }),
  money('pretax_income_te', {
    label: 'Income before taxes, tax-equivalent',
    direction: 'higher',
    formula: item('4592', '4301'),
    source: line('HI Memo 2'),
  }),
  money('income_taxes', { label: 'Income taxes', formula: item('4302'), source: line('HI 9') }),
  money('net_income', {
    label: 'Net income',
    direction: 'higher',
    formula: item('4340'),
    source: line('HI 14'),
    description: 'Attributable to the holding company.',
  }),
  money('dividends', {
    label: 'Cash dividends declared',
    formula: items('4460', '4598'),
    source: report('BHSR011'),
    description: 'On common and on preferred stock.',
  }),
  money('adjusted_operating_income', {
    label: 'Net interest income (tax-equivalent) and noninterest income',
    direction: 'higher',
    formula: sum(metric('net_interest_income_te'), metric('noninterest_income')),
    source: report('BHSR273'),
  }),
  money('pre_provision_net_revenue', {
    label: 'Pre-provision net revenue',
    direction: 'higher',
    formula: `${metric('net_interest_income')} + ${metric('noninterest_income')} - ${metric('noninterest_expense')}`,
    source: line('HI 3, 5.m, 7.e'),
  }),
  money('average_assets', {
    label: 'Average assets',
    formula: average('3368'),
    source: report('BHSR013'),
    description: 'Mean of the quarterly averages of the year to date, of the quarters that were filed.',
  }),
  money('average_earning_assets', {
    label: 'Average earning assets',
    formula: average('B558', 'B559', 'B560', '3365', averageLoans, '3401', 'B985'),
    source: line('HC-K 1 to 4'),
    description: 'Mean of the quarterly averages of the year to date.',
  }),
  money('average_loans', {
    label: 'Average loans',
    formula: average(averageLoans),
    source: line('HC-K 3.a'),
  }),
  money('average_equity', { label: 'Average equity', formula: average('3519'), source: line('HC-K 11') }),
] as const

/** Annualised, to the averages of the year to date. */
export const profitability = [
  percent('roa', {
    label: 'Return on assets',
    direction: 'higher',
    formula: annualised('net_income', 'average_assets'),
    source: report('BHSR026'),
  }),
  percent('roe', {
    label: 'Return on equity',
    direction: 'higher',
    formula: `IF(${metric('average_equity')} > 0, ${annualised('net_income', 'average_equity')}, NULL)`,
    source: report('BHSR162'),
  }),
  percent('pretax_roa', {
    label: 'Pretax income (tax-equivalent) to average assets',
    direction: 'higher',
    formula: annualised('pretax_income_te', 'average_assets'),
    source: report('BHSR020'),
  }),
  percent('nim', {
    label: 'Net interest margin',
    direction: 'higher',
    formula: annualised('net_interest_income_te', 'average_earning_assets'),
    source: report('BHSR055'),
    description: 'Tax-equivalent, to average earning assets.',
  }),
  percent('net_interest_income_ratio', {
    label: 'Net interest income (tax-equivalent) to average assets',
    direction: 'higher',
    formula: annualised('net_interest_income_te', 'average_assets'),
    source: report('BHSR016'),
  }),
  percent('yield_on_earning_assets', {
    label: 'Yield on earning assets',
    direction: 'higher',
    formula: annualised('interest_income', 'average_earning_assets'),
    source: report('BHSR341'),
    description: 'Not tax-equivalent.',
  }),
  percent('cost_of_funds', {
    label: 'Interest expense to average earning assets',
    direction: 'lower',
    formula: annualised('interest_expense', 'average_earning_assets'),
    source: report('BHSR060'),
  }),
  percent('noninterest_income_ratio', {
    label: 'Noninterest income to average assets',
    direction: 'higher',
    formula: annualised('noninterest_income', 'average_assets'),
    source: report('BHSR018'),
  }),
  percent('noninterest_expense_ratio', {
    label: 'Noninterest expense to average assets',
    direction: 'lower',
    formula: annualised('noninterest_expense', 'average_assets'),
    source: report('BHSR019'),
  }),
  percent('provision_ratio', {
    label: 'Provision to average assets',
    direction: 'lower',
    formula: annualised('provision', 'average_assets'),
    source: report('BHSR017'),
  }),
  percent('securities_gains_ratio', {
    label: 'Realised gains on securities to average assets',
    formula: annualised('securities_gains', 'average_assets'),
    source: report('BHSR024'),
  }),
  percent('average_earning_assets_ratio', {
    label: 'Average earning assets to average assets',
    formula: percentOf('average_earning_assets', 'average_assets'),
    source: report('BHSR051'),
  }),
  percent('earning_assets_ratio', {
    label: 'Earning assets to assets',
    formula: percentOf('earning_assets', 'total_assets'),
    source: report('BHSR459'),
  }),
  percent('dividend_payout', {
    label: 'Dividends to net income',
    formula: `IF(${metric('net_income')} > 0, ${percentOf('dividends', 'net_income')}, NULL)`,
    source: report('BHSR151'),
    description: 'Absent where there is a loss.',
  }),
] as const

const toOperatingIncome = (key: string) => percentOf(key, 'adjusted_operating_income')

export const efficiencies = [
  efficiency.percent('efficiency_ratio', {
    label: 'Efficiency ratio',
    direction: 'lower',
    formula: `PCTOF(${metric('noninterest_expense')}, ${metric('net_interest_income')} + ${metric('noninterest_income')})`,
    source: report('BHSR698'),
    description: 'Noninterest expense to net interest and noninterest income.',
  }),
  efficiency.percent('efficiency_ratio_te', {
    label: 'Efficiency ratio, tax-equivalent',
    direction: 'lower',
    formula: toOperatingIncome('noninterest_expense'),
    source: report('BHSR277'),
  }),
  efficiency.percent('noninterest_income_share', {
    label: 'Noninterest income to adjusted operating income',
    formula: toOperatingIncome('noninterest_income'),
    source: report('BHSR278'),
  }),
  efficiency.percent('personnel_expense_share', {
    label: 'Personnel expense to adjusted operating income',
    direction: 'lower',
    formula: toOperatingIncome('personnel_expense'),
    source: report('BHSR044'),
  }),
  efficiency.percent('occupancy_expense_share', {
    label: 'Expense of premises to adjusted operating income',
    direction: 'lower',
    formula: toOperatingIncome('occupancy_expense'),
    source: report('BHSR045'),
  }),
  efficiency.percent('personnel_expense_ratio', {
    label: 'Personnel expense to average assets',
    direction: 'lower',
    formula: annualised('personnel_expense', 'average_assets'),
    source: report('BHSR123'),
  }),
  {
    ...efficiency.ratio('assets_per_employee', {
      label: 'Average assets per employee',
      formula: `PCT(${metric('average_assets')}, ${metric('employees')})`,
      source: report('BHSR087'),
    }),
    unit: 'thousands of US dollars' as const,
  },
  {
    ...efficiency.ratio('personnel_expense_per_employee', {
      label: 'Personnel expense per employee',
      formula: `PCT(${metric('personnel_expense')}, ${metric('employees')})`,
      source: report('BHSR076'),
    }),
    unit: 'thousands of US dollars' as const,
  },
] as const
