import { cohort, longDate, reportDate, rssdId, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'
import { modelInForce, modelVersion, scoreColumns, whyNoScore } from '../../catalog/parts/risk.ts'

const learntUntil = `(SELECT any(toDate32OrNull(JSONExtractString(card, 'last_quarter'))) FROM ${modelInForce})`

export default dataset({
  key: 'failure-prediction',
  summary:
    'Probability that one bank fails within a year of a quarter, with its tier, percentile and model version.',
  notes:
    'Failed is who was closed or assisted by the FDIC within four quarters after the report date. The probability rests on the bank’s public filings up to that date alone, and misses who files falsely. It is no supervisory rating and no advice. How the model was trained and how it did on later quarters is risk-model; how it works is docs/risk.md. Where `model_learnt_until` is not before the quarter, the model has learnt from what became of the quarter’s banks.',
  from: 'bank_rows',
  grain: ['rssd_id', 'report_date'],
  parameters: { rssd_id: bank(), as_of: asOf() },
  columns: [
    rssdId,
    reportDate,
    ...scoreColumns,
    cohort,
    smallCount('cohort_count', 'Cohort size', { doc: 'Banks in the cohort in that quarter.' }),
    text('no_score_reason', 'Why there is no score', { nullable: true, sql: whyNoScore }),
    modelVersion,
    longDate('model_learnt_until', 'Last quarter of the training window', {
      nullable: true,
      sql: learntUntil,
    }),
  ],
  sources: ['ffiec-call-report', 'fdic-failures', 'nic-transformations'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'The tier alone',
      query: 'fields=report_date,risk_tier',
      expect: { rows: 1, columns: ['report_date', 'risk_tier'] },
    },
  ],
})
