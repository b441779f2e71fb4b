import { guideFactorDecimals } from '../guide.ts'

/**
 * Phrases of the formula language that the catalog repeats. MDRM items are named without their series where a
 * phrase chooses it: form 031 files consolidated figures as RCFD, forms 041 and 051 file theirs as RCON.
 */

/** Consolidated balance of a filer: RCFX stands for RCFD where it is filed, else RCON. Coalesced, never added. */
export const consolidated = (code: string): string => `cc:RCFX${code}[P0]`

/** Domestic offices only. */
export const domestic = (code: string): string => `cc:RCON${code}[P0]`

/** Foreign offices only: form 031. */
export const foreign = (code: string): string => `cc:RCFN${code}[P0]`

/** Income, expense, charge-off or recovery, calendar year to date. */
export const income = (code: string): string => `cc:RIAD${code}[P0]`

/**
 * Regulatory capital. Schedule RC-R Part I files RCFA or RCOA (RCAX), from 2014 by advanced approaches banks and from
 * 2015 by all; before, and in 2014 by the others, it was RCFD and RCON.
 */
export const regulatory = (code: string): string => `ExistingOf(cc:RCAX${code}[P0], cc:RCFX${code}[P0])`

/** Another metric of the same quarter, or of `quarters` quarters earlier. */
export const metric = (key: string, quarters = 0): string => `m:${key}[${quarters ? `-P${quarters}Q` : 'P0'}]`

/** Sum that takes an absent addend as zero and is absent only where all are: for lines that not every form has. */
export const sum = (...terms: readonly string[]): string => `SUMOF(${terms.join(', ')})`

/** Absent means zero: the form says so of this item. */
export const orZero = (term: string): string => `ExistingOf(${term}, 0)`

export const percentOf = (part: string, whole: string): string => `PCTOF(${metric(part)}, ${metric(whole)})`

/** Year-to-date flow as an annual percentage of a balance. */
export const annualised = (flow: string, balance: string): string =>
  `PCTOFANN(${metric(flow)}, ${metric(balance)})`

/** What the UBPR annualises a year-to-date flow with: 4, 2, 1.3333 and 1. */
export const ubprFactor = `ROUND(ANN, ${guideFactorDecimals})`

/** Year-to-date flow as an annual percentage of a balance, as the UBPR annualises. */
export const annualisedAsUbpr = (flow: string, balance: string): string =>
  `PCTOF(${metric(flow)}, ${metric(balance)}) * ${ubprFactor}`

/** Flow of one quarter as an annual percentage of a balance. */
export const annualisedQuarter = (flow: string, balance: string): string =>
  `PCTOF(4 * ${metric(flow)}, ${metric(balance)})`

/**
 * FDIC's average of a balance over the calendar year to date (its CAVG5): prior year-end, the quarter and those
 * between, over as many as were filed. With `pooled`, balances of affiliates that were merged in since count too, as
 * their income is in the year to date; so they do where `predecessorBalances` has the balance.
 */
export function yearToDateAverage(key: string, pooled = key in predecessorBalances): string {
  const earlier = [1, 2, 3, 4].map((k) =>
    pooled ? sum(metric(key, k), `cc:${predecessorItem(key, k)}[P0]`) : metric(key, k),
  )
  // ANN is 12 over the month: 4, 2, 1.33 and 1 at the four quarter-ends.
  const inYear = ['ANN <= 4', 'ANN <= 2', 'ANN < 1.5', 'ANN <= 1']
  const terms = earlier.map((term, i) => (i === 0 ? term : `IF(${inYear[i]}, ${term}, NULL)`))
  const counted = terms.map((term) => `IF(IsNil(${term}), 0, 1)`)
  return `IF(IsNil(${metric(key)}), NULL, ${sum(metric(key), ...terms)} / (1 + ${counted.join(' + ')}))`
}

/** FDIC's average over one quarter (its CAVG2): the quarter-end and the one before. */
export function quarterAverage(key: string): string {
  const before = metric(key, 1)
  return `IF(IsNil(${metric(key)}), NULL, ${sum(metric(key), before)} / (1 + IF(IsNil(${before}), 0, 1)))`
}

/** Balances of merged-in affiliates that `sql/derive/` works out, by the metric that they are balances of. */
export const predecessorBalances: Readonly<Record<string, string>> = {
  total_assets: '2170',
  total_loans: '2122',
  total_equity: '3210',
  earning_assets: 'EARN',
  construction_loans: 'CONS',
  residential_loans: 'RESI',
  home_equity_loans: 'HOME',
  closed_end_residential_loans: 'CLOS',
  multifamily_loans: 'MULT',
  nonfarm_nonresidential_loans: 'NONR',
  unsecured_cre_loans: 'UCRE',
  commercial_industrial_loans: 'COMI',
  agricultural_loans: 'AGRI',
  consumer_loans: 'CSMR',
  credit_card_loans: 'CARD',
  auto_loans: 'AUTO',
  other_consumer_loans: 'OTHC',
}

/**
 * Item that derive adds to a filing: the balance, `quarters` quarters earlier, of affiliates that have since been
 * merged into the filer by a pooling. No item of the MDRM: PRE1 to PRE4 are not series of it.
 */
const predecessorItem = (balance: string, quarters: number): string =>
  `PRE${quarters}${predecessorBalances[balance]}`

/** Offices by FDIC's institution file, which derive adds to a filing: the Call Report does not count them. */
export const officesItem = 'FDICOFFS'

/** Items that derive works out, beside those that are filed. */
export const derivedItems: readonly string[] = [
  officesItem,
  ...Object.keys(predecessorBalances).flatMap((balance) =>
    [1, 2, 3, 4].map((quarters) => predecessorItem(balance, quarters)),
  ),
]

/** A code of the Call Report's numeric series. */
export const callReportItem = /^(?:RCFD|RCON|RCFN|RCFA|RCOA|RCFW|RCOW|RIAD)[A-Z0-9]{4}$/

/** Coefficients of the failure model, which derive adds to a filing too: see failure-risk.ts. */
const coefficientItem = /^RISK[0-9]{4}$/

/** Formal enforcement actions in force at the report date, which derive adds to a filing. */
export const ordersItem = 'ENFORCED'

/** Whether a code is an item of the Call Report's numeric series, or one that derive works out. */
export const isKnownItem = (mdrm: string): boolean =>
  callReportItem.test(mdrm) ||
  derivedItems.includes(mdrm) ||
  coefficientItem.test(mdrm) ||
  mdrm === ordersItem
