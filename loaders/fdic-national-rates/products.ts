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
