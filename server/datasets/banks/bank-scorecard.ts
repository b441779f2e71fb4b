import { caps, components, gradeOf, gradesInWords } from '../../../sql/formula/metrics/scorecard.ts'
import { quoted, quotedList } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import {
  code,
  cohort,
  column,
  figure,
  objects,
  percent,
  reportDate,
  rssdId,
  text,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'
import { bankRow, places } from '../../catalog/parts/bank-row.ts'
import { enforcementSources } from '../../catalog/parts/enforcement.ts'
import { nested } from '../../catalog/parts/nested.ts'
import { metricSql } from '../../catalog/relations.ts'

const numbers = (values: readonly number[]) => `[${values.join(', ')}]::Array(Float64)`
const share = (value: string, weight: string, group: string) =>
  `if(isNull(${value}), NULL, 100 * ${weight} / sum(if(isNull(${value}), 0, ${weight})) OVER (${group}))`

const points = { unit: 'points' }
const componentColumns = [
  code('component', 'Component', { doc: 'C, A, M, E, L or S.' }),
  text('label', 'Label'),
  figure('score', 'Score', { ...points, doc: 'From 0 to 100.' }),
  code('grade', 'Grade', { nullable: true }),
  percent('percentile', 'Percentile in the size cohort'),
  percent('weight', 'Weight', { doc: 'In the overall score, of components that have a score.' }),
  figure('contribution', 'Contribution', { ...points, doc: 'To the overall score before its caps.' }),
  text('cap', 'Cap that binds', {
    nullable: true,
    doc: 'Null where none lowers the score of the component.',
  }),
]

const byComponent = `
SELECT component, label, metrics[place] AS score, ${gradeOf('score')} AS grade, ranks[place] AS percentile,
  ${share('score', 'given', '')} AS weight, weight * score / 100 AS contribution,
  if(score < metrics[uncapped], why, NULL) AS cap
FROM ${bankRow()}
ARRAY JOIN
  ${quotedList(components.map(({ letter }) => letter))} AS component,
  ${quotedList(components.map(({ label }) => label))} AS label,
  ${places(components.map(({ key }) => key))} AS place,
  ${places(components.map(({ key, cap }) => cap?.uncapped ?? key))} AS uncapped,
  ${quotedList(components.map(({ cap }) => cap?.why ?? ''))} AS why,
  ${numbers(components.map(({ weight }) => weight))} AS given,
  range(1, ${components.length + 1}) AS position
ORDER BY position`

const drivers = components.flatMap(({ letter, drivers: of }) => of.map((driver) => ({ letter, ...driver })))
const driverColumns = [
  code('component', 'Component'),
  code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
  text('label', 'Label'),
  code('unit', 'Unit'),
  figure('value', 'Value', { doc: 'In the unit of the row.' }),
  percent('percentile', 'Percentile in the size cohort'),
  figure('worst', 'Level of no points', { doc: 'In the unit of the row.' }),
  figure('best', 'Level of 100 points', { doc: 'In the unit of the row.' }),
  figure('points', 'Points', { ...points, doc: 'From 0 to 100.' }),
  percent('weight', 'Weight', { doc: 'In the component, of measures that the bank has.' }),
  figure('contribution', 'Contribution', { ...points, doc: 'To the score of the component before its cap.' }),
]

const byDriver = `
SELECT component, metric, label, unit, metrics[place] AS value, ranks[place] AS percentile, worst, best,
  greatest(0, least(100, 100 * (value - worst) / (best - worst))) AS points,
  ${share('value', 'given', 'PARTITION BY component')} AS weight, weight * points / 100 AS contribution
FROM ${bankRow()}
ARRAY JOIN
  ${quotedList(drivers.map(({ letter }) => letter))} AS component,
  ${quotedList(drivers.map(({ metric }) => metric))} AS metric,
  ${quotedList(drivers.map(({ metric }) => banks.metric(metric)!.label))} AS label,
  ${quotedList(drivers.map(({ metric }) => banks.metric(metric)!.unit))} AS unit,
  ${places(drivers.map(({ metric }) => metric))} AS place,
  ${numbers(drivers.map(({ worst }) => worst))} AS worst,
  ${numbers(drivers.map(({ best }) => best))} AS best,
  ${numbers(drivers.map(({ weight }) => weight))} AS given,
  range(1, ${drivers.length + 1}) AS position
ORDER BY position`

const score = metricSql(banks, 'overall_score', 'array')
const uncapped = metricSql(banks, 'uncapped_score', 'array')
const category = metricSql(banks, 'pca_category', 'array')

export default dataset({
  key: 'bank-scorecard',
  summary:
    'Scores of one bank from 0 to 100 for capital, asset quality, management, earnings, liquidity and sensitivity, with what drives each, and the overall score and grade.',
  notes: `A method of this project, from public filings, in the order of the supervisors’ CAMELS: it is no supervisory rating, which is confidential and rests on an examination. Each driver earns points between two fixed levels, each component is the mean of its drivers by weight, the overall score the mean of the components. A formal enforcement action in force caps management. Grades: ${gradesInWords}. The scores are metrics of the catalog too, for screens, trends and ranks. The whole method is in docs/scorecard.md. JSON, as it nests; for another format ask for the scores by \`fields\` of bank-snapshot or bank-screener.`,
  from: `
SELECT rssd_id, report_date, cohort, ${score} AS overall_score, ${uncapped} AS uncapped_score, ${category} AS pca_category,
  ranks[${banks.position('overall_score')}] AS percentile, ${gradeOf('overall_score')} AS grade,
  if(overall_score < uncapped_score, multiIf(${caps
    .map(({ category: from, why }) => `pca_category >= ${from}, ${quoted(why)}`)
    .join(', ')}, NULL), NULL) AS cap,
  ${nested(byComponent, componentColumns)} AS components,
  ${nested(byDriver, driverColumns)} AS drivers
FROM bank_rows WHERE rssd_id = {rssd_id:UInt32} AND report_date = {as_of:Date}`,
  grain: ['rssd_id'],
  parameters: { rssd_id: { ...bank(), where: undefined }, as_of: asOf({ where: null }) },
  columns: [
    rssdId,
    reportDate,
    cohort,
    figure('overall_score', 'Overall score', points),
    code('grade', 'Grade', { nullable: true }),
    percent('percentile', 'Percentile of the overall score in the size cohort'),
    figure('uncapped_score', 'Overall score before the caps of capital', points),
    text('cap', 'Cap that binds', {
      nullable: true,
      doc: 'Of the overall score. Null where none lowers it.',
    }),
    column('Float64', 'pca_category', 'Category of prompt corrective action by ratios', { nullable: true }),
    objects('components', 'Components', componentColumns),
    objects('drivers', 'Drivers', driverColumns),
  ],
  sources: ['ffiec-call-report', ...enforcementSources],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    { title: 'The grade alone', query: 'fields=report_date,overall_score,grade', expect: { rows: 1 } },
  ],
})
