/**
 * Percentile rank, the one definition of it: the share of the group's values that are below, and half of those
 * that are equal (the bank's own among them), in percent. 0 to 100, 50 for the middle or for equals all round.
 * NULL where the bank has no value; banks without a value are not counted.
 *
 * @param below SQL: how many values of the group are less
 * @param equal SQL: how many equal it, itself included
 * @param present SQL: how many banks of the group have a value
 */
export const percentileRank = (below: string, equal: string, present: string): string =>
  `100 * (${below} + ${equal} / 2) / ${present}`

/** The same of numbers. */
export const percentileRankOf = (below: number, equal: number, present: number): number =>
  (100 * (below + equal / 2)) / present
