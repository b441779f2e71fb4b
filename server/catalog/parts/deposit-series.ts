/** FRED's series of FDIC's national rate, by the stored name of the product. */
export function fredDepositSeries(product: string): string {
  const months = /^CD_(\d+)M$/.exec(product)?.[1]
  if (months) return `NDR${months}MCD`
  return { SAVINGS: 'SNDR', INTEREST_CHECKING: 'ICNDR', MONEY_MARKET: 'MMNDR' }[product] ?? ''
}
