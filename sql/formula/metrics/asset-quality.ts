import { loanBookQuality } from './loan-book.ts'
import { judgedTypes, pastDueTotal } from './loan-types.ts'
import { area, type Concept, type Metric, named, summed } from './metric.ts'
import {
  annualised,
  annualisedAsUbpr,
  consolidated,
  income,
  metric,
  orZero,
  percentOf,
  sum,
  ubprFactor,
  yearToDateAverage,
} from './terms.ts'

const { money, percent, ratio } = area('asset-quality')

const metricsByKind = new Set(loanBookQuality.map(({ key }) => key))

/** What the ratios by loan type are made of, where it is not a metric by itself. */
export const loanTypeConcepts: readonly Concept[] = judgedTypes
  .flatMap((type) => [
    summed(`noncurrent_${type.key}`, sum(type.pastDue90, type.nonaccrual)),
    summed(`net_chargeoffs_${type.key}`, `${type.chargeOffs} - ${orZero(type.recoveries)}`),
    summed(`average_${type.key}_loans`, yearToDateAverage(`${type.key}_loans`)),
  ])
  .filter(({ key }) => !metricsByKind.has(key))

const byLoanType: readonly Metric[] = judgedTypes.flatMap((type) => [
  percent(`noncurrent_${type.key}_ratio`, {
    label: `${type.label}: noncurrent`,
    direction: 'lower',
    formula: percentOf(`noncurrent_${type.key}`, `${type.key}_loans`),
    source: named('RC-N columns B + C to RC-C', type.fdic[1]),
  }),
  percent(`net_chargeoffs_${type.key}_ratio`, {
    label: `${type.label}: net charge-offs, annualised`,
    direction: 'lower',
    formula: annualised(`net_chargeoffs_${type.key}`, `average_${type.key}_loans`),
    source: named('RI-B I to average RC-C', type.fdic[2]),
  }),
])

/** Schedules RC-N, RI-B and the allowance. */
export const assetQuality: readonly Metric[] = [
  money('past_due_30_89', {
    label: 'Loans past due 30-89 days',
    direction: 'lower',
    formula: pastDueTotal('1406', 0),
    source: 'RC-N column A; FDIC P3LNLS; UBPRD668',
  }),
  money('past_due_90', {
    label: 'Loans past due 90 days or more and accruing',
    direction: 'lower',
    formula: pastDueTotal('1407', 1),
    source: 'RC-N column B; FDIC P9LNLS; UBPRD667',
  }),
  money('nonaccrual_loans', {
    label: 'Nonaccrual loans',
    direction: 'lower',
    formula: pastDueTotal('1403', 2),
    source: 'RC-N column C; FDIC NALNLS; UBPRD669',
  }),
  money('noncurrent_loans', {
    label: 'Noncurrent loans',
    direction: 'lower',
    formula: sum(metric('past_due_90'), metric('nonaccrual_loans')),
    source: 'FDIC NCLNLS; UBPR1400',
    description: 'Past due 90 days or more and accruing, and nonaccrual.',
  }),
  money('noncurrent_assets', {
    label: 'Noncurrent assets and other real estate owned',
    direction: 'lower',
    formula: sum(
      metric('noncurrent_loans'),
      consolidated('3506'),
      consolidated('3507'),
      metric('other_real_estate_owned'),
    ),
    source: 'FDIC NPERF',
  }),
  money('restructured_loans', {
    label: 'Modified loans in compliance with their terms',
    formula: `ExistingOf(cc:RCFXHK25[P0], ${sum(
      ...['K158', 'K159', 'F576', 'K160', 'K161', 'K162', 'K256'].map((code) => `cc:RCON${code}[P0]`),
      'cc:RCFDK163[P0]',
      'cc:RCFDK164[P0]',
      consolidated('K165'),
    )})`,
    source: 'RC-C I memoranda 1; UBPRD673',
    description: 'Troubled debt restructurings before the banks adopted ASU 2022-02.',
  }),
  money('gross_chargeoffs', {
    label: 'Charge-offs',
    direction: 'lower',
    formula: income('4635'),
    source: 'RI-B I 9.A; FDIC DRLNLS',
  }),
  money('recoveries', {
    label: 'Recoveries',
    direction: 'higher',
    formula: income('4605'),
    source: 'RI-B I 9.B; FDIC CRLNLS',
  }),
  money('net_chargeoffs', {
    label: 'Net charge-offs',
    direction: 'lower',
    formula: `${metric('gross_chargeoffs')} - ${orZero(metric('recoveries'))}`,
    source: 'FDIC NTLNLS',
    description: 'Calendar year to date.',
  }),
  money('net_chargeoffs_quarter', {
    label: 'Net charge-offs of the quarter',
    direction: 'lower',
    formula: 'QUARTER(#m:net_chargeoffs)',
    source: 'FDIC NTLNLSQ',
  }),
  percent('past_due_30_89_ratio', {
    label: 'Loans past due 30-89 days to loans',
    direction: 'lower',
    formula: percentOf('past_due_30_89', 'total_loans'),
    source: 'UBPRE544',
  }),
  percent('nonaccrual_loans_ratio', {
    label: 'Nonaccrual loans to loans',
    direction: 'lower',
    formula: percentOf('nonaccrual_loans', 'total_loans'),
    source: 'UBPRE542',
  }),
  percent('noncurrent_loans_ratio', {
    label: 'Noncurrent loans to loans',
    direction: 'lower',
    formula: `IF(${metric('total_loans')} = 0, 0, ${percentOf('noncurrent_loans', 'total_loans')})`,
    source: 'FDIC NCLNLSR',
    description: 'Zero for a bank without loans, as FDIC publishes it.',
  }),
  percent('ubpr_noncurrent_loans_ratio', {
    label: 'Noncurrent loans to gross loans (UBPR)',
    direction: 'lower',
    formula: percentOf('noncurrent_loans', 'gross_loans'),
    source: 'UBPR7414',
    description: 'Gross of unearned income; absent for a bank without loans.',
  }),
  percent('noncurrent_assets_ratio', {
    label: 'Noncurrent assets and other real estate to assets',
    direction: 'lower',
    formula: percentOf('noncurrent_assets', 'total_assets'),
    source: 'FDIC NPERFV',
  }),
  percent('net_chargeoffs_ratio', {
    label: 'Net charge-offs to average loans, annualised',
    direction: 'lower',
    formula: annualised('net_chargeoffs', 'average_loans'),
    source: 'FDIC NTLNLSR',
  }),
  percent('net_chargeoffs_quarter_ratio', {
    label: 'Net charge-offs of the quarter to average loans, annualised',
    direction: 'lower',
    formula: `PCTOF(4 * ${metric('net_chargeoffs_quarter')}, ${metric('average_loans_quarter')})`,
    source: 'FDIC NTLNLSQR',
  }),
  percent('ubpr_net_loss_ratio', {
    label: 'Net loss to average loans (UBPR)',
    direction: 'lower',
    formula: annualisedAsUbpr('ubpr_net_loss', 'ubpr_average_loans'),
    source: 'UBPRE019',
    description:
      'With write-downs of loans moved to held for sale, over the quarterly averages of Schedule RC-K.',
  }),
  percent('allowance_ratio', {
    label: 'Allowance to loans',
    formula: percentOf('allowance', 'total_loans'),
    source: 'FDIC LNATRESR; UBPRE023',
  }),
  percent('ubpr_allowance_ratio', {
    label: 'Allowance to loans held for investment (UBPR)',
    formula: percentOf('allowance', 'loans_held_for_investment'),
    source: 'UBPRE022',
  }),
  percent('allowance_to_noncurrent_ratio', {
    label: 'Allowance to noncurrent loans',
    direction: 'higher',
    formula: percentOf('allowance', 'noncurrent_loans'),
    source: 'FDIC LNRESNCR',
    description: 'Reserve coverage; absent where no loan is noncurrent.',
  }),
  ratio('allowance_to_net_chargeoffs', {
    label: 'Allowance to annualised net charge-offs, times',
    direction: 'higher',
    formula: `IF(${metric('net_chargeoffs')} > 0, PCT(${metric('allowance')}, ${metric('net_chargeoffs')} * ${ubprFactor}), NULL)`,
    source: 'UBPRE021',
  }),
  percent('provision_to_net_chargeoffs_ratio', {
    label: 'Provision to net charge-offs',
    formula: `IF(${metric('net_chargeoffs')} > 0, ${percentOf('provision', 'net_chargeoffs')}, NULL)`,
    source: 'FDIC ELNANTR',
  }),
  ratio('earnings_coverage', {
    label: 'Earnings coverage of net charge-offs, times',
    direction: 'higher',
    formula: `IF(${metric('net_chargeoffs')} > 0, PCT(${metric('pre_provision_net_revenue')}, ${metric('net_chargeoffs')}), NULL)`,
    source: 'FDIC IDERNCVR; UBPRE020',
  }),
  percent('texas_ratio', {
    label: 'Texas ratio',
    direction: 'lower',
    formula: `IF(${metric('tangible_equity')} + ${orZero(metric('allowance'))} > 0, PCTOF(${sum(metric('noncurrent_loans'), metric('other_real_estate_owned'))}, ${metric('tangible_equity')} + ${orZero(metric('allowance'))}), NULL)`,
    source: 'RC-N B + C, RC 7 to RC 27.a - 10 + 4.c',
    description:
      'Noncurrent loans and other real estate owned, to tangible equity and allowance. Absent where those are not above zero.',
  }),
  percent('noncurrent_to_capital_ratio', {
    label: 'Noncurrent loans to tier 1 capital and allowance',
    direction: 'lower',
    formula: percentOf('noncurrent_loans', 'tier1_and_allowance'),
    source: 'RC-N B + C to UBPR3792',
  }),
  ...byLoanType,
  ...loanBookQuality,
]
