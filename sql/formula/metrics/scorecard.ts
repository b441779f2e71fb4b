import { area, type Concept, type Metric, summed } from './metric.ts'
import { metric, ordersItem, orZero, percentOf, sum } from './terms.ts'

const { percent, points } = area('scorecard')

/** A measure of a component: no points at `worst` and beyond, 100 at `best` and beyond, and in proportion between. */
export interface Driver {
  readonly metric: string
  readonly worst: number
  readonly best: number
  /** Its share of the component, of 100. */
  readonly weight: number
}

export interface Component {
  readonly letter: 'C' | 'A' | 'M' | 'E' | 'L' | 'S'
  readonly key: string
  readonly label: string
  /** Its share of the overall score, of 100. */
  readonly weight: number
  /** Where it has a cap: the metric of the score without it, and the most and why where it binds. */
  readonly cap?: { readonly uncapped: string; readonly most: number; readonly why: string }
  readonly drivers: readonly Driver[]
}

const driver = (of: string, worst: number, best: number, weight: number): Driver => ({
  metric: of,
  worst,
  best,
  weight,
})

/** The method of the scorecard; docs/scorecard.md says why each is what it is. */
export const components: readonly Component[] = [
  {
    letter: 'C',
    key: 'capital_score',
    label: 'Capital',
    weight: 25,
    drivers: [
      driver('tier1_leverage_ratio', 4, 11, 35),
      driver('total_capital_ratio', 8, 17, 25),
      driver('tangible_equity_ratio', 3, 11, 20),
      driver('leverage_ratio_after_securities_losses', 2, 10, 20),
    ],
  },
  {
    letter: 'A',
    key: 'asset_quality_score',
    label: 'Asset quality',
    weight: 25,
    drivers: [
      driver('noncurrent_loans_ratio', 6, 0, 25),
      driver('noncurrent_to_capital_ratio', 50, 0, 25),
      driver('noncurrent_assets_ratio', 6, 0, 20),
      driver('net_chargeoffs_ratio', 2.5, 0, 15),
      driver('past_due_30_89_ratio', 3, 0, 15),
    ],
  },
  {
    letter: 'M',
    key: 'management_score',
    label: 'Management',
    weight: 10,
    cap: {
      uncapped: 'uncapped_management_score',
      most: 49,
      why: 'a formal enforcement action is in force: D at best',
    },
    drivers: [
      driver('efficiency_ratio', 100, 50, 40),
      driver('noninterest_expense_ratio', 5, 1.5, 20),
      driver('cre_concentration', 400, 50, 20),
      driver('construction_concentration', 120, 0, 20),
    ],
  },
  {
    letter: 'E',
    key: 'earnings_score',
    label: 'Earnings',
    weight: 15,
    drivers: [
      driver('roa', -0.5, 1.3, 40),
      driver('pre_provision_roa', 0, 2, 35),
      driver('nim', 1.5, 4.5, 25),
    ],
  },
  {
    letter: 'L',
    key: 'liquidity_score',
    label: 'Liquidity',
    weight: 15,
    drivers: [
      driver('liquid_assets_ratio', 5, 35, 30),
      driver('wholesale_funding_ratio', 30, 0, 25),
      driver('noninterest_bearing_deposits_ratio', 0, 25, 20),
      driver('listing_service_deposits_ratio', 10, 0, 10),
      driver('estimated_uninsured_deposits_ratio', 75, 15, 15),
    ],
  },
  {
    letter: 'S',
    key: 'sensitivity_score',
    label: 'Sensitivity to market risk',
    weight: 10,
    drivers: [
      driver('interest_burden_ratio', 60, 5, 40),
      driver('long_assets_to_capital_ratio', 800, 0, 30),
      driver('unrealized_gains_ratio', -50, 0, 30),
    ],
  },
]

/** Least score of each grade, best first; below the last it is F. */
export const grades = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
] as const

/** SQL of the grade of a score from 0 to 100; null where there is no score. */
export const gradeOf = (score: string): string =>
  `multiIf(isNull(${score}), NULL, ${grades.map(([grade, least]) => `${score} >= ${least}, '${grade}'`).join(', ')}, 'F')`

/** What grades are, for notes. */
export const gradesInWords: string = `${grades.map(([grade, least]) => `${grade} from ${least}`).join(', ')}, F below`

/** From this category of prompt corrective action on, the overall score is at most so much: D, and F. */
export const caps = [
  { category: 4, most: 34, why: 'significantly or critically undercapitalised: F at best' },
  { category: 3, most: 49, why: 'undercapitalised: D at best' },
] as const

const pointsOf = ({ metric: of, worst, best }: Driver) =>
  `MAX(0, MIN(100, 100 * (${metric(of)} - ${worst}) / ${best - worst}))`

/** Mean of what there is, by weight: a measure that a bank does not have leaves its weight to the others. */
function weighted(parts: readonly { value: string; of: string; weight: number }[]): string {
  const present = parts.map(({ of, weight }) => `IF(IsNil(${metric(of)}), 0, ${weight})`)
  return `${sum(...parts.map(({ value, weight }) => `${weight} * ${value}`))} / (${present.join(' + ')})`
}

const overall = weighted(components.map(({ key, weight }) => ({ value: metric(key), of: key, weight })))
const capped = caps.reduceRight(
  (rest, { category, most }) =>
    `IF(${metric('pca_category')} >= ${category}, MIN(${most}, ${metric('uncapped_score')}), ${rest})`,
  metric('uncapped_score'),
)
const method = 'docs/scorecard.md'

/**
 * Banks under a formal enforcement action, and all. Of one bank the former is all or none; many together are capped where
 * every one of them is under one.
 */
export const orderConcepts: readonly Concept[] = [
  summed('banks_under_orders', `IF(${orZero(`cc:${ordersItem}[P0]`)} > 0, 1, 0)`),
  summed('banks_under_orders_or_not', `IF(IsNil(${metric('banks_under_orders')}), 0, 1)`),
]
const underOrders = `${metric('banks_under_orders')} >= ${metric('banks_under_orders_or_not')}`

/** The metrics of a component: its score, and before it the one without its cap where it has one. */
function scores({ key, label, letter, drivers, cap }: Component): Metric[] {
  const mean = weighted(drivers.map((one) => ({ value: pointsOf(one), of: one.metric, weight: one.weight })))
  const score = (formula: string, description: string) =>
    points(key, { label: `${label}: score`, direction: 'higher', formula, source: method, description })
  const what = `Component ${letter} of the scorecard, 0 to 100`
  if (!cap) return [score(mean, `${what}.`)]
  const { uncapped, most } = cap
  const before = points(uncapped, {
    label: `${label}: score before its cap`,
    direction: 'higher',
    formula: mean,
    source: method,
    description: `${what}, whatever enforcement actions are in force.`,
  })
  return [
    before,
    score(
      `IF(${underOrders}, MIN(${most}, ${metric(uncapped)}), ${metric(uncapped)})`,
      `${what}: at most ${most} (grade D) while a formal enforcement action against the bank is in force.`,
    ),
  ]
}

export const scorecard: readonly Metric[] = [
  percent('interest_burden_ratio', {
    label: 'Interest expense to interest income',
    direction: 'lower',
    formula: percentOf('interest_expense', 'interest_income'),
    source: 'RI 2.e to RI 1.h',
  }),
  percent('long_assets_to_capital_ratio', {
    label: 'Long securities and residential loans to tier 1 capital and allowance',
    direction: 'lower',
    formula: `PCTOF(${sum(metric('long_securities'), metric('residential_loans'))}, ${metric('tier1_and_allowance')})`,
    source: 'RC-B memoranda 2, RC-C I 1.c to UBPR3792',
    description: 'What loses most when rates rise, against what absorbs it.',
  }),
  ...components.flatMap(scores),
  points('uncapped_score', {
    label: 'Overall score before the caps of capital',
    direction: 'higher',
    formula: `IF(IsNil(${metric('capital_score')}), NULL, ${overall})`,
    source: method,
    description: 'The components by weight, 0 to 100; absent where the capital of a bank is not known.',
  }),
  points('overall_score', {
    label: 'Overall score',
    direction: 'higher',
    formula: capped,
    source: method,
    description:
      'The components by weight, 0 to 100: at most 49 (grade D) for a bank that is undercapitalised under prompt corrective action, at most 34 (F) from significantly undercapitalised on.',
  }),
]
