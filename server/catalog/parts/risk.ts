/** The failure model as datasets read it: its version, and the score of a bank. */
import { modelInForce, riskTiers, tierOf, tiersInWords, versionInForce } from '../../../sql/risk/model.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import { code, figure, percent, text } from '../columns.ts'

const place = banks.position('failure_probability')

/** Over `bank_rows`. */
export const probability = `metrics[${place}]`
export const probabilityRank = `ranks[${place}]`

/** Log-odds of a probability in percent. */
const logOdds = (of: string) => `log(${of} / (100 - ${of}))`

export const modelVersion = text('model_version', 'Model version', {
  nullable: true,
  doc: 'Of the model in force, whose card is risk-model; null where none was trained.',
  sql: `nullIf(${versionInForce}, '')`,
})

/** What `risk_tier` may be. */
export const tierKeys = riskTiers.map(({ key }) => key)

export const riskTier = code('risk_tier', 'Risk tier', {
  nullable: true,
  doc: `By probability of failure within a year, in percent: ${tiersInWords}.`,
})

/** The score of a row of `bank_rows`. */
export const scoreColumns = [
  percent('failure_probability', 'Probability of failure within a year', {
    doc: 'Calibrated; null where no model is trained, or the bank lacks what it needs.',
    sql: probability,
  }),
  figure('log_odds', 'Score', {
    unit: 'log-odds',
    doc: 'The same as logarithm of the odds: what the factors add up to.',
    sql: logOdds(probability),
  }),
  { ...riskTier, sql: tierOf(probability) },
  percent('percentile', 'Percentile in the size cohort', {
    doc: '100 is the riskiest.',
    sql: probabilityRank,
  }),
]

/** SQL of why a row of `bank_rows` has no score; NULL where it has one. */
export const whyNoScore = `multiIf(isNotNull(${probability}), NULL, ${versionInForce} = '',
  'no failure model is trained: npm run train', 'the filing lacks total assets or the tier 1 leverage ratio')`

export { modelInForce }
