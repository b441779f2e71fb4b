-- One row a credit union and quarter, in thousands of dollars. Parts are rounded and totals are their sums, so that what
-- must add up does. Flows are the calendar year to date.
CREATE TABLE demo_credit_union_filings
ENGINE = MergeTree ORDER BY (report_date, cu_number) SETTINGS min_bytes_for_wide_part = 1000000000
AS WITH
    (h) -> ((bitAnd(h, 65535) + bitAnd(bitShiftRight(h, 16), 65535) + bitAnd(bitShiftRight(h, 32), 65535) + bitShiftRight(h, 48)) / 65536 - 2) * 1.7320508 AS normal,
    (total, weights) -> arrayMap(w -> round(total * w / arraySum(weights)), weights) AS spread
SELECT
    s.report_date AS report_date, c.cu_number AS cu_number,
    c.final_assets * exp(-c.trend * (c.close_q - s.q)) * (1 + 0.004 * normal(cityHash64(c.h, 'assets', s.q))) AS size,
    s.quarter / 4 AS part_of_year,
    greatest(0.02, 0.118 + 0.03 * c.z_capital - 0.006 * c.z_size - 0.015 * s.stress + 0.0002 * (s.q % 7)) AS capital,
    round(size * capital) AS own_funds,
    if(c.final_assets > 200000 AND c.u_borrows < 0.5, round(size * 0.05 * c.u_borrows), 0) AS borrowings,
    round(size * 0.012) AS other_liabilities,

    spread(greatest(size - own_funds - borrowings - other_liabilities, 1), c.share_mix) AS shares,
    arraySum(shares) AS total_shares,

    least(total_shares * least(greatest(0.68 + 0.13 * c.z_loans + 0.05 * c.z_size - 0.008 * s.liquidity, 0.15), 1.3), size * 0.82) AS lending,
    spread(lending, c.loan_mix) AS loans,
    arraySum(loans) AS total_loans,
    round(total_loans * 0.008 * (1 + s.stress)) AS allowance,
    round(size * 0.018 * (1 - c.u_cash / 2)) AS fixed_assets,
    round(total_shares * 0.0095) AS ncusif,
    round(size * 0.02) AS other_assets,
    round(greatest(size - total_loans + allowance - fixed_assets - ncusif - other_assets, 0)) AS liquid,
    round(liquid * (0.3 + 0.4 * c.u_cash)) AS cash,
    -- time deposits, held to maturity, available for sale, others
    spread(liquid - cash, if(c.final_assets < 30000, [0.8, 0, 0, 0.2], [0.15, 0.1, 0.7, 0.05])) AS investments,
    round(investments[3] * s.securities_gain / 100) + 0 AS unrealized_afs,
    round(investments[2] * s.securities_gain / 110) + 0 AS unrealized_htm,
    cash + arraySum(investments) + unrealized_afs + total_loans - allowance + fixed_assets + ncusif + other_assets AS total_assets,
    total_shares + borrowings + other_liabilities AS total_liabilities,
    total_assets - total_liabilities - unrealized_afs AS net_worth,

    round(greatest(total_shares / (8 + 7 * c.u_members), 60)) AS members,
    round(members * (3 + 20 * c.u_cash)) AS potential_members,
    round(members * (0.3 + 0.35 * c.u_members)) AS number_of_loans,
    greatest(1, round(members / 340 * exp(0.2 * c.z_cost))) AS full_time,
    round(full_time * 0.08) AS part_time,

    -- By kind, as the loans: late by two months, charged off in a year.
    0.006 * (1 + s.stress) * exp(0.7 * c.z_quality + 0.2 * normal(cityHash64(c.h, 'late', s.q))) AS lateness,
    arrayMap((amount, times) -> round(amount * least(lateness * times, 0.5)), loans, [1.8, 1.7, 2, 1.2, 0.6, 1.1, 0.6, 1.2, 0.9, 0.9, 1.3, 1.1, 1.6]) AS late,
    arraySum(late) AS delinquent,
    arrayMap((amount, times) -> round(amount * least(lateness * times, 0.3) * part_of_year), loans, [4.5, 4, 4, 1.5, 0.7, 1.6, 0.6, 1.4, 0.05, 0.1, 0.1, 0.3, 1.5]) AS lost,
    arrayMap(amount -> round(amount * 0.18), lost) AS back,

    round(total_loans * (5 + 0.25 * s.policy_rate + 0.5 * c.z_margin) / 100 * part_of_year) AS loan_income,
    round(liquid * (0.6 + 0.6 * s.policy_rate) / 100 * part_of_year) AS investment_income,
    round(total_shares * greatest(0.05, 0.1 + 0.33 * s.policy_rate + 0.15 * c.z_margin) / 100 * part_of_year) AS dividends,
    round(borrowings * (s.policy_rate + 0.4) / 100 * part_of_year) AS borrowing_expense,
    round(size * 0.0035 * part_of_year) AS fees,
    round(size * 0.0055 * part_of_year) AS other_income,
    -- compensation, occupancy, operations, promotion, servicing, professional, other
    spread(size * 0.030 * exp(0.16 * c.z_cost) * part_of_year, [53, 6, 18, 4, 6, 9, 4]) AS expenses,
    arraySum(lost) - arraySum(back) + round(total_loans * 0.0005 * part_of_year) AS provision
FROM (SELECT * FROM demo_scenario WHERE filed) AS s
CROSS JOIN demo_credit_unions AS c
WHERE s.q <= c.close_q AND s.q >= c.open_q
ORDER BY report_date, cu_number
