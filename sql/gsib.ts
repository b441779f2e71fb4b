/** Indicators of systemic importance, by their items of FR Y-15, and what the two scores make of them. */

export interface Indicator {
  key: string
  label: string
  /** The last four characters of the item; its series is RISK, RISI or RISO. */
  item: string
  /** Share of the score of method 1, in percent: 12 CFR 217.404. */
  weight: number
  /** Points of method 2 for each $100 billion: 12 CFR 217.405, table 1. Substitutability is not in it. */
  coefficient: number
  area: 'size' | 'interconnectedness' | 'substitutability' | 'complexity' | 'cross-jurisdictional activity'
}

const third = 20 / 3

export const indicators: readonly Indicator[] = [
  ['total_exposures', 'Total exposures', 'Y832', 20, 4.423, 'size'],
  ['intra_financial_assets', 'Intra-financial system assets', 'M362', third, 12.007, 'interconnectedness'],
  [
    'intra_financial_liabilities',
    'Intra-financial system liabilities',
    'M370',
    third,
    12.49,
    'interconnectedness',
  ],
  ['securities_outstanding', 'Securities outstanding', 'M376', third, 9.056, 'interconnectedness'],
  ['payments_activity', 'Payments activity', 'M390', third, 0, 'substitutability'],
  ['assets_under_custody', 'Assets under custody', 'M405', third, 0, 'substitutability'],
  ['underwriting_activity', 'Underwritten transactions', 'M408', third, 0, 'substitutability'],
  ['otc_derivatives', 'Notional amount of over-the-counter derivatives', 'M411', third, 0.155, 'complexity'],
  [
    'trading_and_afs_securities',
    'Adjusted trading and available-for-sale securities',
    'N255',
    third,
    30.169,
    'complexity',
  ],
  ['level3_assets', 'Level 3 assets', 'G506', third, 161.177, 'complexity'],
  [
    'cross_jurisdictional_claims',
    'Cross-jurisdictional claims',
    'M422',
    10,
    9.277,
    'cross-jurisdictional activity',
  ],
  [
    'cross_jurisdictional_liabilities',
    'Cross-jurisdictional liabilities',
    'M426',
    10,
    9.926,
    'cross-jurisdictional activity',
  ],
].map(
  ([key, label, item, weight, coefficient, area]) =>
    ({ key, label, item, weight, coefficient, area }) as Indicator,
)

/** Average risk-weighted short-term wholesale funding: method 2 takes it to risk-weighted assets, times 350. */
export const shortTermFunding = { key: 'short_term_wholesale_funding', item: 'Y896', factor: 350 }

/** Substitutability counts no more than this in method 1. */
export const mostOfSubstitutability = 100
