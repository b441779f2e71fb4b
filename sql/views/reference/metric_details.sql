-- Each metric with its distribution over all banks in the latest quarter that the industry filed.
CREATE OR REPLACE VIEW metric_details AS
SELECT
    c.position AS position,
    c.key AS key,
    c.label AS label,
    c.unit AS unit,
    c.direction AS direction,
    c.category AS category,
    c.formula AS formula,
    c.items AS items,
    c.source AS source,
    c.description AS description,
    d.report_date AS report_date,
    d.count AS count,
    d.mean AS mean,
    d.min AS min,
    d.p25 AS p25,
    d.median AS median,
    d.p75 AS p75,
    d.max AS max
FROM metric_catalog AS c
LEFT JOIN
(
    SELECT
        b.metric AS metric, toNullable(b.report_date) AS report_date, b.count AS count, b.mean AS mean,
        b.min AS min, b.p25 AS p25, b.median AS median, b.p75 AS p75, b.max AS max
    FROM cohort_benchmarks AS b
    WHERE b.cohort = 'all' AND b.report_date = (SELECT max(report_date) FROM cohort_benchmarks)
) AS d ON d.metric = c.key
