import { area } from './metric.ts'
import { annualised, income, metric, officesItem, percentOf, ubprFactor } from './terms.ts'

const { count, percent, ratio } = area('efficiency')

/** What it costs to run the bank, and by how many people. */
export const efficiency = [
  percent('efficiency_ratio', {
    label: 'Efficiency ratio',
    direction: 'lower',
    formula: percentOf('overhead_expense', 'operating_revenue'),
    source: 'FDIC EEFFR',
    description:
      'Noninterest expense less goodwill impairment and amortisation of intangibles, to net interest plus noninterest income.',
  }),
  percent('noninterest_expense_ratio', {
    label: 'Noninterest expense to average assets',
    direction: 'lower',
    formula: annualised('noninterest_expense', 'average_assets'),
    source: 'FDIC NONIXAY',
  }),
  percent('salaries_ratio', {
    label: 'Personnel expense to average assets',
    direction: 'lower',
    formula: annualised('salaries', 'average_assets'),
    source: 'UBPR7400 over FDIC ASSET5',
  }),
  percent('premises_expense_ratio', {
    label: 'Premises expense to average assets',
    direction: 'lower',
    formula: annualised('premises_expense', 'average_assets'),
    source: 'RI 7.b to FDIC ASSET5',
  }),
  count('employees', {
    label: 'Full-time equivalent employees',
    formula: income('4150'),
    source: 'RI memoranda 5; FDIC NUMEMP',
  }),
  count('branches', {
    label: 'Offices',
    formula: `cc:${officesItem}[P0]`,
    source: 'FDIC OFFICES',
    description: "From FDIC's institution file; the Call Report does not count offices.",
  }),
  ratio('assets_per_employee', {
    label: 'Total assets per employee, thousands of US dollars',
    direction: 'higher',
    formula: `PCT(${metric('total_assets')}, ${metric('employees')})`,
    source: 'FDIC ASTEMPM, in thousands',
  }),
  ratio('salary_per_employee', {
    label: 'Personnel expense per employee, annualised, thousands of US dollars',
    formula: `PCT(${metric('salaries')}, ${metric('employees')}) * ${ubprFactor}`,
    source: 'UBPRE090',
  }),
  ratio('deposits_per_branch', {
    label: 'Domestic deposits per office, thousands of US dollars',
    direction: 'higher',
    formula: `PCT(${metric('domestic_deposits')}, ${metric('branches')})`,
    source: 'RC 13.a to FDIC OFFICES',
  }),
]
