import { area, type Metric } from '../../../formula/metrics/metric.ts'
import { account, asReported, metric, percentOf } from './terms.ts'

const { count, money, percent, ratio } = area('members')
const { money: shares, percent: mix } = area('deposits')
const { percent: liquid } = area('liquidity')
const { percent: capital, code } = area('capital')
const { percent: change } = area('growth')
const { percent: valued } = area('securities')

export const members = [
  ...asReported(count, [
    ['members', 'Members', '083'],
    ['potential_members', 'Potential members', '084'],
    ['full_time_employees', 'Full-time employees', '564A'],
    ['part_time_employees', 'Part-time employees', '564B'],
    ['number_of_loans', 'Number of loans', '025A'],
  ]),
  count('employees', {
    label: 'Employees in full-time equivalents',
    formula: `${account('564A')} + ExistingOf(${account('564B')}, 0) / 2`,
    source: 'FPR: 564A + 564B / 2',
  }),
  percent('members_to_potential', {
    label: 'Members to potential members',
    formula: percentOf('members', 'potential_members'),
    source: 'FPR: 083 / 084',
  }),
  ratio('members_per_employee', {
    label: 'Members per employee',
    formula: `PCT(${metric('members')}, ${metric('employees')})`,
    source: 'FPR: 083 / full-time equivalent employees',
  }),
  percent('loans_per_member', {
    label: 'Number of loans to members',
    formula: percentOf('number_of_loans', 'members'),
    source: 'FPR: 025A / 083',
  }),
  ...(
    [
      ['average_share_balance', 'Average shares of a member', 'total_shares', 'members', 'FPR: 018 / 083'],
      [
        'average_loan_balance',
        'Average balance of a loan',
        'total_loans',
        'number_of_loans',
        'FPR: 025B / 025A',
      ],
      [
        'assets_per_employee',
        'Assets per employee',
        'total_assets',
        'employees',
        '5300 account 010 / employees',
      ],
    ] as const
  ).map(([key, label, of, per, source]) =>
    money(key, { label, aggregation: 'formula', formula: `PCT(${metric(of)}, ${metric(per)})`, source }),
  ),
  money('compensation_per_employee', {
    label: 'Compensation and benefits per employee, annualised',
    aggregation: 'formula',
    formula: `PCTANN(${metric('compensation')}, ${metric('employees')})`,
    source: 'FPR: 210 annualised / full-time equivalent employees',
  }),
]

export const shareTypes = [
  ...asReported(shares, [
    ['share_drafts', 'Share drafts', '902'],
    ['regular_shares', 'Regular shares', '657'],
    ['money_market_shares', 'Money market shares', '911'],
    ['share_certificates', 'Share certificates', '908C'],
    ['ira_shares', 'IRA and Keogh accounts', '906C'],
    ['other_shares', 'Other shares', '630'],
    ['nonmember_deposits', 'Deposits of nonmembers', '880'],
    ['brokered_deposits', 'Brokered certificates', '788'],
    ['uninsured_shares', 'Uninsured shares and deposits', '068A'],
    ['insured_shares', 'Insured shares and deposits', '069A'],
  ]),
  ...(
    [
      ['share_drafts_ratio', 'Share drafts to shares', 'share_drafts'],
      ['regular_shares_ratio', 'Regular shares to shares', 'regular_shares'],
      ['share_certificates_ratio', 'Certificates to shares', 'share_certificates'],
      ['nonmember_deposits_ratio', 'Deposits of nonmembers to shares', 'nonmember_deposits'],
      ['uninsured_shares_ratio', 'Uninsured to all shares', 'uninsured_shares'],
    ] as const
  ).map(([key, label, of]) =>
    mix(key, { label, formula: percentOf(of, 'total_shares'), source: '5300, to account 018' }),
  ),
]

type Ratio = readonly [
  key: string,
  label: string,
  part: string,
  whole: string,
  source: string,
  Metric['direction']?,
]
const ratios = (declare: typeof liquid, rows: readonly Ratio[]) =>
  rows.map(([key, label, part, whole, source, direction = 'neutral']) =>
    declare(key, { label, direction, formula: percentOf(part, whole), source }),
  )

export const liquidity = ratios(liquid, [
  ['loan_to_share_ratio', 'Loans to shares', 'total_loans', 'total_shares', 'FPR: 025B / 018'],
  ['loan_to_asset_ratio', 'Loans to assets', 'total_loans', 'total_assets', 'FPR: 025B / 010'],
  [
    'cash_ratio',
    'Cash and short-term investments to assets',
    'liquid_assets',
    'total_assets',
    'FPR: cash + investments of at most a year / 010',
  ],
  [
    'investments_ratio',
    'Investments to assets',
    'total_investments',
    'total_assets',
    '5300 account investments / 010',
  ],
  [
    'long_term_investments_ratio',
    'Investments of more than three years to assets',
    'long_term_investments',
    'total_assets',
    '5300 account NV0155 + NV0156 + NV0157 / 010',
  ],
  [
    'borrowings_ratio',
    'Borrowings to shares and net worth',
    'borrowings',
    'shares_and_net_worth',
    'FPR: 860C / (018 + 997)',
    'lower',
  ],
  [
    'core_shares_ratio',
    'Regular shares and drafts to shares and borrowings',
    'core_shares',
    'shares_and_borrowings',
    'FPR: (657 + 902) / (018 + 860C)',
    'higher',
  ],
  [
    'unfunded_commitments_ratio',
    'Unfunded commitments to assets',
    'unfunded_commitments',
    'total_assets',
    '5300 account 816A / 010',
  ],
])

export const capitalRatios = [
  ...ratios(capital, [
    [
      'net_worth_ratio',
      'Net worth ratio',
      'net_worth',
      'net_worth_assets',
      '5300 account 998: 997 to the assets of 12 CFR 702.2',
      'higher',
    ],
    [
      'net_worth_ratio_without_transition',
      'Net worth without the transition to CECL, to assets',
      'net_worth_without_transition',
      'total_assets',
      "NCUA's list: net worth ratio (excludes CECL transition provision)",
      'higher',
    ],
    [
      'equity_ratio',
      'Equity to assets',
      'total_equity',
      'total_assets',
      '5300 account equity / 010',
      'higher',
    ],
    [
      'delinquent_to_net_worth',
      'Delinquent loans to net worth',
      'delinquent_loans',
      'net_worth',
      'FPR: 041B / 997',
      'lower',
    ],
    [
      'allowance_to_net_worth',
      'Allowance to net worth',
      'allowance',
      'net_worth',
      'FPR: classified assets (estimated) / 997',
      'lower',
    ],
    [
      'solvency_ratio',
      'Solvency: assets less other liabilities to shares',
      'assets_for_shares',
      'total_shares',
      'FPR: solvency evaluation (estimated)',
      'higher',
    ],
  ]),
  code('pca_category', {
    label: 'Category of prompt corrective action by net worth',
    direction: 'lower',
    formula: `IF(IsNil(${metric('net_worth_ratio')}), NULL, ${[7, 6, 4, 2].reduceRight(
      (rest, least, at) => `IF(${metric('net_worth_ratio')} >= ${least}, ${at + 1}, ${rest})`,
      '5',
    )})`,
    source: '12 CFR 702.102(a)',
    description:
      '1 well, 2 adequately, 3 under-, 4 significantly under-, 5 critically undercapitalized. By the net worth ratio alone: above $500 million risk-based capital counts too, and new credit unions have a table of their own.',
  }),
]

export const securityRatios = ratios(valued, [
  [
    'fair_value_htm_ratio',
    'Fair value to book of held-to-maturity securities',
    'fair_value_htm',
    'securities_htm',
    'FPR: 801 / AS0073',
    'higher',
  ],
  [
    'unrealized_afs_ratio',
    'Unrealized gains to cost of available-for-sale securities',
    'unrealized_gains_afs',
    'cost_afs',
    'FPR: EQ0009 / cost',
    'higher',
  ],
  [
    'unrealized_to_net_worth',
    'Unrealized gains on securities to net worth',
    'unrealized_gains',
    'net_worth',
    '5300 account (EQ0009 + 801 - AS0073) / 997',
    'higher',
  ],
])

export const growth = (
  [
    ['asset', 'Assets', 'total_assets', 'I'],
    ['loan', 'Loans', 'total_loans', 'I'],
    ['share', 'Shares', 'total_shares', 'I'],
    ['member', 'Members', 'members', 'I'],
    ['investment', 'Investments', 'total_investments', 'I'],
    ['net_worth', 'Net worth', 'net_worth', 'A'],
    ['net_worth_without_transition', 'Net worth without the transition', 'net_worth_without_transition', 'A'],
  ] as const
).flatMap(([key, label, of, form]) => [
  change(`${key}_growth_1q`, {
    label: `${label}: growth in the quarter`,
    formula: `CHANGEQ${form}(#m:${of}, 1)`,
    source: 'Against one quarter earlier',
  }),
  change(`${key}_growth_1y`, {
    label: `${label}: growth in one year`,
    formula: `CHANGEY${form}(#m:${of}, 1)`,
    source: "NCUA's 4-quarter growth",
  }),
])
