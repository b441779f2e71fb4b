import type { Universe } from '../../../sql/derive/universe.ts'
import { quotedAll } from '../../../sql/quoted.ts'
import { code, figure, percent, smallCount, text } from '../columns.ts'
import type { Scope } from '../scope.ts'

/** A metric and where an institution stands by it. */
export const rankColumns = [
  code('metric', 'Metric', { doc: 'Key in the metric catalog.' }),
  text('label', 'Label'),
  code('unit', 'Unit'),
  code('direction', 'Direction', { doc: 'Which way is better: higher, lower or neutral.' }),
  figure('value', 'Value', { doc: 'In the unit of the row.' }),
  percent('percentile', 'Percentile rank', {
    doc: 'From 0 to 100, among those of the cohort that have a value.',
  }),
]

const inUnit = { doc: 'Of the cohort, in the unit of the row.' }
export const standingColumns = [
  ...rankColumns,
  figure('p25', 'First quartile', inUnit),
  figure('median', 'Median', inUnit),
  figure('p75', 'Third quartile', inUnit),
  code('cohort', 'Cohort', { doc: 'Of the quarter: who is small becomes large.' }),
  text('cohort_label', 'Label of the cohort'),
  smallCount('cohort_count', 'Cohort size', { doc: 'Its members in that quarter.' }),
]

/** Rows of the institution of the path, one a quarter and metric: those asked for, else the headline ones. */
export const standingOf =
  ({ tables, id, entity, headline }: Universe) =>
  (scope: Scope): string =>
    `
SELECT r.${id} AS ${id}, r.report_date AS report_date, c.position AS position, c.key AS metric, c.label AS label,
  c.unit AS unit, c.direction AS direction, r.value AS value, r.percentile AS percentile,
  s.p25 AS p25, s.median AS median, s.p75 AS p75,
  r.cohort AS cohort, t.label AS cohort_label, r.cohort_count AS cohort_count
FROM (
  SELECT ${id}, report_date, toString(cohort) AS cohort, cohort_count, value, percentile, position
  FROM (SELECT * FROM ${tables.rows} WHERE ${id} = {${id}:UInt32})
  ARRAY JOIN metrics AS value, ranks AS percentile, arrayEnumerate(metrics) AS position
) AS r
INNER JOIN (
  SELECT key, label, unit, direction, position FROM metric_catalog
  WHERE universe = '${entity}' AND tier = 'Public'${scope.has('metrics') ? '' : ` AND key IN (${quotedAll(headline)})`}
) AS c ON c.position = r.position
LEFT JOIN (SELECT key, label FROM cohorts WHERE universe = '${entity}') AS t ON t.key = r.cohort
LEFT JOIN (
  SELECT report_date, toString(cohort) AS cohort, toString(metric) AS metric,
    toNullable(p25) AS p25, toNullable(median) AS median, toNullable(p75) AS p75
  FROM ${tables.benchmarks}
) AS s ON s.report_date = r.report_date AND s.cohort = r.cohort AND s.metric = c.key`
