import { hook, source } from './declare.ts'
import { observations } from './observations.ts'

/** Deposit products of FDIC's table. */
export const products = [
  ['savings', 'Savings', 'SAVINGS'],
  ['interest_checking', 'Interest checking', 'INTEREST_CHECKING'],
  ['money_market', 'Money market', 'MONEY_MARKET'],
  ...([1, 3, 6, 12, 24, 36, 48, 60] as const).map(
    (months) => [`cd_${months}m`, `${months}-month certificate of deposit`, `CD_${months}M`] as const,
  ),
] as const

/** What the table says of each product, by the heading of the column. */
export const measures = [
  ['national rate', 'RATE'],
  ['national rate plus 75 bps', 'RATE_PLUS_75'],
  ['treasury yield', 'TREASURY'],
  ['treasury yield - rate cap adjusted', 'TREASURY_CAP'],
  ['national rate cap', 'CAP'],
] as const

export const nationalRateSeries = (measure: string, product: string): string => `FDIC_${measure}_${product}`

/** Lower case, single spaces, without footnote marks and the size class. */
export const plainHeading = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<\s*\$?100\s*m/g, '')
    .replace(/[–—]/g, '-')
    .replace(/[^a-z0-9 -]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<=[a-z]) ?\d$/, '')
    .trim()

/** The stored name of a product as FDIC words it, or undefined. */
export function productOf(text: string): string | undefined {
  const plain = plainHeading(text)
  const months = /^(\d+)[ -]month cd$/.exec(plain)?.[1]
  if (months) return products.find(([, , name]) => name === `CD_${months}M`)?.[2]
  return products.find(([, label]) => label.toLowerCase() === plain)?.[2]
}

/** The stored name of a measure as FDIC heads it (`Rate Cap` before 2021), or undefined. */
export function measureOf(text: string): string | undefined {
  const plain = plainHeading(text)
  if (plain === 'rate cap') return 'CAP'
  if (plain === 'national deposit rates' || plain === 'national deposit rate') return 'RATE'
  return measures.find(([heading]) => heading === plain)?.[1]
}

const allSeries: ReadonlySet<string> = new Set(
  measures.flatMap(([, measure]) => products.map(([, , product]) => nationalRateSeries(measure, product))),
)

const isDate = (heading: string): boolean =>
  /^(date|as of date|effective date|month)$/.test(plainHeading(heading))
const isProduct = (heading: string): boolean => /^(deposit )?products?$/.test(plainHeading(heading))

/** Where a table with a row a date and product has both; undefined: it is no such table. */
export function longTable(headings: readonly string[]): { date: number; product: number } | undefined {
  const [date, product] = [headings.findIndex(isDate), headings.findIndex(isProduct)]
  return date >= 0 && product >= 0 && headings.some((heading) => measureOf(heading) === 'RATE')
    ? { date, product }
    : undefined
}

/** A workbook is a zip with a folder `xl`; other zips are other publishers'. */
export const isWorkbook = (text: string, name: string): boolean =>
  text.startsWith('PK') && (/\.xlsx$/i.test(name) || text.includes('xl/workbook.xml'))

export default source({
  key: 'fdic-national-rates',
  name: 'FDIC national rates and rate caps',
  publisher: 'Federal Deposit Insurance Corporation',
  licence: 'Public domain (work of the United States government)',
  address: 'https://www.fdic.gov/national-rates-and-rate-caps',
  what: 'National deposit rates, Treasury yields and rate caps by product, each month since April 2021.',
  fetch: {
    base: 'https://www.fdic.gov',
    addresses: () => [
      {
        name: 'archive-revised-rule.xlsx',
        path: '/resources/bankers/national-rates/documents/archive-revised-rule.xlsx',
      },
    ],
  },
  tables: observations({
    form: hook('national-rates', {
      begins: (text, name) =>
        isWorkbook(text, name) ||
        longTable((/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '').split(',')) !== undefined,
      expected: 'the workbook, or a CSV with a date, a product and its “National Rate”',
    }),
    series: {
      like: 'Date,FDIC_RATE_SAVINGS',
      columns: ([, ...names]) => names.map((series) => (allSeries.has(series) ? { series } : 'new')),
    },
  }),
})
