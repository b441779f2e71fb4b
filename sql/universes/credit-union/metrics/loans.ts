import { area, type Concept, type Metric, summed } from '../../../formula/metrics/metric.ts'
import { account, accounts, annualised, asReported, average, firstOf, metric, percentOf } from './terms.ts'

const { money } = area('loan-mix')
const { money: judged, percent } = area('asset-quality')
const { percent: mix } = area('concentration')

/** From 2022 these add up to all loans; before, loans to businesses stood among those by collateral. */
export const loans = [
  ...asReported(money, [
    ['credit_card_loans', 'Credit cards', '396'],
    ['unsecured_loans', 'Other unsecured loans', '397'],
    ['payday_alternative_loans', 'Payday alternative loans', '397A'],
    ['student_loans', 'Student loans', '698A'],
    ['new_vehicle_loans', 'New vehicles', '385'],
    ['used_vehicle_loans', 'Used vehicles', '370'],
    ['vehicle_loans', 'Vehicles', '385 370'],
    ['lease_receivables', 'Leases', '002'],
    ['other_real_estate_loans', 'Other real estate, not commercial', '386B'],
    ['commercial_real_estate_loans', 'Commercial, secured by real estate', '718A5'],
    ['commercial_other_loans', 'Commercial, not secured by real estate', '400P'],
    ['indirect_loans', 'Indirect loans', '618A'],
    ['participations_purchased', 'Participations purchased', '691L'],
    ['loans_granted', 'Loans granted in the year', '031B'],
  ]),
  money('other_secured_loans', {
    label: 'Other secured loans, not of real estate',
    formula: firstOf(account('698C'), account('698')),
    source: '5300 account 698C; before 2022 698',
  }),
  money('first_mortgage_loans', {
    label: 'First liens on 1-4 family homes',
    formula: firstOf(account('703A'), account('703')),
    source: '5300 account 703A; before 2022 703, all first mortgages',
  }),
  money('junior_lien_loans', {
    label: 'Junior liens on 1-4 family homes',
    formula: firstOf(account('386A'), account('386')),
    source: '5300 account 386A; before 2022 386, all other real estate',
  }),
  money('real_estate_loans', {
    label: 'Secured by real estate',
    formula: firstOf(accounts('703A', '386A', '386B', '718A5'), accounts('703', '386')),
    source: '5300 account 703A + 386A + 386B + 718A5; before 2022 703 + 386',
  }),
  money('commercial_loans', {
    label: 'Commercial',
    formula: firstOf(accounts('718A5', '400P'), account('400T1'), account('400A')),
    source: '5300 account 718A5 + 400P; before 2022 400T1, before 2017 400A',
  }),
]

/** Kinds with their balance, delinquent by two months or more, charged off and recovered in the year to date. */
const kinds: readonly [key: string, label: string, late: string, lost: string, back: string][] = [
  ['credit_card', 'Credit cards', '045B', '680', '681'],
  ['vehicle', 'Vehicles', '041C1 041C2', '550C1 550C2', '551C1 551C2'],
  ['first_mortgage', 'First liens on homes', 'DL0062', 'CH0017', 'CH0018'],
  ['junior_lien', 'Junior liens on homes', 'DL0069', 'CH0019', 'CH0020'],
  ['unsecured', 'Other unsecured', 'DL0027', 'CH0007', 'CH0008'],
  ['other_secured', 'Other secured', 'DL0055', 'CH0015', 'CH0016'],
  [
    ...(['commercial', 'Commercial'] as const),
    'DL0083 DL0090 DL0097 DL0104 DL0111 DL0118 DL0125 DL0132 DL0139',
    'CH0023 CH0025 CH0027 CH0029 CH0031 CH0033 CH0035 CH0037 CH0039',
    'CH0024 CH0026 CH0028 CH0030 CH0032 CH0034 CH0036 CH0038 CH0040',
  ],
]
const list = (codes: string) => accounts(...codes.split(' '))

export const loanConcepts: readonly Concept[] = kinds.flatMap(([key, , , lost, back]) => [
  summed(`net_chargeoffs_${key}`, `${list(lost)} - ExistingOf(${list(back)}, 0)`),
  average(`${key}_loans`),
])

/** Delinquent is what is late by two months or more, as NCUA has it. */
export const assetQuality: readonly Metric[] = [
  ...asReported(judged, [
    ['delinquent_loans', 'Delinquent by two months or more', '041B', 'lower'],
    ['delinquent_30_59', 'Late by 30 to 59 days', '020B', 'lower'],
    // from 2022 021B begins at 90 days
    ['delinquent_60_179', 'Late by 60 to 179 days', 'DL0141 021B', 'lower'],
    ['delinquent_180_359', 'Late by 180 to 359 days', '022B', 'lower'],
    ['delinquent_360', 'Late by 360 days or more', '023B', 'lower'],
    ...kinds.map(
      ([key, label, late]) => [`delinquent_${key}`, `${label}: delinquent`, late, 'lower'] as const,
    ),
    ['chargeoffs', 'Charged off in the year', '550', 'lower'],
    ['recoveries', 'Recovered in the year', '551', 'higher'],
    ['modified_loans', 'Modified loans of borrowers in difficulty', '1001F', 'lower'],
    ['bankruptcies', 'Loans subject to bankruptcy', '971', 'lower'],
  ]),
  judged('net_chargeoffs', {
    label: 'Net charge-offs of the year',
    direction: 'lower',
    formula: `${metric('chargeoffs')} - ExistingOf(${metric('recoveries')}, 0)`,
    source: '5300 account 550 - 551',
  }),
  percent('delinquency_ratio', {
    label: 'Delinquent loans to loans',
    direction: 'lower',
    formula: percentOf('delinquent_loans', 'total_loans'),
    source: 'FPR: 041B / 025B',
  }),
  percent('late_30_59_ratio', {
    label: 'Late by 30 to 59 days to loans',
    direction: 'lower',
    formula: percentOf('delinquent_30_59', 'total_loans'),
    source: '5300 account 020B / 025B',
  }),
  percent('net_chargeoffs_ratio', {
    label: 'Net charge-offs to average loans',
    direction: 'lower',
    formula: annualised('net_chargeoffs', 'average_total_loans'),
    source: 'FPR: (550 - 551) annualised / average 025B',
  }),
  percent('delinquent_to_assets', {
    label: 'Delinquent loans to assets',
    direction: 'lower',
    formula: percentOf('delinquent_loans', 'total_assets'),
    source: 'FPR: 041B / 010',
  }),
  percent('allowance_ratio', {
    label: 'Allowance to loans',
    formula: percentOf('allowance', 'total_loans'),
    source: '5300 account (719 + AS0048) / 025B',
  }),
  percent('allowance_to_delinquent', {
    label: 'Allowance to delinquent loans',
    direction: 'higher',
    formula: percentOf('allowance', 'delinquent_loans'),
    source: '5300 account (719 + AS0048) / 041B',
  }),
  ...kinds.flatMap(([key, label]) => [
    percent(`delinquency_${key}_ratio`, {
      label: `${label}: delinquent to loans`,
      direction: 'lower',
      formula: percentOf(`delinquent_${key}`, `${key}_loans`),
      source: 'FPR: delinquent by two months or more, by kind of loan',
    }),
    percent(`net_chargeoffs_${key}_ratio`, {
      label: `${label}: net charge-offs to average loans`,
      direction: 'lower',
      formula: annualised(`net_chargeoffs_${key}`, `average_${key}_loans`),
      source: 'FPR: net charge-offs annualised, by kind of loan',
    }),
  ]),
]

const share = (key: string, label: string, of: string, whole: string, source: string) =>
  mix(key, { label, formula: percentOf(of, whole), source })

export const loanMix = [
  share(
    'real_estate_loans_ratio',
    'Real estate loans to loans',
    'real_estate_loans',
    'total_loans',
    'FPR: real estate loans / 025B',
  ),
  share(
    'first_mortgage_ratio',
    'First liens to loans',
    'first_mortgage_loans',
    'total_loans',
    'FPR: 703A / 025B',
  ),
  share(
    'vehicle_loans_ratio',
    'Vehicle loans to loans',
    'vehicle_loans',
    'total_loans',
    '5300 account (385 + 370) / 025B',
  ),
  share('credit_card_ratio', 'Credit cards to loans', 'credit_card_loans', 'total_loans', 'FPR: 396 / 025B'),
  share(
    'indirect_loans_ratio',
    'Indirect loans to loans',
    'indirect_loans',
    'total_loans',
    'FPR: 618A / 025B',
  ),
  share(
    'commercial_loans_ratio',
    'Commercial loans to loans',
    'commercial_loans',
    'total_loans',
    'FPR: commercial loans / 025B',
  ),
  share(
    'commercial_to_net_worth',
    'Commercial loans to net worth',
    'commercial_loans',
    'net_worth',
    'FPR: commercial loans / 997',
  ),
  share(
    'real_estate_to_net_worth',
    'Real estate loans to net worth',
    'real_estate_loans',
    'net_worth',
    '5300 account real estate loans / 997',
  ),
]
