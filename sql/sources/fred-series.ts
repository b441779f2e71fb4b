/**
 * The FRED series that the datasets need: who publishes each, its unit, and whether its publisher lets others hand
 * it on. The licence decides what is fetched: `restricted` series are named here, and a user who
 * may hold them loads files of them.
 */
export interface FredSeries {
  id: string
  title: string
  unit:
    | 'percent'
    | 'percentage points'
    | 'index'
    | 'billions of US dollars'
    | 'billions of chained 2017 dollars'
  frequency: 'daily' | 'weekly' | 'monthly' | 'quarterly'
  publisher: string
  licence: Licence
}

export type Licence = keyof typeof licences

/** A Reserve Bank is no agency whose works the law puts in the public domain (17 USC 105): its own are `cited`. */
export const licences = {
  'public-domain': 'Public domain; FRED asks to be cited',
  cited: 'Copyrighted by the publisher; use allowed with citation',
  restricted: 'Copyrighted; the publisher forbids handing it on without its leave: load your own file of it',
} as const

const board = 'Board of Governors of the Federal Reserve System'
const newYork = 'Federal Reserve Bank of New York'
const stLouis = 'Federal Reserve Bank of St. Louis'
const fdic = 'Federal Deposit Insurance Corporation'
const bls = 'U.S. Bureau of Labor Statistics'
const bea = 'U.S. Bureau of Economic Analysis'

type Row = readonly [string, string, FredSeries['unit'], FredSeries['frequency'], string, Licence]

const maturities = [
  ['DGS1MO', '1-month'],
  ['DGS3MO', '3-month'],
  ['DGS6MO', '6-month'],
  ['DGS1', '1-year'],
  ['DGS2', '2-year'],
  ['DGS3', '3-year'],
  ['DGS5', '5-year'],
  ['DGS7', '7-year'],
  ['DGS10', '10-year'],
  ['DGS20', '20-year'],
  ['DGS30', '30-year'],
] as const

const realMaturities = ['5', '7', '10', '20', '30'] as const
const cdMonths = [1, 3, 6, 12, 24, 36, 48, 60] as const

// biome-ignore format: a table reads best as a table
const table: readonly Row[] = [
  ...maturities.map(([id, tenor]): Row => [id, `Treasury constant maturity, ${tenor} (H.15)`, 'percent', 'daily', board, 'public-domain']),
  ...realMaturities.map((years): Row => [`DFII${years}`, `Inflation-indexed Treasury constant maturity, ${years}-year (H.15)`, 'percent', 'daily', board, 'public-domain']),
  ['DTB4WK', '4-week Treasury bill, secondary market, discount basis (H.15)', 'percent', 'daily', board, 'public-domain'],
  ['DTB3', '3-month Treasury bill, secondary market, discount basis (H.15)', 'percent', 'daily', board, 'public-domain'],
  ['DTB6', '6-month Treasury bill, secondary market, discount basis (H.15)', 'percent', 'daily', board, 'public-domain'],
  ['DTB1YR', '1-year Treasury bill, secondary market, discount basis (H.15)', 'percent', 'daily', board, 'public-domain'],

  ['DFF', 'Effective federal funds rate', 'percent', 'daily', board, 'public-domain'],
  ['DPRIME', 'Bank prime loan rate (H.15)', 'percent', 'daily', board, 'public-domain'],
  ['SOFR', 'Secured overnight financing rate', 'percent', 'daily', newYork, 'cited'],
  ['RRPONTSYD', 'Overnight reverse repurchase agreements, Treasury securities', 'billions of US dollars', 'daily', newYork, 'cited'],
  ['T10Y2Y', '10-year less 2-year Treasury', 'percentage points', 'daily', stLouis, 'cited'],
  ['T10Y3M', '10-year less 3-month Treasury', 'percentage points', 'daily', stLouis, 'cited'],
  ['T5YIE', '5-year breakeven inflation', 'percent', 'daily', stLouis, 'cited'],
  ['T10YIE', '10-year breakeven inflation', 'percent', 'daily', stLouis, 'cited'],
  ['T5YIFR', '5-year, 5-year forward inflation expectation', 'percent', 'daily', stLouis, 'cited'],
  ['BAA10Y', "Moody's Baa corporate yield less 10-year Treasury", 'percentage points', 'daily', "Federal Reserve Bank of St. Louis, from Moody's", 'restricted'],
  ['AAA10Y', "Moody's Aaa corporate yield less 10-year Treasury", 'percentage points', 'daily', "Federal Reserve Bank of St. Louis, from Moody's", 'restricted'],
  ['BAMLC0A0CM', 'ICE BofA US corporate index, option-adjusted spread', 'percentage points', 'daily', 'ICE Data Indices', 'restricted'],
  ['BAMLH0A0HYM2', 'ICE BofA US high yield index, option-adjusted spread', 'percentage points', 'daily', 'ICE Data Indices', 'restricted'],
  ['VIXCLS', 'CBOE volatility index (VIX)', 'index', 'daily', 'Chicago Board Options Exchange', 'restricted'],
  ['NFCI', 'Chicago Fed national financial conditions index', 'index', 'weekly', 'Federal Reserve Bank of Chicago', 'cited'],
  ['UNRATE', 'Unemployment rate', 'percent', 'monthly', bls, 'public-domain'],
  ['CPIAUCSL', 'Consumer price index, all urban consumers', 'index', 'monthly', bls, 'public-domain'],
  ['GDPC1', 'Real gross domestic product', 'billions of chained 2017 dollars', 'quarterly', bea, 'public-domain'],

  ['MORTGAGE30US', '30-year fixed-rate mortgage average', 'percent', 'weekly', 'Freddie Mac', 'restricted'],
  ['MORTGAGE15US', '15-year fixed-rate mortgage average', 'percent', 'weekly', 'Freddie Mac', 'restricted'],
  ['MORTGAGE5US', '5/1-year adjustable-rate mortgage average (to 2022-11)', 'percent', 'weekly', 'Freddie Mac', 'restricted'],

  ['TERMCBCCALLNS', 'Credit cards, all accounts (G.19)', 'percent', 'quarterly', board, 'public-domain'],
  ['TERMCBCCINTNS', 'Credit cards, accounts assessed interest (G.19)', 'percent', 'quarterly', board, 'public-domain'],
  ['TERMCBPER24NS', '24-month personal loans at commercial banks (G.19)', 'percent', 'quarterly', board, 'public-domain'],
  ['TERMCBAUTO48NS', '48-month new car loans at commercial banks (G.19)', 'percent', 'quarterly', board, 'public-domain'],
  ['RIFLPBCIANM60NM', '60-month new car loans at commercial banks (G.19)', 'percent', 'quarterly', board, 'public-domain'],
  ['RIFLPBCIANM72NM', '72-month new car loans at commercial banks (G.19)', 'percent', 'quarterly', board, 'public-domain'],

  ['SNDR', 'National rate, savings', 'percent', 'monthly', fdic, 'public-domain'],
  ['ICNDR', 'National rate, interest checking', 'percent', 'monthly', fdic, 'public-domain'],
  ['MMNDR', 'National rate, money market', 'percent', 'monthly', fdic, 'public-domain'],
  ...cdMonths.map((months): Row => [`NDR${months}MCD`, `National rate, ${months}-month CD`, 'percent', 'monthly', fdic, 'public-domain']),
]

export const fredSeries: readonly FredSeries[] = table.map(
  ([id, title, unit, frequency, publisher, licence]) => ({
    id,
    title,
    unit,
    frequency,
    publisher,
    licence,
  }),
)

export const fredSeriesById: ReadonlyMap<string, FredSeries> = new Map(
  fredSeries.map((series) => [series.id, series]),
)

/** What is fetched. */
export const fetchedSeries = fredSeries.filter(({ licence }) => licence !== 'restricted')
/** What is left to the user. */
export const restrictedSeries = fredSeries.filter(({ licence }) => licence === 'restricted')
