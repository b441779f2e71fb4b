/** What series of rates are called: as columns of industry-rate-environment-trends are, to which test/explorer/files.test.ts holds them. */

export const rateNames = {
  yield_3m: '3-month Treasury yield',
  yield_2y: '2-year Treasury yield',
  yield_10y: '10-year Treasury yield',
  yield_30y: '30-year Treasury yield',
  spread_10y_2y: '10-year less 2-year yield',
  federal_funds_rate: 'Effective federal funds rate',
  mortgage_rate_30y: '30-year mortgage rate',
  real_yield_10y: '10-year real yield',
  cost_of_deposits: 'Cost of deposits',
  nim: 'Net interest margin',
} as const

export type Rate = keyof typeof rateNames

/** A difference of two rates. */
export const POINTS = 'percentage points'
export const unitOf = (rate: Rate): string => (rate.startsWith('spread_') ? POINTS : 'percent')
