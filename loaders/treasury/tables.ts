/** What the Treasury publishes each business day, and how its columns are named, in CSV and in XML. */

/** Par yields: the maturities of the curve, with months. 2 M since 2018-10-16, 4 M since 2022-10-19, 1.5 M since 2025-02-18. */
export const curveTenors = [
  ['1M', 1],
  ['1.5M', 1.5],
  ['2M', 2],
  ['3M', 3],
  ['4M', 4],
  ['6M', 6],
  ['1Y', 12],
  ['2Y', 24],
  ['3Y', 36],
  ['5Y', 60],
  ['7Y', 84],
  ['10Y', 120],
  ['20Y', 240],
  ['30Y', 360],
] as const

/** Par real yields, of inflation-protected securities. */
export const realTenors = [
  ['5Y', 60],
  ['7Y', 84],
  ['10Y', 120],
  ['20Y', 240],
  ['30Y', 360],
] as const

/** Bills, with weeks. 8 W since 2018-10-16, 17 W since 2022-10-19, 6 W since 2025-02-18. */
export const billTenors = [
  ['4W', 4],
  ['6W', 6],
  ['8W', 8],
  ['13W', 13],
  ['17W', 17],
  ['26W', 26],
  ['52W', 52],
] as const

export const parSeries = (tenor: string): string => `UST_PAR_${tenor}`
export const realSeries = (tenor: string): string => `UST_REAL_${tenor}`
/** Discount rate on a 360-day year. */
export const billDiscountSeries = (tenor: string): string => `UST_BILL_DISCOUNT_${tenor}`
/** Investment yield on a 365-day year, as comparable to a coupon. */
export const billCouponSeries = (tenor: string): string => `UST_BILL_COUPON_${tenor}`

export const seriesOfTreasury: ReadonlySet<string> = new Set([
  ...curveTenors.map(([tenor]) => parSeries(tenor)),
  ...realTenors.map(([tenor]) => realSeries(tenor)),
  ...billTenors.flatMap(([tenor]) => [billDiscountSeries(tenor), billCouponSeries(tenor)]),
])

export const feeds = [
  'daily_treasury_yield_curve',
  'daily_treasury_real_yield_curve',
  'daily_treasury_bill_rates',
] as const
export type Feed = (typeof feeds)[number]

/** First year that each feed has (Treasury's developer notice). */
export const firstYear: Readonly<Record<Feed, number>> = {
  daily_treasury_yield_curve: 1990,
  daily_treasury_real_yield_curve: 2003,
  daily_treasury_bill_rates: 2002,
}

/** `series` where the column is known, `ignored` where it is no rate, `new` where nobody knows it. */
export type Meaning = { series: string } | 'ignored' | 'new'

const known = (series: string): Meaning => (seriesOfTreasury.has(series) ? { series } : 'new')

const TENOR = /^(\d+(?:\.\d+)?) ?(mo|month|months|yr|year|years)$/i
const BILL = /^(\d+) ?(?:wk|week|weeks) (bank discount|coupon equivalent)$/i

/** What a CSV's columns are; undefined: not a table of these rates. Par and real yields are headed alike. */
export function csvMeanings(headings: readonly string[]): Meaning[] | undefined {
  const tenors = headings.map(tenorOf)
  if (headings.some((heading) => BILL.test(heading))) return headings.map(billMeaning)
  const named = tenors.filter((tenor) => tenor !== undefined)
  if (named.length === 0 || headings.some((heading) => /extrapolation|composite/i.test(heading)))
    return undefined
  const isReal = named.every((tenor) => realTenors.some(([real]) => real === tenor))
  return tenors.map((tenor) =>
    tenor === undefined ? 'new' : known(isReal ? realSeries(tenor) : parSeries(tenor)),
  )
}

function tenorOf(heading: string): string | undefined {
  const match = TENOR.exec(heading)
  return match ? `${Number(match[1])}${match[2]![0]!.toUpperCase()}` : undefined
}

function billMeaning(heading: string): Meaning {
  const match = BILL.exec(heading)
  if (!match) return 'new'
  const tenor = `${match[1]}W`
  return known(/discount/i.test(match[2]!) ? billDiscountSeries(tenor) : billCouponSeries(tenor))
}

const ELEMENT = /^(BC|TC)_(\d+(?:_\d+)?)(MONTH|YEAR)$/
const BILL_ELEMENT = /^ROUND_B1_(CLOSE|YIELD)_(\d+)WK_2$/
// The display twin of the 30-year, bills' averages over issues, and what identifies entries and securities.
const NO_RATE =
  /^(Id|NEW_DATE|INDEX_DATE|QUOTE_DATE|BC_30YEARDISPLAY|CF_NEW_DATE|CF_WEEK|PAGE_NUMBER|BOND_MKT_UNAVAIL_REASON|(MATURITY_DATE|CUSIP)_\d+WK|CS_\d+WK_(CLOSE|YIELD)_AVG)$/

/** What an element of the XML feed's properties is. */
export function xmlMeaning(element: string): Meaning {
  if (NO_RATE.test(element)) return 'ignored'
  const curve = ELEMENT.exec(element)
  if (curve) {
    const tenor = `${curve[2]!.replace('_', '.')}${curve[3]![0]}`
    return known(curve[1] === 'BC' ? parSeries(tenor) : realSeries(tenor))
  }
  const bill = BILL_ELEMENT.exec(element)
  if (!bill) return 'new'
  return known(bill[1] === 'CLOSE' ? billDiscountSeries(`${bill[2]}W`) : billCouponSeries(`${bill[2]}W`))
}
