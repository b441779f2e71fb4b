-- Who takes over a bank that ends (a failed one too): a living bank at least three times its size, of its own
-- state where there is one. In quarter `q`, the one after the last that it filed.
CREATE TABLE demo_takeovers
ENGINE = MergeTree ORDER BY target
AS WITH
    candidates AS
    (
        SELECT
            t.i AS target,
            t.close_q + 1 AS q,
            t.final_assets AS target_assets,
            a.rssd_id AS acquirer,
            a.final_assets * exp(-a.growth_trend * (a.close_q - q)) AS acquirer_assets,
            a.state = t.state AS neighbour,
            cityHash64(t.h, a.i) AS lot
        FROM (SELECT * FROM demo_banks WHERE closed) AS t
        CROSS JOIN (SELECT * FROM demo_banks WHERE NOT closed AND NOT de_novo AND NOT ailing) AS a
        WHERE acquirer_assets > 3 * target_assets AND (a.state = t.state OR a.giant)
    )
SELECT target, any(q) AS q, any(target_assets) AS assets,
    argMin((acquirer, acquirer_assets), (NOT neighbour, lot)) AS buyer
FROM candidates
GROUP BY target
