import { riskFeatures } from '../../../sql/formula/metrics/failure-risk.ts'
import { quoted, quotedList } from '../../../sql/quoted.ts'
import { riskTiers } from '../../../sql/risk/model.ts'
import {
  type Column,
  code,
  column,
  figure,
  instant,
  longDate,
  objects,
  percent,
  smallCount,
  text,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { listType, typeOf } from '../../catalog/parts/nested.ts'
import { modelInForce } from '../../catalog/parts/risk.ts'

const number = (name: string, label: string, doc?: string) =>
  figure(name, label, doc === undefined ? {} : { doc })

const top = [
  percent('share', 'Share of banks listed', { doc: 'The riskiest of each quarter.' }),
  smallCount('listed', 'Bank quarters listed'),
  smallCount('caught', 'Of them before a failure'),
  percent('precision', 'Precision'),
  percent('recall', 'Recall', { doc: 'Of the bank quarters before a failure, those listed.' }),
]
const calibration = [
  column('UInt8', 'bin', 'Bin'),
  smallCount('banks', 'Bank quarters'),
  smallCount('failures', 'Before a failure'),
  number('least', 'Least probability'),
  number('most', 'Greatest probability'),
  number('predicted', 'Mean probability'),
  number('observed', 'Share that failed'),
]
const measures = [
  code('part', 'Part', {
    doc: 'validation: folds within the window; test: quarters at least a year after it, none where there are none.',
  }),
  smallCount('observations', 'Bank quarters'),
  smallCount('failures', 'Before a failure'),
  smallCount('failed_banks', 'Banks that failed'),
  number('auc', 'Area under the operating curve'),
  number('auc_low', 'Its 95 % interval: low', 'By resampling banks.'),
  number('auc_high', 'Its 95 % interval: high'),
  number('log_loss', 'Mean logarithmic loss'),
  number('brier', 'Brier score'),
  number('brier_skill', 'Brier skill', 'Against the share that failed, for every bank.'),
  number('calibration_error', 'Expected calibration error', 'Over ten bins of as many bank quarters each.'),
  number('mean_probability', 'Mean probability'),
  number('observed_rate', 'Share that failed'),
  objects('top', 'Lists of the riskiest', top),
  objects('calibration', 'Calibration', calibration),
  objects('levels', 'Calibration by level of probability', calibration),
  objects('curve', 'Operating curve', [
    number('listed', 'Share of survivors listed'),
    number('caught', 'Share of failures listed'),
  ]),
]
const features = [
  code('feature', 'Feature'),
  number('coefficient', 'Coefficient', 'Of the feature as it is weighed.'),
  number('standard_error', 'Standard error', 'Clustered by bank.'),
  number('effect', 'Coefficient in standard deviations'),
  number('mean', 'Mean of the feature as it is weighed'),
  number('deviation', 'Its standard deviation'),
]
const described = [
  code('feature', 'Feature'),
  text('label', 'Label'),
  code('feature_group', 'Group'),
  text('formula', 'Formula'),
  code('unit', 'Unit'),
  number('least', 'Least', 'Values below are taken as this.'),
  number('most', 'Most', 'Values above are taken as this.'),
  number('absent', 'Where absent', 'What stands for a value that is not there; null: no score.'),
  code('transformation', 'Transformation'),
]
const quarters = [
  longDate('report_date', 'Quarter'),
  code('part', 'Part', { doc: 'window: the model learnt from it; test: it did not; between: neither.' }),
  smallCount('banks', 'Banks with a known outcome'),
  smallCount('failures', 'That failed within a year'),
  number('expected', 'Failures that the model expects'),
  number('auc', 'Area under the operating curve'),
  percent('recall_top_5', 'Recall of the riskiest 5 %'),
]
const penalties = [
  number('penalty', 'Penalty'),
  number('log_loss', 'Mean logarithmic loss'),
  number('auc', 'Area under the operating curve'),
]
const tiers = [code('tier', 'Tier'), percent('least', 'From probability')]

const fromCard: readonly Column[] = [
  longDate('first_quarter', 'First quarter of the training window', { nullable: true }),
  longDate('last_quarter', 'Last quarter of the training window', { nullable: true }),
  smallCount('observations', 'Bank quarters learnt from'),
  smallCount('banks', 'Banks learnt from'),
  smallCount('failures', 'Bank quarters before a failure'),
  smallCount('failed_banks', 'Banks that failed'),
  smallCount('unlabelled', 'Bank quarters left out', {
    doc: 'Of the window: the bank left otherwise within a year.',
  }),
  number('intercept', 'Intercept'),
  number(
    'penalty',
    'Penalty',
    'Half of it times the squared coefficients in standard deviations is added to the loss.',
  ),
  number('calibration_slope', 'Calibration: slope', 'Contained in the coefficients.'),
  number('calibration_shift', 'Calibration: shift', 'Likewise.'),
  objects('penalties', 'Penalties tried', penalties, { doc: 'On later quarters within the window.' }),
  objects('features', 'Features', features),
  objects('quarters', 'By quarter', quarters),
  longDate('tested_from', 'First quarter of the test', { nullable: true }),
  longDate('tested_until', 'Last quarter of the test', { nullable: true }),
  objects('measures', 'Measures', measures, {
    doc: 'On later quarters within the window, and on those after it.',
  }),
]

/** Dates are text in JSON. */
const read = (of: Column): Column => ({
  ...of,
  sql:
    of.type === 'Date32'
      ? `toDate32OrNull(JSONExtractString(card, ${quoted(of.name)}))`
      : `JSONExtract(card, ${quoted(of.name)}, ${quoted(typeOf(of))})`,
})

const notFor =
  'Banks that file falsely, and failures by fraud: they look sound to the end. Failures of other kinds than those of the window, as runs within days. Credit decisions, ratings or advice on deposits. Institutions other than FDIC-insured banks that file the Call Report.'

export default dataset({
  key: 'risk-model',
  summary:
    'The card of the failure model in force: what it learnt from, its features and coefficients, and how it did on later quarters.',
  notes:
    'Made by the training (npm run train), never typed. The measures of the test are of quarters at least a year after the last one learnt from, by the coefficients served. How it works, with curves, is docs/risk.md. The answer is empty where no model is trained.',
  from: modelInForce,
  time: { kind: 'none' },
  grain: ['version'],
  columns: [
    text('version', 'Version'),
    instant('trained_at', 'Trained'),
    ...fromCard.map(read),
    objects('feature_definitions', 'Definitions of the features', described, {}),
    objects('tiers', 'Tiers', tiers, { doc: 'Fixed, by probability in percent.' }),
    text('not_for', 'What it is not for', { sql: quoted(notFor) }),
  ].map((one) =>
    one.name === 'tiers'
      ? {
          ...one,
          sql: `CAST(arrayZip(${quotedList(riskTiers.map(({ key }) => key))}, [${riskTiers.map(({ least }) => least).join(', ')}]::Array(Float64)), '${listType(tiers)}')`,
        }
      : one.name === 'feature_definitions'
        ? {
            ...one,
            sql: `CAST([${riskFeatures.map((f) => `(${[f.key, f.label, f.group, f.formula, f.unit].map(quoted).join(', ')}, ${f.least}::Float64, ${f.most}::Float64, ${f.absent === null ? 'NULL' : f.absent}::Nullable(Float64), ${quoted(f.transformation)})`).join(', ')}], '${listType(described)}')`,
          }
        : one,
  ),
  sources: ['ffiec-call-report', 'fdic-failures', 'nic-transformations'],
  examples: [
    { title: 'The model in force', expect: { rows: 1 } },
    {
      title: 'What it rests on',
      query: 'fields=version,first_quarter,last_quarter,failures,features',
      expect: { rows: 1 },
    },
  ],
})
