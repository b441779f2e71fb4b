/** Areas of the catalog, in the order in which it lists them. */
export const metricCategories = [
  'balance-sheet',
  'income',
  'profitability',
  'efficiency',
  'capital',
  'asset-quality',
  'loan-mix',
  'concentration',
  'deposits',
  'liquidity',
  'securities',
  'fees-and-trading',
  'off-balance-sheet',
  'growth',
  'parent-company',
  'scorecard',
  'risk',
  'members',
] as const

export type MetricCategory = (typeof metricCategories)[number]
export type MetricUnit = 'thousands of US dollars' | 'percent' | 'count' | 'ratio' | 'points' | 'code'
/** Which way is better for a bank's condition. `neutral`: neither, or both ways from some middle. */
export type MetricDirection = 'higher' | 'lower' | 'neutral'

/**
 * How a figure of many banks follows from theirs. `sum`: it is the sum of the banks' figures. `formula`: the
 * metric's own formula over the sums of the metrics that it names, as FDIC takes its industry ratios; such a
 * formula names metrics only, never items.
 */
export type Aggregation = 'sum' | 'formula'

/** A named formula that others build on. Not served by itself unless it is a Metric. */
export interface Concept {
  readonly key: string
  /** In the expression language of the UBPR user guide, see docs/formulas.md. */
  readonly formula: string
  readonly aggregation: Aggregation
}

/** One metric of the catalog: the only place where it is defined. */
export interface Metric extends Concept {
  readonly label: string
  readonly unit: MetricUnit
  readonly direction: MetricDirection
  readonly category: MetricCategory
  /** Whose definition it is: FDIC's field name, the UBPR concept, or the Call Report line. */
  readonly source: string
  readonly description?: string
  /** The tier of the datasets that may have it of one institution; default: all. Of many together anybody may. */
  readonly tier?: 'Premium'
}

type Rest = Pick<Metric, 'label' | 'formula' | 'source' | 'description' | 'tier'> & {
  direction?: MetricDirection
}

/** Declarations of one area: money and counts add up over banks, ratios do not. */
export function area(category: MetricCategory) {
  const declare =
    (unit: MetricUnit, aggregation: Aggregation) =>
    (key: string, { direction = 'neutral', ...rest }: Rest & { aggregation?: Aggregation }): Metric => ({
      key,
      unit,
      direction,
      category,
      aggregation,
      ...rest,
    })
  return {
    money: declare('thousands of US dollars', 'sum'),
    count: declare('count', 'sum'),
    percent: declare('percent', 'formula'),
    ratio: declare('ratio', 'formula'),
    points: declare('points', 'formula'),
    code: declare('code', 'formula'),
  }
}

/** A source with FDIC's name of the same figure, where there is one. */
export const named = (source: string, fdic?: string): string => (fdic ? `${source}; FDIC ${fdic}` : source)

/**
 * FDIC's variable that a metric equals: the one that its source names without more. A source that says more
 * ("FDIC ASTEMPM, in thousands") is of a figure that differs.
 */
export const fdicVariable = ({ source }: Pick<Metric, 'source'>): string | null =>
  source
    .split(';')
    .map((name) => /^FDIC ([A-Z0-9]+)$/.exec(name.trim())?.[1])
    .find((name) => name !== undefined) ?? null

/** A concept whose figures add up over banks. */
export const summed = (key: string, formula: string): Concept => ({ key, formula, aggregation: 'sum' })
