import { type Universe, universe } from '../../derive/universe.ts'
import { concepts, metrics } from './metrics/index.ts'

/** Credit unions whose shares NCUA insures: those that a state charters and somebody else insures file and are none here. */
export const creditUnions: Universe = universe({
  entity: 'credit_union',
  id: 'cu_number',
  idLabel: 'charter number',
  filings: 'filed 5300 Call Reports',
  names: `
SELECT cu_number AS id, CAST(NULL AS Nullable(UInt32)) AS cert, legal_name AS name, city, toString(state) AS state,
    toNullable(toDate32(max(report_date))) AS until
FROM credit_union_filers GROUP BY cu_number, legal_name, city, state`,
  // an order or a link may concern one that is not insured
  knownBy: ['SELECT cu_number FROM credit_union_filers'],
  items: 'credit_union_items',
  code: 'account',
  filers: 'credit_union_filers',
  belongs: "charter_type != '3'",
  sources: ['ncua-5300', 'demo'],
  identity: {
    columns: [
      'legal_name String',
      'city String',
      'state LowCardinality(String)',
      'charter_type LowCardinality(String)',
      'low_income Nullable(Bool)',
      'minority Nullable(Bool)',
    ],
    directory: [
      'rssd_id Nullable(UInt32)',
      'field_of_membership LowCardinality(String)',
      'year_opened Nullable(UInt32)',
      'chartered Nullable(String)',
      'peer_group Nullable(UInt32)',
      'address String',
      'zip String',
    ],
  },
  // NCUA's peer groups, in thousands of dollars
  cohorts: {
    metric: 'total_assets',
    tiers: [
      { key: 'under_2m', label: 'Under $2 million', min: 0, max: 2_000 },
      { key: '2m_10m', label: '$2 million to $10 million', min: 2_000, max: 10_000 },
      { key: '10m_50m', label: '$10 million to $50 million', min: 10_000, max: 50_000 },
      { key: '50m_100m', label: '$50 million to $100 million', min: 50_000, max: 100_000 },
      { key: '100m_500m', label: '$100 million to $500 million', min: 100_000, max: 500_000 },
      { key: 'over_500m', label: 'Over $500 million', min: 500_000, max: null },
    ],
  },
  known: /^ACCT_[A-Z0-9]+$/,
  itemNames: 'SELECT account AS code, name, report_date AS at FROM credit_union_accounts',
  metrics,
  concepts,
  headline: [
    ...[
      'members',
      'total_assets',
      'total_shares',
      'total_loans',
      'net_income',
      'net_worth_ratio',
      'roa',
      'nim',
    ],
    ...['noninterest_expense_ratio', 'delinquency_ratio', 'net_chargeoffs_ratio', 'loan_to_share_ratio'],
    ...['asset_growth_1y', 'member_growth_1y'],
  ],
})
