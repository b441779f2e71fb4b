-- The invented economy, one row a simulated quarter: two recessions, two rate-hike periods. Year-end
-- values, interpolated. The simulation starts a quarter before the year of the first filing, so that the
-- first filing's year-to-date flows and averages have what they need.
CREATE TABLE demo_scenario
ENGINE = MergeTree ORDER BY q
AS WITH
    2000 AS first_year,
    --  2000                     2005                        2010                         2015                         2020                          2025
    [6.5, 1.9, 1.3, 1.0, 2.2, 4.2, 5.2, 4.2, 0.2, 0.15, 0.15, 0.1, 0.15, 0.1, 0.1, 0.3, 0.6, 1.4, 2.4, 1.6, 0.1, 0.1, 4.3, 5.3, 4.4, 3.7, 3.3] AS policy_rates,
    [0.2, 0.45, 0.35, 0.2, 0.1, 0.05, 0.1, 0.35, 0.8, 1.0, 0.9, 0.65, 0.45, 0.3, 0.2, 0.13, 0.14, 0.1, 0.08, 0.1, 0.55, 0.12, 0.08, 0.2, 0.3, 0.3, 0.27] AS stresses,
    [0.5, 1.5, 2.5, 1.0, 0.2, -1.0, -0.8, 0.2, 0.5, 1.0, 1.2, 2.5, 2.8, -1.0, 0.8, 0.4, -0.5, -0.4, -1.6, 0.9, 2.6, 0.3, -9.0, -7.4, -7.0, -4.6, -4.0] AS gains,
    [0, 0, 0, 0, 0, 0, 0, 0, 1.5, 3, 3, 3.5, 3, 2.5, 2, 1.5, 1, 1, 0.5, 1, 7, 9, 4, 3, 2.5, 2, 2] AS liquidities,
    (x, y, n) -> x[y - first_year] + (x[y - first_year + 1] - x[y - first_year]) * n / 4 AS at,
    toYear({last:Date}) * 4 + toQuarter({last:Date}) - 1 AS last_q
SELECT
    toInt32(number) AS q,                                  -- quarters since the year 0
    toUInt16(intDiv(number, 4)) AS year,
    toUInt8(number % 4 + 1) AS quarter,
    toLastDayOfMonth(makeDate(year, quarter * 3, 1)) AS report_date,
    at(policy_rates, year, quarter) AS policy_rate,        -- percent
    at(stresses, year, quarter) AS stress,                 -- 0 calm … 1 the depth of a crisis
    at(gains, year, quarter) AS securities_gain,           -- percent of cost, of a bond of middling duration
    at(liquidities, year, quarter) AS liquidity,           -- cash above the usual, percent of assets
    q > last_q - toInt32({quarters:UInt32}) AS filed
FROM numbers(
    intDiv(last_q + 1 - {quarters:UInt32}, 4) * 4 - 1,
    last_q + 2 - intDiv(last_q + 1 - {quarters:UInt32}, 4) * 4)
