import { hashOf } from '../../hash.ts'
import { area, type Concept, type Metric } from './metric.ts'
import { metric, orZero } from './terms.ts'

/** A measure that the failure model weighs: docs/risk.md says why each is what it is. */
export interface RiskFeature {
  readonly key: string
  readonly label: string
  readonly group: 'capital' | 'asset quality' | 'earnings' | 'liquidity and funding' | 'growth' | 'exposure'
  /** In the formula language, over metrics of the bank's own filings up to the quarter. */
  readonly formula: string
  readonly unit: 'percent' | 'thousands of US dollars'
  /** Values beyond are taken as these: what is better than ordinary is no further safety, and false books look so. */
  readonly least: number
  readonly most: number
  /** What stands for a value that is not there; null: the bank then has no score. */
  readonly absent: number | null
  readonly transformation: 'level' | 'root' | 'logarithm'
}

const feature = (
  group: RiskFeature['group'],
  key: string,
  label: string,
  [least, most]: readonly [number, number],
  absent: number | null,
  more: Partial<Pick<RiskFeature, 'formula' | 'unit' | 'transformation'>> = {},
): RiskFeature => ({
  ...{ group, key, label, least, most, absent },
  ...{ formula: metric(key), unit: 'percent', transformation: 'level' },
  ...more,
})
const root = { transformation: 'root' } as const

export const riskFeatures: readonly RiskFeature[] = [
  feature('capital', 'tier1_leverage_ratio', 'Tier 1 leverage ratio', [0, 9], null),
  feature('capital', 'total_capital_ratio', 'Total capital ratio', [0, 14], 14),
  feature('asset quality', 'noncurrent_loans_ratio', 'Noncurrent loans to loans', [1.5, 30], 1.5, root),
  feature('asset quality', 'past_due_30_89_ratio', 'Loans 30 to 89 days past due', [1, 15], 1, root),
  feature('asset quality', 'foreclosed_ratio', 'Foreclosed real estate to assets', [0.5, 15], 0.5, {
    ...root,
    formula: `PCTOF(${metric('other_real_estate_owned')}, ${metric('total_assets')})`,
  }),
  feature('earnings', 'roa', 'Return on assets', [-8, 1], 1),
  feature('earnings', 'dividends_ratio', 'Dividends to average assets, a year', [0, 2], 0, {
    ...root,
    formula: `PCTOFANN(${orZero(metric('dividends'))}, ${metric('average_assets')})`,
  }),
  feature('liquidity and funding', 'liquid_assets_ratio', 'Liquid assets to assets', [0, 60], 20, root),
  feature(
    'liquidity and funding',
    'wholesale_funding_ratio',
    'Wholesale funding to assets',
    [0, 50],
    0,
    root,
  ),
  feature('liquidity and funding', 'cost_of_funds', 'Cost of funds', [0, 3], 0.8),
  feature('growth', 'asset_growth_1y', 'Shrinking in one year', [-30, 0], 0),
  feature('growth', 'equity_growth_1y', 'Loss of equity in one year', [-60, 0], 0),
  feature('exposure', 'cre_concentration', 'Commercial real estate to capital', [0, 1500], 0, root),
  feature('exposure', 'unrealized_gains_ratio', 'Unrealised losses to capital', [-50, 0], 0),
  feature('exposure', 'total_assets', 'Size', [8_000, 65_000_000], null, {
    unit: 'thousands of US dollars',
    transformation: 'logarithm',
  }),
]

/** What a feature is to the model: absent values filled, held to its limits, transformed. */
function weighed({ formula, absent, least, most, transformation }: RiskFeature): string {
  const value = absent === null ? formula : `ExistingOf(${formula}, ${absent})`
  const held = `MAX(${least}, MIN(${most}, ${value}))`
  if (transformation === 'level') return held
  return transformation === 'root' ? `POWER(${held}, 0.5)` : `LN(${held})`
}

/** Concept of a feature as it is weighed. */
export const weighedKey = ({ key }: Pick<RiskFeature, 'key'>): string => `weighed_${key}`

/** Changes when a feature's meaning does: a model trained with other features does not score. */
export const riskFeaturesHash: string = hashOf(riskFeatures.map((one) => [one.key, weighed(one)])).slice(
  0,
  16,
)

/**
 * The coefficients as items that derive adds to each filing: the intercept, then one a feature, from the model in force
 * in the version database. Without a model they are absent, and so is the score.
 */
export const coefficientItems: readonly string[] = ['', ...riskFeatures].map(
  (_, index) => `RISK${String(index).padStart(4, '0')}`,
)
const coefficient = (index: number) => `cc:${coefficientItems[index]}[P0]`

const score = riskFeatures.map((one, index) => `${coefficient(index + 1)} * ${metric(weighedKey(one))}`)

export const riskConcepts: readonly Concept[] = [
  ...riskFeatures.map(
    (one): Concept => ({ key: weighedKey(one), formula: weighed(one), aggregation: 'formula' }),
  ),
  // over banks these two add up: the failures that are expected, and the banks that have a score
  {
    key: 'failures_expected',
    formula: `1 / (1 + EXP(-(${[coefficient(0), ...score].join(' + ')})))`,
    aggregation: 'sum',
  },
  {
    key: 'failures_scored',
    formula: `IF(IsNil(${metric('failures_expected')}), NULL, 1)`,
    aggregation: 'sum',
  },
]

const { percent } = area('risk')

export const failureRisk: readonly Metric[] = [
  percent('failure_probability', {
    label: 'Probability of failure within a year',
    direction: 'lower',
    formula: `PCTOF(${metric('failures_expected')}, ${metric('failures_scored')})`,
    source: 'docs/risk.md',
    description:
      'By the failure model that was trained from what is loaded; absent where none was. Of many banks it is their mean.',
    tier: 'Premium',
  }),
]
