-- Each metric, and each concept of the UBPR, with its distribution over all banks in the latest quarter that the industry
-- filed. A concept that is not computed says why.
CREATE OR REPLACE VIEW metric_details AS
SELECT
    c.universe AS universe,
    c.position AS position,
    c.key AS key,
    c.label AS label,
    c.unit AS unit,
    c.direction AS direction,
    c.category AS category,
    c.formula AS formula,
    c.items AS items,
    c.source AS source,
    c.fdic_variable AS fdic_variable,
    c.description AS description,
    d.report_date AS report_date,
    d.count AS count,
    d.mean AS mean,
    d.min AS min,
    d.p25 AS p25,
    d.median AS median,
    d.p75 AS p75,
    d.max AS max
FROM (SELECT * FROM metric_catalog WHERE universe = 'bank') AS c
LEFT JOIN
(
    SELECT
        b.metric AS metric, toNullable(b.report_date) AS report_date, b.count AS count, b.mean AS mean,
        b.min AS min, b.p25 AS p25, b.median AS median, b.p75 AS p75, b.max AS max
    FROM cohort_benchmarks AS b
    WHERE b.cohort = 'all' AND b.report_date = (SELECT max(report_date) FROM cohort_benchmarks)
) AS d ON d.metric = c.key
UNION ALL
SELECT
    'bank' AS universe,
    u.position AS position,
    u.code AS key,
    u.label AS label,
    u.unit AS unit,
    'neutral' AS direction,
    'ubpr' AS category,
    u.formula AS formula,
    u.items AS items,
    multiIf(
        u.origin = 'catalog', 'metric catalog',
        u.origin = 'described', 'described in the UBPR guide, formula ours',
        u.origin = 'taxonomy', 'UBPR taxonomy v181, formula ours',
        u.origin = 'mended', concat('UBPR guide ', u.edition, ', a lost minus sign put back'),
        concat('UBPR guide ', u.edition)
    ) AS source,
    NULL AS fdic_variable,
    if(u.reason != '', concat('Not computed: ', u.reason), nullIf(u.narrative, '')) AS description,
    if(u.position = 0, NULL, d.report_date) AS report_date,
    d.counts[u.position] AS count,
    d.means[u.position] AS mean,
    d.quantiles[u.position][1] AS min,
    d.quantiles[u.position][2] AS p25,
    d.quantiles[u.position][3] AS median,
    d.quantiles[u.position][4] AS p75,
    d.quantiles[u.position][5] AS max
FROM ubpr_concepts AS u
LEFT JOIN
(
    SELECT 1 AS one, toNullable(report_date) AS report_date, counts, means, quantiles FROM ubpr_distribution
) AS d ON d.one = 1
