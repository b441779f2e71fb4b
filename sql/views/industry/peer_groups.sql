-- The asset-size cohorts with what they add up to, each quarter. Ratios are those of the summed filings.
CREATE OR REPLACE VIEW peer_groups AS
SELECT
    i.report_date AS report_date,
    c.key AS cohort,
    c.label AS label,
    c.min AS min_total_assets,
    c.max AS max_total_assets,
    c.position AS position,
    i.* EXCEPT (report_date, cohort)
FROM cohorts AS c
INNER JOIN industry_quarters AS i ON i.cohort = c.key
WHERE c.universe = 'bank'
