import { metrics } from '../../../sql/formula/metrics/index.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import { column, figure, objects, over, reportDate, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, idList, metricOrConcept } from '../../catalog/parameters.ts'
import { metricDefinition } from '../../catalog/parts/metric-definition.ts'
import type { Scope } from '../../catalog/scope.ts'

const inUnit = { doc: 'Over all banks in the latest quarter, in the unit of the metric.' }

/** What one bank filed, and what was derived for it, at any of the quarters that the lineage looks at. */
const valuesOfBank = `
    SELECT 'item' AS kind, toString(i.mdrm) AS code, i.report_date AS report_date, any(i.value) AS value
    FROM call_report_items AS i
    WHERE rssd_id IN {rssd_id:Array(UInt32)}
      AND report_date IN (SELECT at FROM steps) AND mdrm IN (SELECT code FROM steps WHERE kind = 'item')
    GROUP BY i.mdrm, i.report_date
    UNION ALL
    SELECT 'ubpr' AS kind, c.code AS code, r.report_date AS report_date, r.values[c.position] AS value
    FROM (SELECT * FROM ubpr_rows WHERE rssd_id IN {rssd_id:Array(UInt32)} AND report_date IN (SELECT at FROM steps)) AS r
    CROSS JOIN (SELECT code, position FROM ubpr_concepts WHERE position > 0 AND code IN (SELECT code FROM steps)) AS c
    UNION ALL
    SELECT 'metric' AS kind, c.key AS code, r.report_date AS report_date, r.metrics[c.position] AS value
    FROM (SELECT * FROM bank_rows WHERE rssd_id IN {rssd_id:Array(UInt32)} AND report_date IN (SELECT at FROM steps)) AS r
    CROSS JOIN (SELECT key, position FROM metric_catalog WHERE universe = 'bank' AND tier = 'Public' AND key IN (SELECT code FROM steps)) AS c`

const noValues = `SELECT '' AS kind, '' AS code, toDate(0) AS report_date, CAST(NULL AS Nullable(Float64)) AS value WHERE false`

/** The definition with its lineage: each step with its name, and its value where a bank is asked for. */
const traced = (scope: Scope) => `
WITH
  steps AS (
    SELECT depth, kind, code, quarters_back, used_by, toLastDayOfMonth(subtractQuarters({as_of:Date}, quarters_back)) AS at
    FROM (
      SELECT tupleElement(step, 1) AS depth, tupleElement(step, 2) AS kind, tupleElement(step, 3) AS code,
        tupleElement(step, 4) AS quarters_back, tupleElement(step, 5) AS used_by
      FROM figure_lineage ARRAY JOIN steps AS step WHERE figure = {metric:String}
      UNION ALL
      SELECT 0, if(category = 'ubpr', 'ubpr', 'metric'), key, 0, '' FROM metric_details WHERE key = {metric:String}
    )
  ),
  named AS (
    SELECT 'ubpr' AS kind, code, label FROM ubpr_concepts WHERE code IN (SELECT code FROM steps)
    UNION ALL SELECT 'metric', key, label FROM metric_catalog WHERE universe = 'bank' AND key IN (SELECT code FROM steps)
    UNION ALL SELECT 'item', toString(mdrm), argMax(description, report_date) FROM item_descriptions
      WHERE mdrm IN (SELECT code FROM steps) GROUP BY mdrm
  ),
  valued AS (
    SELECT s.depth AS depth, s.kind AS kind, s.code AS code, nullIf(n.label, '') AS label, s.quarters_back AS quarters_back,
      s.at AS at, s.used_by AS used_by, v.value AS value
    FROM steps AS s
    LEFT JOIN named AS n ON n.kind = s.kind AND n.code = s.code
    LEFT JOIN (${scope.has('rssd_id') ? valuesOfBank : noValues}) AS v
      ON v.kind = s.kind AND v.code = s.code AND v.report_date = s.at
  )
SELECT m.*, t.own AS value, t.lineage AS lineage
FROM metric_details AS m
CROSS JOIN (
  SELECT
    anyIf(value, depth = 0) AS own,
    CAST(arraySort(step -> (step.1, step.7, step.5, step.2, step.3), groupArrayIf(
      (depth, kind, code, label, quarters_back, at, used_by, value), depth > 0
    )), 'Array(Tuple(depth UInt8, kind String, code String, label Nullable(String), quarters_back UInt8, report_date Date, used_by String, value Nullable(Float64)))') AS lineage
  FROM valued
) AS t`

export default dataset({
  key: 'metric-detail',
  summary:
    'One metric, or one concept of the UBPR: its definition, the items that it is made of, its distribution in the latest quarter, and its lineage with the values of one bank.',
  notes:
    'Give `rssd_id` to follow a figure down to what the bank filed: `value` is its own, `lineage` has every metric, concept and item that it rests on, each with its value in its quarter. Steps of a branch that does not apply to the quarter are listed too.',
  from: traced,
  grain: ['key'],
  parameters: {
    metric: metricOrConcept(metrics.map(({ key }) => key)),
    rssd_id: idList({ doc: 'RSSD ID of a bank, for the values of the lineage.', most: 1, members: banks }),
    as_of: asOf({ where: null }),
  },
  columns: [
    ...metricDefinition,
    over(reportDate, { nullable: true, doc: 'The quarter of the distribution.' }),
    smallCount('count', 'Banks with a value'),
    figure('mean', 'Mean', inUnit),
    figure('min', 'Minimum', inUnit),
    figure('p25', 'First quartile', inUnit),
    figure('median', 'Median', inUnit),
    figure('p75', 'Third quartile', inUnit),
    figure('max', 'Maximum', inUnit),
    figure('value', 'Value', {
      doc: 'Of the bank `rssd_id` in the quarter `as_of`, in the unit of the metric.',
    }),
    objects(
      'lineage',
      'Lineage',
      [
        column('UInt8', 'depth', 'Depth', { doc: '1 for what the formula itself names.' }),
        text('kind', 'Kind', { doc: 'metric, ubpr or item.' }),
        text('code', 'Code', { doc: 'Key of a metric, or MDRM code.' }),
        text('label', 'Label', { nullable: true }),
        column('UInt8', 'quarters_back', 'Quarters back'),
        column('Date', 'report_date', 'Report date'),
        text('used_by', 'Used by', { doc: 'The step above whose formula names it.' }),
        figure('value', 'Value', { doc: 'Of the bank at that date, as filed or derived.' }),
      ],
      { doc: 'What the figure rests on, nearest first.' },
    ),
  ],
  sources: ['ffiec-call-report', 'ubpr-formulas'],
  examples: [
    { title: 'Return on assets', expect: { rows: 1 } },
    { title: 'The Texas ratio', path: { metric: 'texas_ratio' }, expect: { rows: 1 } },
    { title: 'Net income to average assets of the UBPR', path: { metric: 'UBPRE013' }, expect: { rows: 1 } },
  ],
})
