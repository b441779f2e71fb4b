import { everyone } from './cohorts.ts'
import type { Traced } from './traced.ts'
import type { Universe } from './universe.ts'

/** The metrics of a universe, with their distribution over all its institutions in the latest quarter that these filed. */
const metricsOf = ({ entity, tables }: Universe): Traced => ({
  kind: 'metric',
  catalog: `SELECT key AS code, label, if(tier = 'Public', position, 0) AS position FROM metric_catalog WHERE universe = '${entity}'`,
  rows: tables.rows,
  values: 'metrics',
  lineage: `SELECT figure, steps FROM figure_lineage WHERE universe = '${entity}'`,
  details: `SELECT
    c.universe AS universe, c.position AS position, c.key AS key, c.label AS label, c.unit AS unit,
    c.direction AS direction, c.category AS category, c.formula AS formula, c.items AS items, c.source AS source,
    c.fdic_variable AS fdic_variable, c.description AS description,
    d.report_date AS report_date, d.count AS count, d.mean AS mean,
    d.min AS min, d.p25 AS p25, d.median AS median, d.p75 AS p75, d.max AS max
FROM (SELECT * FROM metric_catalog WHERE universe = '${entity}') AS c
LEFT JOIN (
    SELECT b.metric AS metric, toNullable(b.report_date) AS report_date, b.count AS count, b.mean AS mean,
        b.min AS min, b.p25 AS p25, b.median AS median, b.p75 AS p75, b.max AS max
    FROM ${tables.benchmarks} AS b
    WHERE b.cohort = '${everyone}' AND b.report_date = (SELECT max(report_date) FROM ${tables.benchmarks})
) AS d ON d.metric = c.key`,
})

/** All figures of a universe that are followed: its metrics, then those of its further catalogs. */
export const tracedIn = (universe: Universe): readonly Traced[] => [metricsOf(universe), ...universe.traced]
