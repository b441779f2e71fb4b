-- What its takeovers of a quarter add to the logarithm of an acquirer's assets.
CREATE TABLE demo_mergers
ENGINE = MergeTree ORDER BY (acquirer, q)
AS SELECT
    tupleElement(buyer, 1) AS acquirer,
    toInt32(q) AS q,
    -log(1 - least(sum(assets / tupleElement(buyer, 2)), 0.35)) AS growth
FROM demo_takeovers
GROUP BY acquirer, q
