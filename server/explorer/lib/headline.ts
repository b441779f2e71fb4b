/** Metrics that pages show, by their keys; what each is called, and its unit, is the catalog's to say. */

export const bankTrends = [
  ...['total_assets', 'roa', 'roe', 'nim', 'efficiency_ratio', 'tier1_leverage_ratio', 'cet1_ratio'],
  ...['noncurrent_loans_ratio', 'net_chargeoffs_ratio', 'loan_to_deposit_ratio'],
  ...['construction_concentration', 'asset_growth_1y'],
] as const

export const creditUnionTrends = [
  ...['total_assets', 'total_loans', 'total_shares', 'members', 'net_worth_ratio', 'roa', 'nim'],
  ...['noninterest_expense_ratio', 'delinquency_ratio', 'net_chargeoffs_ratio'],
  ...['loan_to_share_ratio', 'asset_growth_1y'],
] as const

export const holdingCompanyTrends = [
  ...['total_assets', 'total_loans', 'total_deposits', 'total_equity', 'net_income', 'roa', 'roe', 'nim'],
  ...['efficiency_ratio', 'cet1_ratio', 'noncurrent_loans_ratio', 'double_leverage'],
] as const

export const industryTrends = [
  ...['total_assets', 'total_loans', 'total_deposits', 'total_equity', 'roa', 'roe', 'nim'],
  ...['efficiency_ratio', 'cet1_ratio', 'noncurrent_loans_ratio', 'net_chargeoffs_ratio'],
] as const

/** Amounts since the year began: through time they fall back each January. */
const yearToDate: ReadonlySet<string> = new Set(['net_income'])
/** Those that can be drawn through time. */
export const steady = <Of extends { readonly key: string }>(metrics: readonly Of[]): Of[] =>
  metrics.filter(({ key }) => !yearToDate.has(key))
/** What a figure is called where it stands alone. */
export const called = ({ key, label }: { readonly key: string; readonly label: string }): string =>
  yearToDate.has(key) ? `${label}, year to date` : label

/** Of the groups by size. */
export const industryGroups = [
  ...['total_assets', 'roa', 'nim', 'efficiency_ratio', 'tier1_leverage_ratio', 'noncurrent_loans_ratio'],
] as const

/** What the home page says of the industry, and what of it is drawn. */
export const industryNow = ['total_assets', 'net_income', 'roa', 'nim', 'noncurrent_loans_ratio'] as const
export const industryDrawn = ['total_assets', 'roa', 'nim'] as const
