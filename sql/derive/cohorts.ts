/** A cohort by size: institutions with at least `min` and less than `max` of what it goes by. */
export interface Cohort {
  readonly key: string
  readonly label: string
  readonly min: number
  readonly max: number | null
}

/** Every institution, whatever its size: a cohort of benchmarks and industry figures, not of ranks. */
export const everyone = 'all'

export interface Cohorts {
  /** The metric that they go by. */
  readonly metric: string
  readonly tiers: readonly Cohort[]
}

/** SQL of the cohort's key by an expression of the metric; '' where it is unknown. */
export function cohortSql({ tiers }: Cohorts, value: string): string {
  const bounded = tiers.filter(({ max }) => max !== null).map(({ key, max }) => `${value} < ${max}, '${key}'`)
  return `multiIf(${value} IS NULL, '', ${[...bounded, `'${tiers.at(-1)!.key}'`].join(', ')})`
}
