import { type Cohort, everyone } from '../../derive/cohorts.ts'

/** The six tiers of total assets in thousands of US dollars, smallest first: the one reference for cohorts, benchmarks and ranks. */
export const cohorts: readonly Cohort[] = [
  { key: 'under_100m', label: 'Under $100 million', min: 0, max: 100_000 },
  { key: '100m_300m', label: '$100 million to $300 million', min: 100_000, max: 300_000 },
  { key: '300m_1b', label: '$300 million to $1 billion', min: 300_000, max: 1_000_000 },
  { key: '1b_10b', label: '$1 billion to $10 billion', min: 1_000_000, max: 10_000_000 },
  { key: '10b_100b', label: '$10 billion to $100 billion', min: 10_000_000, max: 100_000_000 },
  { key: 'over_100b', label: 'Over $100 billion', min: 100_000_000, max: null },
]

export const allBanks = everyone
