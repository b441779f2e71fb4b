/** The codes of the failure model. */
import { riskFeatures } from '../../../sql/formula/metrics/failure-risk.ts'
import { riskTiers } from '../../../sql/risk/model.ts'
import type { CodeList } from './agency-codes.ts'

const source = 'this project'
const groups = [...new Set(riskFeatures.map(({ group }) => group))]

export const riskCodes: readonly CodeList[] = [
  {
    list: 'risk-tier',
    source,
    columns: ['risk_tier', 'risk-model.tier'],
    codes: Object.fromEntries(
      riskTiers.map(({ key, label, least }) => [
        key,
        `${label}: from ${least} % probability of failure within a year`,
      ]),
    ),
  },
  {
    list: 'risk-feature',
    source,
    columns: ['failure-prediction-factors.feature', 'risk-model.feature'],
    codes: {
      cohort_median: 'A bank of the cohort’s medians',
      ...Object.fromEntries(riskFeatures.map(({ key, label }) => [key, label])),
    },
  },
  {
    list: 'risk-feature-group',
    source,
    columns: ['feature_group'],
    codes: { cohort: 'The cohort', ...Object.fromEntries(groups.map((group) => [group, group])) },
  },
  {
    list: 'risk-transformation',
    source,
    columns: ['risk-model.transformation'],
    codes: { level: 'The value itself', root: 'Its square root', logarithm: 'Its natural logarithm' },
  },
  {
    list: 'risk-model-part',
    source,
    columns: ['risk-model.part'],
    codes: {
      window: 'The model learnt from the quarter',
      between: 'Its outcomes overlap those of the window: neither learnt from nor tested',
      validation: 'Later quarters within the window, foretold by folds of the earlier ones',
      test: 'Quarters at least a year after the window',
    },
  },
]
