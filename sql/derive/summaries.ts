import { everyone } from './cohorts.ts'
import type { Universe } from './universe.ts'

/** A view of the 5-number summaries with the names of their metric and tier. */
export const summariesView = ({
  entity,
  tables,
  plural,
}: Universe): string => `CREATE OR REPLACE VIEW ${tables.summaries} AS
SELECT
    b.report_date AS report_date, b.cohort AS tier,
    if(b.cohort = '${everyone}', 'All ${plural.replaceAll('_', ' ')}', t.label) AS tier_label, t.position AS tier_position,
    b.metric AS metric, c.label AS label, c.unit AS unit, c.position AS position,
    b.count AS count, b.mean AS mean, b.min AS min, b.p25 AS p25, b.median AS median, b.p75 AS p75, b.max AS max
FROM ${tables.benchmarks} AS b
INNER JOIN (SELECT * FROM metric_catalog WHERE universe = '${entity}') AS c ON c.key = b.metric
LEFT JOIN (SELECT * FROM cohorts WHERE universe = '${entity}') AS t ON t.key = b.cohort`
