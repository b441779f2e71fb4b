/** The key metrics of a bank: what a series or a directory shows when the request names none. */
export const headline = [
  'total_assets',
  'total_loans',
  'total_deposits',
  'total_equity',
  'net_income',
  'roa',
  'roe',
  'nim',
  'efficiency_ratio',
  'tier1_leverage_ratio',
  'cet1_ratio',
  'total_capital_ratio',
  'noncurrent_loans_ratio',
  'net_chargeoffs_ratio',
  'loan_to_deposit_ratio',
  'asset_growth_1y',
] as const
