-- The arrays of ubpr_rows as one row a concept, with the average of the peer group. Filters on rssd_id and report_date
-- reach the primary key.
CREATE OR REPLACE VIEW ubpr_values AS
SELECT
    r.rssd_id AS rssd_id,
    r.report_date AS report_date,
    c.code AS code,
    c.label AS label,
    c.unit AS unit,
    r.position AS position,
    r.value AS value,
    r.percentile AS percentile,
    p.averages[r.position] AS peer_average,
    nullIf(r.peer_group, '') AS peer_group,
    if(match(r.peer_group, '^\\d{4}$'), concat('Commercial banks with assets under $750 million opened in ', r.peer_group), g.label) AS peer_group_label,
    p.banks AS peer_count,
    if(c.origin = 'catalog', 'metric catalog', concat('UBPR guide ', c.edition)) AS formulas
FROM
(
    SELECT rssd_id, report_date, toString(peer_group) AS peer_group, value, percentile, position
    FROM ubpr_rows
    ARRAY JOIN values AS value, ranks AS percentile, arrayEnumerate(values) AS position
) AS r
INNER JOIN ubpr_concepts AS c ON c.position = r.position
LEFT JOIN ubpr_peers AS p ON p.report_date = r.report_date AND p.peer_group = r.peer_group
LEFT JOIN ubpr_peer_groups AS g ON g.peer_group = r.peer_group
