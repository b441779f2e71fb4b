import { type RiskFeature, riskFeatures, weighedKey } from '../../../sql/formula/metrics/failure-risk.ts'
import { quotedList } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import { code, column, figure, reportDate, rssdId, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'
import { modelInForce, modelVersion } from '../../catalog/parts/risk.ts'

/** The features as they are weighed, of a row of the figures. */
const weighed = `[${riskFeatures.map((feature) => `figures[${banks.position(weighedKey(feature))}]`).join(', ')}]`

/** Back from what is weighed to the unit of the feature. */
const unweighed = (of: string) => {
  const by = (transformation: RiskFeature['transformation']) =>
    `feature IN (${riskFeatures
      .filter((one) => one.transformation === transformation)
      .map(({ key }) => `'${key}'`)
      .join(', ')})`
  return `multiIf(${by('root')}, ${of} * ${of}, ${by('logarithm')}, exp(${of}), ${of})`
}

const { figures } = banks.tables

/** Of which quarter, and of which banks of it. */
interface Of {
  readonly quarter: string
  readonly banks: string
}

/** A bank, its cohort's median of each feature, and the coefficients; no row where there is no score. */
const beside = ({ quarter, banks: ofBanks }: Of) => `
SELECT bank.rssd_id AS rssd_id, own, medians, (SELECT any(coefficients) FROM ${modelInForce}) AS coefficients
FROM (
  SELECT rssd_id, arrayMap(value -> assumeNotNull(value), values) AS own, cohort
  FROM (SELECT rssd_id, ${weighed} AS values, cohort FROM ${figures} WHERE report_date = ${quarter} AND ${ofBanks})
  WHERE NOT arrayExists(value -> isNull(value), values)
) AS bank
INNER JOIN (
  SELECT cohort, arrayMap(list -> list[1], quantilesExactInclusiveForEach(0.5)(arrayMap(value -> assumeNotNull(value), values))) AS medians
  FROM (SELECT ${weighed} AS values, cohort FROM ${figures} WHERE report_date = ${quarter})
  WHERE NOT arrayExists(value -> isNull(value), values)
  GROUP BY cohort
) AS cohorts ON cohorts.cohort = bank.cohort
WHERE notEmpty(coefficients)`

const factors = (of: Of) => `
SELECT rssd_id, ${of.quarter} AS report_date, factor.1 AS feature, factor.2 AS label, factor.3 AS feature_group,
  nullIf(factor.4, '') AS unit, factor.5 AS weighed, factor.6 AS weighed_median, ${unweighed('weighed')} AS value,
  ${unweighed('weighed_median')} AS median, factor.7 AS coefficient, factor.8 AS contribution,
  toUInt8(if(feature = 'cohort_median', 0, row_number() OVER (PARTITION BY rssd_id, feature = 'cohort_median' ORDER BY abs(contribution) DESC, feature))) AS factor_rank
FROM (${beside(of)})
ARRAY JOIN arrayPushFront(
  arrayMap(
    (feature, label, in_group, unit, own, median, coefficient) ->
      CAST((feature, label, in_group, unit, own, median, coefficient, coefficient * (own - median)),
        'Tuple(String, String, String, String, Nullable(Float64), Nullable(Float64), Nullable(Float64), Float64)'),
    ${quotedList(riskFeatures.map(({ key }) => key))},
    ${quotedList(riskFeatures.map(({ label }) => label))},
    ${quotedList(riskFeatures.map(({ group }) => group))},
    ${quotedList(riskFeatures.map(({ unit }) => unit))},
    own, medians, arrayPopFront(coefficients)
  ),
  CAST(('cohort_median', 'A bank of the cohort’s medians', 'cohort', '', NULL, NULL, NULL,
    coefficients[1] + arraySum((coefficient, median) -> coefficient * median, arrayPopFront(coefficients), medians)),
    'Tuple(String, String, String, String, Nullable(Float64), Nullable(Float64), Nullable(Float64), Float64)')
) AS factor`

export default dataset({
  key: 'failure-prediction-factors',
  summary:
    'What the failure score of one bank is made of: the contribution of each feature to the log-odds, the largest first.',
  notes:
    'The first row is the score of a bank that has the median of the size cohort in every feature; each other is what the bank’s own value adds or takes. All rows together are the `log_odds` of failure-prediction. `value` and `median` are as the model takes them: held to limits beyond which a value tells no more, and a usual one for what was not filed (docs/risk.md). No rows where there is no score.',
  from: factors({ quarter: '{as_of:Date}', banks: 'rssd_id = {rssd_id:UInt32}' }),
  allRows: {
    from: factors({ quarter: '{quarter:Date}', banks: 'true' }),
    by: { rssd_id: 'rssd_id', as_of: 'report_date' },
  },
  grain: ['factor_rank'],
  order: ['factor_rank'],
  parameters: { rssd_id: { ...bank(), where: undefined }, as_of: asOf({ where: null }) },
  columns: [
    rssdId,
    reportDate,
    column('UInt8', 'factor_rank', 'Rank', {
      doc: '0 is the median bank, 1 the feature that moves the score most.',
    }),
    code('feature', 'Feature'),
    text('label', 'Label'),
    code('feature_group', 'Group'),
    code('unit', 'Unit of value and median', { nullable: true }),
    figure('value', 'Value', { doc: 'In the unit of the row, as the model takes it.' }),
    figure('median', 'Median of the size cohort', { doc: 'Likewise.' }),
    figure('coefficient', 'Coefficient', {
      doc: 'Of the value as it is weighed: itself, its root or its logarithm.',
    }),
    figure('contribution', 'Contribution', {
      unit: 'log-odds',
      nullable: false,
      doc: 'Above 0 makes failure likelier.',
    }),
    modelVersion,
  ],
  sources: ['ffiec-call-report', 'fdic-failures', 'nic-transformations'],
  examples: [
    { title: 'The latest filed quarter', expect: { least: 1 } },
    {
      title: 'Contributions alone',
      query: 'fields=feature,contribution',
      expect: { least: 1, columns: ['feature', 'contribution'] },
    },
  ],
})
