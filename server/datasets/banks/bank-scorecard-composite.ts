import { quotedList } from '../../../sql/quoted.ts'
import { tierOf } from '../../../sql/risk/model.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import {
  code,
  cohort,
  figure,
  objects,
  percent,
  reportDate,
  rssdId,
  smallCount,
  text,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'
import { bankRow, places } from '../../catalog/parts/bank-row.ts'
import { loanPortfolio } from '../../catalog/parts/loan-portfolio.ts'
import { nested } from '../../catalog/parts/nested.ts'
import { probability, riskTier, whyNoScore } from '../../catalog/parts/risk.ts'

/** What a bank is graded on, by category; every one has a better direction. */
const categories = {
  capital: ['tier1_leverage_ratio', 'total_capital_ratio', 'tangible_equity_ratio', 'equity_growth_1y'],
  asset_quality: ['noncurrent_loans_ratio', 'net_chargeoffs_ratio', 'past_due_30_89_ratio', 'texas_ratio'],
  efficiency: ['efficiency_ratio', 'noninterest_expense_ratio'],
  earnings: ['roa', 'roe', 'nim', 'pre_provision_roa'],
  liquidity: [
    'liquid_assets_ratio',
    'wholesale_funding_ratio',
    'core_deposits_ratio',
    'noncore_funding_dependence',
  ],
  securities: ['unrealized_gains_ratio', 'long_securities_ratio'],
} as const
const graded = Object.entries(categories).flatMap(([category, metrics]) =>
  metrics.map((metric) => ({ category, metric })),
)

/** How good a percentile is: turned round where less is better. */
const standing = "if(direction = 'lower', 100 - percentile, percentile)"
/** The quartile of a standing, best first. */
const letter = (value: string) =>
  `multiIf(isNull(${value}), NULL, ${value} >= 75, 'A', ${value} >= 50, 'B', ${value} >= 25, 'C', 'D')`

const metricRows = `
SELECT category, metric, label, unit, direction, metrics[place] AS value, ranks[place] AS percentile,
  ${standing} AS standing, ${letter('standing')} AS grade
FROM ${bankRow()}
ARRAY JOIN
  ${quotedList(graded.map(({ category }) => category))} AS category,
  ${quotedList(graded.map(({ metric }) => metric))} AS metric,
  ${quotedList(graded.map(({ metric }) => banks.metric(metric)!.label))} AS label,
  ${quotedList(graded.map(({ metric }) => banks.metric(metric)!.unit))} AS unit,
  ${quotedList(graded.map(({ metric }) => banks.metric(metric)!.direction))} AS direction,
  ${places(graded.map(({ metric }) => metric))} AS place,
  range(1, ${graded.length + 1}) AS position
ORDER BY position`

const categoryRows = `
SELECT category, toUInt32(count(standing)) AS measured, avg(standing) AS mean_standing, ${letter('mean_standing')} AS grade
FROM (${metricRows})
GROUP BY category
ORDER BY indexOf(${quotedList(Object.keys(categories))}, category)`

const metricColumns = [
  code('category', 'Category'),
  code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
  text('label', 'Label'),
  code('unit', 'Unit'),
  code('direction', 'Direction', { doc: 'Which way is better: higher or lower.' }),
  figure('value', 'Value', { doc: 'In the unit of the row.' }),
  percent('percentile', 'Percentile in the size cohort'),
  percent('standing', 'Standing', { doc: 'The percentile, turned round where less is better: 100 is best.' }),
  code('grade', 'Quartile grade', { nullable: true, doc: 'A for the best quarter of the cohort, to D.' }),
]
const categoryColumns = [
  code('category', 'Category'),
  smallCount('measured', 'Metrics with a value'),
  percent('mean_standing', 'Mean standing'),
  metricColumns.at(-1)!,
]
const { concentration } = loanPortfolio
const concentrationColumns = concentration.columns.filter(
  ({ name }) => name !== 'rssd_id' && name !== 'report_date',
)

export default dataset({
  key: 'bank-scorecard-composite',
  summary:
    'One bank against its size cohort: metrics by category with quartile grades, a grade for each category and for all, and the concentration of its loans.',
  notes:
    'Grades are relative: A is the best quarter of the asset-size cohort in that quarter, D the last, whatever the times; bank-scorecard measures against fixed levels. The composite is the mean of the categories’ standings. The risk tier is of the failure model (risk-model), by the probability of failure within a year; `risk_tier_reason` says why there is none. JSON, as it nests.',
  from: `
SELECT rssd_id, report_date, cohort, cohort_count,
  (SELECT avg(mean_standing) FROM (${categoryRows})) AS composite_standing, ${letter('composite_standing')} AS composite_grade,
  ${tierOf(probability)} AS risk_tier, ${whyNoScore} AS risk_tier_reason,
  ${nested(categoryRows, categoryColumns)} AS categories,
  ${nested(metricRows, metricColumns)} AS graded_metrics,
  ${nested(concentration.sql, concentrationColumns)} AS concentration
FROM bank_rows WHERE rssd_id = {rssd_id:UInt32} AND report_date = {as_of:Date}`,
  grain: ['rssd_id'],
  parameters: { rssd_id: { ...bank(), where: undefined }, as_of: asOf({ where: null }) },
  columns: [
    rssdId,
    reportDate,
    cohort,
    smallCount('cohort_count', 'Cohort size', { doc: 'Banks in the cohort in that quarter.' }),
    percent('composite_standing', 'Composite standing'),
    code('composite_grade', 'Composite grade', { nullable: true }),
    riskTier,
    text('risk_tier_reason', 'Why there is no risk tier', { nullable: true }),
    objects('categories', 'Categories', categoryColumns),
    objects('graded_metrics', 'Metrics', metricColumns),
    objects('concentration', concentration.label, concentrationColumns),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Grades by category',
      query: 'fields=report_date,composite_grade,categories',
      expect: { rows: 1, columns: ['report_date', 'composite_grade', 'categories'] },
    },
  ],
})
