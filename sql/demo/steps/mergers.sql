-- Who takes over a bank that ends (a failed one too): a living bank at least three times its size, of its own
-- state where there is one. `growth` is what the takeover adds to the logarithm of the acquirer's assets.
CREATE TABLE demo_mergers
ENGINE = MergeTree ORDER BY (acquirer, q)
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
        CROSS JOIN (SELECT * FROM demo_banks WHERE NOT closed AND NOT de_novo) AS a
        WHERE acquirer_assets > 3 * target_assets AND (a.state = t.state OR a.giant)
    ),
    takeovers AS
    (
        SELECT target, any(q) AS q, any(target_assets) AS assets,
            argMin((acquirer, acquirer_assets), (NOT neighbour, lot)) AS buyer
        FROM candidates
        GROUP BY target
    )
SELECT
    tupleElement(buyer, 1) AS acquirer,
    toInt32(q) AS q,
    -log(1 - least(sum(assets / tupleElement(buyer, 2)), 0.35)) AS growth
FROM takeovers
GROUP BY acquirer, q
