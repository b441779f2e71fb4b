/** The arithmetic of the peer datasets once more, in the plainest way, over rows fetched from other datasets. */

const present = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null).sort((a, b) => a - b)

/** Quantile by linear interpolation between neighbours, both ends included. */
export function quantile(values: readonly (number | null)[], share: number): number | null {
  const sorted = present(values)
  if (sorted.length === 0) return null
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.ceil(place)]!
  return below + (above - below) * (place - Math.floor(place))
}

export function mean(values: readonly (number | null)[]): number | null {
  const all = present(values)
  return all.length === 0 ? null : all.reduce((sum, value) => sum + value, 0) / all.length
}

export const known = (values: readonly (number | null)[]): number => present(values).length

/** 1 for the best value; equal values share the better rank; null for a bank without a value. */
export function rank(
  values: readonly (number | null)[],
  own: number | null,
  direction: string,
): number | null {
  if (own === null) return null
  const better = present(values).filter((value) => (direction === 'lower' ? value < own : value > own))
  return better.length + 1
}

/** Equal to a relative 1e-9: sums of floats depend on their order. */
export function near(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}
