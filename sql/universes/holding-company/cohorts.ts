import type { Cohort } from '../../derive/cohorts.ts'

/** Peer groups of the BHC Performance Report by consolidated assets, in thousands of US dollars, smallest first. */
export const cohorts: readonly Cohort[] = [
  { key: 'peer_5', label: 'Peer group 5: under $500 million', min: 0, max: 500_000 },
  { key: 'peer_4', label: 'Peer group 4: $500 million to $1 billion', min: 500_000, max: 1_000_000 },
  { key: 'peer_3', label: 'Peer group 3: $1 billion to $3 billion', min: 1_000_000, max: 3_000_000 },
  { key: 'peer_2', label: 'Peer group 2: $3 billion to $10 billion', min: 3_000_000, max: 10_000_000 },
  { key: 'peer_1', label: 'Peer group 1: $10 billion and more', min: 10_000_000, max: null },
]
