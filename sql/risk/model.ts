/** The failure model in force, and what its probabilities are called. */
import { coefficientItems, riskFeaturesHash } from '../formula/metrics/failure-risk.ts'

/** SQL of the newest model of the features of this code: no row where none was trained. */
export const modelInForce = `(SELECT * FROM risk_models WHERE features = '${riskFeaturesHash}' ORDER BY trained_at DESC, version LIMIT 1)`

/** SQL of its version; empty where there is none. */
export const versionInForce = `(SELECT any(version) FROM ${modelInForce})`

/** SQL of its coefficients in the order of `coefficientItems`; NULLs where there is none. */
export const coefficientsSql = `arrayResize((SELECT CAST(any(coefficients), 'Array(Nullable(Float64))') FROM ${modelInForce}), ${coefficientItems.length})`

/** Tiers of the probability of failure within a year, in percent: fixed, the riskiest first. */
export const riskTiers = [
  { key: 'critical', least: 20, label: 'Critical' },
  { key: 'high', least: 5, label: 'High' },
  { key: 'elevated', least: 1, label: 'Elevated' },
  { key: 'moderate', least: 0.2, label: 'Moderate' },
  { key: 'low', least: 0, label: 'Low' },
] as const

/** The tiers of banks at risk. */
export const topTiers = ['critical', 'high'] as const

/** SQL of the tier of a probability in percent; NULL where there is none. */
export const tierOf = (probability: string): string =>
  `multiIf(isNull(${probability}), NULL, ${riskTiers
    .slice(0, -1)
    .map(({ key, least }) => `${probability} >= ${least}, '${key}'`)
    .join(', ')}, '${riskTiers.at(-1)!.key}')`

/** What the tiers are, for notes. */
export const tiersInWords = `${riskTiers
  .slice(0, -1)
  .map(({ key, least }) => `${key} from ${least}`)
  .join(', ')}, ${riskTiers.at(-1)!.key} below`
