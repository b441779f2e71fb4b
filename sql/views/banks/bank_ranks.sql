-- The arrays of bank_rows as one row a metric. A filter on rssd_id and report_date reaches the primary key.
CREATE OR REPLACE VIEW bank_ranks AS
SELECT
    r.rssd_id AS rssd_id,
    r.report_date AS report_date,
    r.position AS position,
    c.key AS metric,
    c.label AS label,
    c.unit AS unit,
    c.direction AS direction,
    r.value AS value,
    r.percentile AS percentile,
    r.cohort AS cohort,
    r.cohort_count AS cohort_count
FROM
(
    SELECT rssd_id, report_date, cohort, cohort_count, value, percentile, position
    FROM bank_rows
    ARRAY JOIN metrics AS value, ranks AS percentile, arrayEnumerate(metrics) AS position
) AS r
INNER JOIN (SELECT * FROM metric_catalog WHERE universe = 'bank') AS c ON c.position = r.position
