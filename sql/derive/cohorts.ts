/** An asset-size cohort: banks with at least `min` and less than `max` total assets, in thousands of US dollars. */
export interface Cohort {
  readonly key: string
  readonly label: string
  readonly min: number
  readonly max: number | null
}

/** The six asset tiers, smallest first: the one reference for cohorts, benchmarks and ranks. */
export const cohorts: readonly Cohort[] = [
  { key: 'under_100m', label: 'Under $100 million', min: 0, max: 100_000 },
  { key: '100m_300m', label: '$100 million to $300 million', min: 100_000, max: 300_000 },
  { key: '300m_1b', label: '$300 million to $1 billion', min: 300_000, max: 1_000_000 },
  { key: '1b_10b', label: '$1 billion to $10 billion', min: 1_000_000, max: 10_000_000 },
  { key: '10b_100b', label: '$10 billion to $100 billion', min: 10_000_000, max: 100_000_000 },
  { key: 'over_100b', label: 'Over $100 billion', min: 100_000_000, max: null },
]

/** Every bank, whatever its size: a cohort of benchmarks and industry figures, not of ranks. */
export const allBanks = 'all'

/** SQL of the cohort's key by an expression of total assets; '' where they are unknown. */
export function cohortSql(totalAssets: string): string {
  const tiers = cohorts
    .filter(({ max }) => max !== null)
    .map(({ key, max }) => `${totalAssets} < ${max}, '${key}'`)
  return `multiIf(${totalAssets} IS NULL, '', ${tiers.join(', ')}, '${cohorts.at(-1)!.key}')`
}
