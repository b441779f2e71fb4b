-- The rates of each filed quarter's last business day beside what the industry earned and paid. Treasury's par
-- yields; of days that it does not hold, the Federal Reserve's constant maturities. A quarter whose last ten days
-- hold no curve has none: it is not taken from further back.
CREATE OR REPLACE VIEW rate_environment AS
WITH
    '2200-01-01 00:00:00' AS forever,
    ends AS
    (
        SELECT toString(series) AS name, date, value
        FROM observations
        WHERE replaced_at = toDateTime64(forever, 3, 'UTC') AND value IS NOT NULL
            AND toMonth(date) % 3 = 0 AND date > toLastDayOfMonth(date) - 10
            AND series IN (
                'UST_PAR_3M', 'UST_PAR_6M', 'UST_PAR_1Y', 'UST_PAR_2Y', 'UST_PAR_5Y', 'UST_PAR_10Y', 'UST_PAR_30Y',
                'DGS3MO', 'DGS6MO', 'DGS1', 'DGS2', 'DGS5', 'DGS10', 'DGS30',
                'UST_REAL_10Y', 'DFII10', 'DFF', 'PMMS_30Y', 'MORTGAGE30US')
    ),
    curves AS
    (
        SELECT date AS curve_date, toLastDayOfMonth(date) AS quarter_end, startsWith(name, 'UST') AS own,
            maxIf(value, name IN ('UST_PAR_3M', 'DGS3MO')) AS yield_3m,
            maxIf(value, name IN ('UST_PAR_6M', 'DGS6MO')) AS yield_6m,
            maxIf(value, name IN ('UST_PAR_1Y', 'DGS1')) AS yield_1y,
            maxIf(value, name IN ('UST_PAR_2Y', 'DGS2')) AS yield_2y,
            maxIf(value, name IN ('UST_PAR_5Y', 'DGS5')) AS yield_5y,
            maxIf(value, name IN ('UST_PAR_10Y', 'DGS10')) AS yield_10y,
            maxIf(value, name IN ('UST_PAR_30Y', 'DGS30')) AS yield_30y
        FROM ends
        WHERE startsWith(name, 'UST_PAR') OR startsWith(name, 'DGS')
        GROUP BY curve_date, own
        HAVING yield_3m IS NOT NULL AND yield_10y IS NOT NULL
        ORDER BY curve_date DESC, own DESC
        LIMIT 1 BY quarter_end
    ),
    others AS
    (
        SELECT toLastDayOfMonth(date) AS quarter_end,
            coalesce(argMaxIf(value, date, name = 'UST_REAL_10Y'), argMaxIf(value, date, name = 'DFII10')) AS real_yield_10y,
            argMaxIf(value, date, name = 'DFF') AS federal_funds_rate,
            coalesce(argMaxIf(value, date, name = 'PMMS_30Y'), argMaxIf(value, date, name = 'MORTGAGE30US')) AS mortgage_rate_30y
        FROM ends
        GROUP BY quarter_end
    )
SELECT
    i.report_date AS report_date,
    if(c.yield_10y IS NULL, NULL, c.curve_date) AS curve_date,
    c.yield_3m AS yield_3m,
    c.yield_6m AS yield_6m,
    c.yield_1y AS yield_1y,
    c.yield_2y AS yield_2y,
    c.yield_5y AS yield_5y,
    c.yield_10y AS yield_10y,
    c.yield_30y AS yield_30y,
    c.yield_10y AS curve_level,
    round(c.yield_10y - c.yield_3m, 4) AS curve_slope,
    round(2 * c.yield_2y - c.yield_3m - c.yield_10y, 4) AS curve_curvature,
    round(c.yield_10y - c.yield_2y, 4) AS spread_10y_2y,
    o.real_yield_10y AS real_yield_10y,
    round(c.yield_10y - o.real_yield_10y, 4) AS breakeven_inflation_10y,
    o.federal_funds_rate AS federal_funds_rate,
    o.mortgage_rate_30y AS mortgage_rate_30y,
    i.banks AS banks,
    i.nim AS nim,
    i.yield_on_earning_assets AS yield_on_earning_assets,
    i.cost_of_funds AS cost_of_funds,
    i.cost_of_deposits AS cost_of_deposits
FROM (SELECT * FROM industry_quarters WHERE cohort = 'all') AS i
LEFT JOIN curves AS c ON c.quarter_end = i.report_date
LEFT JOIN others AS o ON o.quarter_end = i.report_date
