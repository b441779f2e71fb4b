/** Names of institutions. */

const company =
  /,? (national association|n\.?a\.?|corporation|corp\.?|company|co\.?|incorporated|inc\.?|federal savings bank|fsb|ssb|federal credit union|credit union)$/i
/** A name where several stand beside each other: without the words at its end that say what kind of company it is. */
export const shortName = (name: string): string => name.replace(company, '')
