/** From where on a move of a metric, or a crossing of a level, is worth telling. */

interface Move {
  /** What is told where a reader says nothing. */
  readonly usual: number
  /** The smallest that a reader may ask for: smaller moves are not kept. */
  readonly least: number
}

/** Moves since the report before: of amounts of money in percent, of ratios in percentage points. */
export const moves: Readonly<Record<string, Move>> = {
  total_assets: { usual: 10, least: 2 },
  total_loans: { usual: 10, least: 2 },
  total_deposits: { usual: 10, least: 2 },
  total_shares: { usual: 10, least: 2 },
  total_equity: { usual: 10, least: 2 },
  roa: { usual: 0.5, least: 0.1 },
  nim: { usual: 0.3, least: 0.1 },
  efficiency_ratio: { usual: 10, least: 2 },
  cet1_ratio: { usual: 1, least: 0.2 },
  tier1_leverage_ratio: { usual: 1, least: 0.2 },
  total_capital_ratio: { usual: 1, least: 0.2 },
  net_worth_ratio: { usual: 0.5, least: 0.1 },
  noncurrent_loans_ratio: { usual: 0.5, least: 0.1 },
  nonperforming_ratio: { usual: 0.5, least: 0.1 },
  delinquency_ratio: { usual: 0.5, least: 0.1 },
  net_chargeoffs_ratio: { usual: 0.5, least: 0.1 },
  cre_concentration: { usual: 30, least: 10 },
  liquid_assets_ratio: { usual: 5, least: 1 },
  brokered_deposits_ratio: { usual: 5, least: 1 },
  wholesale_funding_ratio: { usual: 5, least: 1 },
  cost_of_deposits: { usual: 0.5, least: 0.1 },
  unrealized_gains_ratio: { usual: 10, least: 2 },
}

/** From which value on trades of an insider are told, in thousands of dollars. Sales have many reasons, purchases one. */
export const trades = {
  P: { did: 'bought', least: 100, says: '$100 thousand' },
  S: { did: 'sold', least: 1000, says: '$1 million' },
} as const

/** A percentile that moved by so much is a jump. */
export const JUMP = 25

interface Level {
  readonly entity: string
  readonly metric: string
  readonly level: number
  /** Whose level it is, after “the 5 % of”. */
  readonly rule: string
}

const wellCapitalised = 'well capitalised banks (12 CFR 324.403)'
const wellCapitalisedHolder = 'well capitalised holding companies (12 CFR 225.2)'
const guidance = 'the interagency guidance on commercial real estate of 2006'

/** Levels of ratios. Those of categories that the catalog has as a metric are told as a change of the category besides. */
export const levels: readonly Level[] = [
  { entity: 'bank', metric: 'tier1_leverage_ratio', level: 5, rule: wellCapitalised },
  { entity: 'bank', metric: 'cet1_ratio', level: 6.5, rule: wellCapitalised },
  { entity: 'bank', metric: 'tier1_ratio', level: 8, rule: wellCapitalised },
  { entity: 'bank', metric: 'total_capital_ratio', level: 10, rule: wellCapitalised },
  { entity: 'bank', metric: 'cre_concentration', level: 300, rule: guidance },
  { entity: 'bank', metric: 'construction_concentration', level: 100, rule: guidance },
  { entity: 'holding_company', metric: 'tier1_ratio', level: 6, rule: wellCapitalisedHolder },
  { entity: 'holding_company', metric: 'total_capital_ratio', level: 10, rule: wellCapitalisedHolder },
  {
    ...{ entity: 'holding_company', metric: 'capital_buffer', level: 2.5 },
    rule: 'the capital conservation buffer without limits on payouts (12 CFR 217.11)',
  },
]
