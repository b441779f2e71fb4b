/** How the cells of an item are read. */
export const ITEM_KIND = { number: 1, text: 2, ratio: 3 } as const
export type ItemKind = (typeof ITEM_KIND)[keyof typeof ITEM_KIND]

// Item numbers (the last four characters of an MDRM code) whose digits are no quantity.
const TEXT_ITEMS = new Set([
  '6724', // level of external auditing work: 1, 1b, 2, …
  '8678', // fiscal year-end, MMDD
  '9106', // date of a change in control or of push-down accounting, YYYYMMDD
  '9224', // legal entity identifier
  '9999', // report date, YYYYMMDD
])

/**
 * Ratios that filers report. The bulk files of before 2015 hold them as a fraction (`0.1999`), later ones as
 * `19.8288%`; stored is always percent, so that a series has one unit.
 */
const RATIO_ITEMS = new Set([
  '7204', // tier 1 leverage ratio
  '7205', // total capital ratio
  '7206', // tier 1 capital ratio
  '7273', // tier 1 leverage ratio of banks with financial subsidiaries
  '7274', // tier 1 capital ratio of banks with financial subsidiaries
  '7275', // total capital ratio of banks with financial subsidiaries
  'P793', // common equity tier 1 capital ratio
  'H036', // supplementary leverage ratio
  'H311', // institution-specific capital conservation buffer
  'H312', // the same, required
])

// RSSD: identity in schedule ENT (name, certificate, city, zip). TEXT, TE01 … TE10: words, whatever they look like.
const TEXT_PREFIX = /^(TEXT|TE\d\d|RSSD)/

/** The rule for an MDRM code such as `RCOA7204`. */
export function itemKind(mdrm: string): ItemKind {
  const item = mdrm.slice(4)
  if (TEXT_PREFIX.test(mdrm) || TEXT_ITEMS.has(item)) return ITEM_KIND.text
  return RATIO_ITEMS.has(item) ? ITEM_KIND.ratio : ITEM_KIND.number
}
