-- Each concept of the UBPR as a metric is told, with its distribution over all banks in the latest quarter. One that is not
-- computed says why.
CREATE OR REPLACE VIEW ubpr_details AS
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
