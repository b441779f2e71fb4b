import { everyone } from './cohorts.ts'
import type { Universe } from './universe.ts'

/**
 * Mean and 5-number summary of each metric over the institutions that have it, for each cohort and for all. Quartiles
 * interpolate between the two nearest values, ends included (as Excel's PERCENTILE.INC and numpy's default do).
 */
export const benchmarksSql = (
  { tables, id, metrics }: Universe,
  quarter: string,
): string => `INSERT INTO ${tables.benchmarks}
SELECT
    '${quarter}'::Date AS report_date,
    tier AS cohort,
    metric,
    count,
    mean,
    least_value AS min,
    quartiles[1] AS p25,
    quartiles[2] AS median,
    quartiles[3] AS p75,
    greatest_value AS max
FROM
(
    SELECT
        if(grouping(cohort) = 0, toString(cohort), '${everyone}') AS tier,
        countForEach(catalog) AS counts,
        avgForEach(catalog) AS means,
        minForEach(catalog) AS least_values,
        maxForEach(catalog) AS greatest_values,
        quantilesExactInclusiveForEach(0.25, 0.5, 0.75)(catalog) AS quartile_lists
    FROM
    (
        SELECT cohort, arraySlice(figures, 1, ${metrics.length}) AS catalog FROM ${tables.figures}
        WHERE report_date = '${quarter}' AND cohort != ''
        ORDER BY ${id}
    )
    GROUP BY GROUPING SETS ((cohort), ())
    HAVING count() > 0
)
ARRAY JOIN
    [${metrics.map(({ key }) => `'${key}'`).join(', ')}] AS metric,
    counts AS count,
    means AS mean,
    least_values AS least_value,
    greatest_values AS greatest_value,
    quartile_lists AS quartiles
WHERE count > 0`
