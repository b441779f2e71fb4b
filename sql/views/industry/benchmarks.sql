-- The 5-number summaries with the names of their metric and tier.
CREATE OR REPLACE VIEW benchmarks AS
SELECT
    b.report_date AS report_date,
    b.cohort AS tier,
    if(b.cohort = 'all', 'All banks', t.label) AS tier_label,
    t.position AS tier_position,
    b.metric AS metric,
    c.label AS label,
    c.unit AS unit,
    c.position AS position,
    b.count AS count,
    b.mean AS mean,
    b.min AS min,
    b.p25 AS p25,
    b.median AS median,
    b.p75 AS p75,
    b.max AS max
FROM cohort_benchmarks AS b
INNER JOIN metric_catalog AS c ON c.key = b.metric
LEFT JOIN cohorts AS t ON t.key = b.cohort
