import { csv, hook, type SeriesColumn, source } from './declare.ts'
import { byYear } from './fetch.ts'
import { observations } from './observations.ts'

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

const allSeries: ReadonlySet<string> = new Set([
  ...curveTenors.map(([tenor]) => parSeries(tenor)),
  ...realTenors.map(([tenor]) => realSeries(tenor)),
  ...billTenors.flatMap(([tenor]) => [billDiscountSeries(tenor), billCouponSeries(tenor)]),
])

const known = (series: string): SeriesColumn => (allSeries.has(series) ? { series } : 'new')

const TENOR = /^(\d+(?:\.\d+)?) ?(mo|month|months|yr|year|years)$/i
const BILL = /^(\d+) ?(?:wk|week|weeks) (bank discount|coupon equivalent)$/i

/** What a CSV's columns are; undefined: not a table of these rates. Par and real yields are headed alike. */
function csvColumns(headings: readonly string[]): SeriesColumn[] | undefined {
  const tenors = headings.map(tenorOf)
  if (headings.some((heading) => BILL.test(heading))) return headings.map(billColumn)
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

function billColumn(heading: string): SeriesColumn {
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
function xmlColumn(element: string): SeriesColumn {
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

/** What the hook heads the day of an entry with. */
const XML_DATE = 'NEW_DATE'

/** The feeds, each with the first year that it has (Treasury's developer notice). */
const feeds = [
  ['daily_treasury_yield_curve', 1990],
  ['daily_treasury_real_yield_curve', 2003],
  ['daily_treasury_bill_rates', 2002],
] as const

export default source({
  key: 'treasury',
  name: 'Treasury daily interest rates',
  publisher: 'U.S. Department of the Treasury, Office of Debt Management',
  licence: 'Public domain (work of the United States government)',
  address: 'https://home.treasury.gov/policy-issues/financing-the-government/interest-rate-statistics',
  what: 'Par yield curve since 1990, par real yields since 2003 and bill rates since 2002, each business day.',
  fetch: {
    base: 'https://home.treasury.gov',
    // in the first days of January the year has no table yet
    addresses: (asked) =>
      feeds.flatMap(([feed, firstYear]) =>
        byYear(asked, firstYear, ({ year }) => ({
          name: `${feed}-${year}.csv`,
          path: `/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/${year}/all?type=${feed}&field_tdr_date_value=${year}&page&_format=csv`,
        })),
      ),
  },
  tables: observations({
    form: [
      csv(),
      hook('treasury-feed', {
        begins: (text) =>
          /^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|feed|entry|m:properties)/.test(text) &&
          /<feed|<entry|<m:properties/.test(text),
        expected: "Treasury's XML feed",
      }),
    ],
    series: {
      like: 'Date,1 Mo,2 Yr,10 Yr',
      columns: ([date = '', ...headings]) =>
        date === XML_DATE
          ? headings.map(xmlColumn)
          : date.toLowerCase() === 'date'
            ? csvColumns(headings)
            : undefined,
    },
    span: 'year',
  }),
})
