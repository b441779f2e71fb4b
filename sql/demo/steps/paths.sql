-- One row a bank and simulated quarter: its size, its form, and where it stands in the cycle.
-- Sizes run backward from the last quarter, so that the latest cross-section is exactly the one drawn.
CREATE TABLE demo_paths
ENGINE = MergeTree ORDER BY (rssd_id, q) SETTINGS min_bytes_for_wide_part = 1000000000
AS WITH
    (h) -> ((bitAnd(h, 65535) + bitAnd(bitShiftRight(h, 16), 65535) + bitAnd(bitShiftRight(h, 32), 65535) + bitShiftRight(h, 48)) / 65536 - 2) * 1.7320508 AS normal
SELECT
    rssd_id, q, report_date, year, quarter, filed, policy_rate, stress, securities_gain, liquidity, form,
    age, quarters_to_failure, merger_growth,
    final_assets * exp(-sum(growth) OVER (PARTITION BY rssd_id ORDER BY q DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS size,
    -- How hard the cycle hits this bank, 0 … about 1.5; a failing bank's troubles begin ten quarters before.
    stress * exp(0.35 * z_quality) AS trouble,
    greatest(10 - quarters_to_failure, 0) / 10 AS failing
FROM
(
    SELECT
        b.rssd_id AS rssd_id, s.q AS q, s.report_date AS report_date, s.year AS year, s.quarter AS quarter,
        s.filed AS filed, s.policy_rate AS policy_rate, s.stress AS stress, s.securities_gain AS securities_gain,
        s.liquidity AS liquidity, b.final_assets AS final_assets, b.z_quality AS z_quality,
        -- Form 051 began in 2017.
        if(b.own_form = '051' AND s.year < 2017, '041', b.own_form) AS form,
        s.q - b.open_q AS age,
        ifNull(b.fails_q - s.q, 1000) AS quarters_to_failure,
        ifNull(m.growth, 0) AS merger_growth,
        b.growth_trend - 0.012 * s.stress + 0.004 * (s.liquidity - 2) / 3
            + 0.016 * normal(cityHash64(b.h, s.q, 'growth'))
            + if(b.de_novo, 0.22 * exp(-age / 5), 0)
            - if(quarters_to_failure < 8, 0.02, 0)
            + if(s.quarter = 4, 0.004, if(s.quarter = 2, -0.002, -0.001))
            + merger_growth AS growth
    FROM demo_banks AS b
    CROSS JOIN demo_scenario AS s
    LEFT JOIN demo_mergers AS m ON m.acquirer = b.rssd_id AND m.q = s.q
    WHERE s.q BETWEEN b.open_q AND b.close_q
)
