import { overNumbers } from '../formula/over-numbers.ts'

/** Of the banks of a group that have a value: how many are below one, equal it (itself among them), and are there at all. */
const counts = ['below', 'equal', 'present'] as const
export type Counts = Readonly<Record<(typeof counts)[number], number>>

/**
 * Percentile rank, the one definition of it: the share of the group's values that are below, and half of those
 * that are equal (the bank's own among them), in percent. 0 to 100, 50 for the middle or for equals all round.
 * NULL where the bank has no value; banks without a value are not counted.
 */
export const percentileRank = overNumbers(counts, '100 * (cc:BELOW + cc:EQUAL / 2) / cc:PRESENT')

/** Rank among those that have a value: 1 is the best, and equal values share the better one. */
export const rankFrom = {
  /** Where the least value is the best. */
  least: overNumbers(counts, 'cc:BELOW + 1'),
  greatest: overNumbers(counts, 'cc:PRESENT - cc:BELOW - cc:EQUAL + 1'),
} as const
