import { area } from '../../../formula/metrics/metric.ts'
import { annualised, item, line, metric, percentOf, report, sum } from './terms.ts'

const { money, percent, ratio } = area('asset-quality')

/** Loans alone: the totals of Schedule HC-N of before 2018 hold other assets too. */
const past = (today: string, total: string, others: string) =>
  `ExistingOf(${item(today)}, ${item(total)} - ExistingOf(${item(others)}, 0))`

export const assetQuality = [
  money('past_due_30_89', {
    label: 'Loans past due 30 to 89 days',
    direction: 'lower',
    formula: past('1406', '5524', '3505'),
    source: report('BHSR586'),
  }),
  money('past_due_90', {
    label: 'Loans past due 90 days or more and accruing',
    direction: 'lower',
    formula: past('1407', '5525', '3506'),
    source: report('BHSR160'),
  }),
  money('nonaccrual_loans', {
    label: 'Nonaccrual loans',
    direction: 'lower',
    formula: past('1403', '5526', '3507'),
    source: report('BHSR161'),
  }),
  money('noncurrent_loans', {
    label: 'Noncurrent loans',
    direction: 'lower',
    formula: sum(metric('past_due_90'), metric('nonaccrual_loans')),
    source: line('HC-N'),
    description: 'Past due 90 days or more and accruing, and nonaccrual.',
  }),
  money('gross_chargeoffs', {
    label: 'Charge-offs',
    direction: 'lower',
    formula: item('4635'),
    source: report('BHSR949'),
    description: 'Year to date.',
  }),
  money('recoveries', {
    label: 'Recoveries',
    formula: item('4605'),
    source: report('BHSR950'),
    description: 'Year to date.',
  }),
  money('net_chargeoffs', {
    label: 'Net charge-offs',
    direction: 'lower',
    formula: `${metric('gross_chargeoffs')} - ${metric('recoveries')}`,
    source: report('BHSR853'),
    description: 'Year to date.',
  }),
  percent('past_due_30_89_ratio', {
    label: 'Loans past due 30 to 89 days to loans',
    direction: 'lower',
    formula: percentOf('past_due_30_89', 'total_loans'),
    source: report('BHSR374'),
  }),
  percent('past_due_90_ratio', {
    label: 'Loans past due 90 days or more to loans',
    direction: 'lower',
    formula: percentOf('past_due_90', 'total_loans'),
    source: report('BHSR316'),
  }),
  percent('nonaccrual_loans_ratio', {
    label: 'Nonaccrual loans to loans',
    direction: 'lower',
    formula: percentOf('nonaccrual_loans', 'total_loans'),
    source: report('BHSR317'),
  }),
  percent('noncurrent_loans_ratio', {
    label: 'Noncurrent loans to loans',
    direction: 'lower',
    formula: percentOf('noncurrent_loans', 'total_loans'),
    source: report('BHSR707'),
  }),
  percent('nonperforming_ratio', {
    label: 'Nonaccrual loans and real estate acquired to loans and real estate acquired',
    direction: 'lower',
    formula: `PCTOF(${sum(metric('nonaccrual_loans'), metric('other_real_estate_owned'))}, ${sum(metric('total_loans'), metric('other_real_estate_owned'))})`,
    source: report('BHSR314'),
  }),
  percent('net_chargeoffs_ratio', {
    label: 'Net charge-offs to average loans',
    direction: 'lower',
    formula: annualised('net_chargeoffs', 'average_loans'),
    source: report('BHSR101'),
  }),
  percent('gross_chargeoffs_ratio', {
    label: 'Charge-offs to average loans',
    direction: 'lower',
    formula: annualised('gross_chargeoffs', 'average_loans'),
    source: report('BHSR102'),
  }),
  percent('recoveries_ratio', {
    label: 'Recoveries to average loans',
    formula: annualised('recoveries', 'average_loans'),
    source: report('BHSR103'),
  }),
  percent('provision_to_average_loans', {
    label: 'Provision to average loans',
    direction: 'lower',
    formula: annualised('provision', 'average_loans'),
    source: report('BHSR100'),
  }),
  percent('allowance_ratio', {
    label: 'Allowance to loans',
    formula: percentOf('allowance', 'total_loans'),
    source: report('BHSR105'),
  }),
  percent('allowance_to_loans_held_for_investment', {
    label: 'Allowance to loans not held for sale',
    formula: percentOf('allowance', 'loans_held_for_investment'),
    source: report('BHSR1225'),
  }),
  percent('coverage_ratio', {
    label: 'Allowance to noncurrent loans',
    direction: 'higher',
    formula: percentOf('allowance', 'noncurrent_loans'),
    source: report('BHSR108'),
  }),
  ratio('allowance_to_net_chargeoffs', {
    label: 'Allowance to annualised net charge-offs, times',
    direction: 'higher',
    formula: `PCT(${metric('allowance')}, ${metric('net_chargeoffs')} * ANN)`,
    source: report('BHSR106'),
  }),
  percent('provision_to_net_chargeoffs', {
    label: 'Provision to net charge-offs',
    formula: percentOf('provision', 'net_chargeoffs'),
    source: report('BHSR526'),
  }),
  ratio('earnings_coverage_of_net_chargeoffs', {
    label: 'Income before taxes and provision to net charge-offs, times',
    direction: 'higher',
    formula: `PCT(${sum(metric('pretax_income'), metric('provision'))}, ${metric('net_chargeoffs')})`,
    source: report('BHSR107'),
  }),
  percent('texas_ratio', {
    label: 'Texas ratio',
    direction: 'lower',
    formula: `IF(${metric('tangible_common_equity')} + ExistingOf(${metric('allowance')}, 0) > 0, PCTOF(${sum(metric('noncurrent_loans'), metric('other_real_estate_owned'))}, ${metric('tangible_common_equity')} + ExistingOf(${metric('allowance')}, 0)), NULL)`,
    source: line('HC-N, HC 7'),
    description: 'Noncurrent loans and other real estate to tangible common equity and allowance.',
  }),
] as const
