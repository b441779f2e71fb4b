-- One row a bank and simulated quarter: the balance sheet, in whole thousands. Totals are sums of their
-- rounded parts, so that the accounts hold to the dollar. Loan arrays follow the order of `loanCategories`
-- in items/loans.ts.
CREATE TABLE demo_balances
ENGINE = MergeTree ORDER BY (rssd_id, q) SETTINGS min_bytes_for_wide_part = 1000000000
AS WITH
    (h) -> ((bitAnd(h, 65535) + bitAnd(bitShiftRight(h, 16), 65535) + bitAnd(bitShiftRight(h, 32), 65535) + bitShiftRight(h, 48)) / 65536 - 2) * 1.7320508 AS normal,
    (h) -> (h % 1000003) / 1000003 AS uniform,
    (x, low, high) -> least(greatest(x, low), high) AS clamp,
    (share) -> round(size * share) AS of_assets,
    -- Small portfolios are lumpy: often nothing is wrong, now and then more than the rate.
    (x, k, what) -> if(failing = 0 AND uniform(cityHash64(h, what, k, year)) < 0.55 / (1 + x / 40000), 0, 1.3) AS lump,
    arrayMap(x -> toUInt8(x), range(1, 21)) AS categories,
    -- Percent of a kind in nonaccrual in calm times, and added at the depth of a crisis.
    [0.5, 0.5, 0.8, 0.5, 0.7, 0.5, 0.25, 0.55, 0.45, 0.02, 0.6, 0.8, 0.1, 0.35, 0.35, 0.35, 0.02, 0.1, 0.3, 0.3] AS nonaccrual_calm,
    [7, 6, 1.1, 1.2, 2.4, 1.8, 2.0, 1.9, 2.2, 0.3, 1.3, 1.7, 0.6, 0.7, 0.6, 0.6, 0.1, 0.5, 1.0, 0.9] AS nonaccrual_crisis,
    [0.4, 0.4, 0.5, 0.4, 0.9, 0.6, 0.15, 0.25, 0.2, 0.01, 0.6, 0.35, 1.2, 0.9, 1.6, 1.1, 0.05, 0.1, 0.4, 0.6] AS past_due_calm,
    [2.0, 1.6, 0.5, 0.8, 1.6, 1.2, 0.7, 0.7, 0.6, 0.1, 0.7, 0.8, 1.2, 0.9, 1.3, 1.1, 0.1, 0.3, 0.6, 0.6] AS past_due_crisis,
    -- Layers, so that each names the columns of the one below and none repeats their arithmetic.
    states AS
    (
        SELECT
            p.* EXCEPT (quarters_to_failure),
            p.form = '031' AND b.giant AS foreign_offices,
            b.h AS h, b.giant AS giant, b.business AS business, b.mutual AS mutual, b.subchapter_s AS subchapter_s, b.elects_cblr AS elects_cblr,
            b.loan_mix AS loan_mix, b.paper_mix AS paper_mix, b.deposit_mix AS deposit_mix,
            b.z_size AS z_size, b.z_quality AS z_quality, b.z_capital AS z_capital, b.z_efficiency AS z_efficiency, b.z_margin AS z_margin,
            b.z_loans AS z_loans, b.z_core AS z_core, b.z_wholesale AS z_wholesale, b.z_fees AS z_fees, b.z_duration AS z_duration
        FROM demo_paths AS p
        INNER JOIN demo_banks AS b ON b.rssd_id = p.rssd_id
    ),
    lending AS
    (
        SELECT *,
            -- Loans, gross, by kind.
            arrayMap((w, k) -> w * exp(0.18 * sin((q + h % 60) / 9.5 + k) - if(k <= 2, 0.45 * trouble, 0)), loan_mix, categories) AS mix,
            clamp(0.665 + 0.09 * z_loans + if(business IN ('credit card', 'consumer', 'commercial real estate'), 0.07, 0)
                - if(business = 'diversified', 0.16, 0) - 0.008 * (liquidity - 2) + 0.02 * sin((q + h % 40) / 6) - 0.25 * exp(-age / 3),
                0.12, 0.88) AS loan_share,
            size * loan_share / greatest(arraySum(mix), 0.001) AS loan_scale,
            arrayMap(w -> round(loan_scale * w), mix) AS loans,
            arraySum(loans) AS total_loans,
            if(uniform(cityHash64(h, 'sells')) < 0.35, round(loans[5] * 0.04 * uniform(cityHash64(h, q, 'pipeline'))), 0) AS loans_held_for_sale
        FROM states
    ),
    quality AS
    (
        SELECT *,
            -- Asset quality.
            exp(0.68 * z_quality - 0.2) * (1 + failing * failing) AS badness,
            arrayMap((x, k, calm, crisis) -> round(x * least(badness * (calm + crisis * (trouble + 0.8 * failing)) / 100, 0.45) * lump(x, k, 'nonaccrual')), loans, categories, nonaccrual_calm, nonaccrual_crisis) AS nonaccrual,
            arrayMap((x, k, calm, crisis) -> round(x * least(exp(0.5 * z_quality) * (calm + crisis * (trouble + failing)) / 100, 0.2) * lump(x, k, 'past due') * (0.6 + 0.8 * uniform(cityHash64(h, q, k)))), loans, categories, past_due_calm, past_due_crisis) AS past_due_30,
            arrayMap((x, k) -> round(x * if(k = 13, 0.9, 0.18) * uniform(cityHash64(h, q, k, 'ninety')) * if(uniform(cityHash64(h, k, year, 'ninety')) < 0.3, 1, 0)), past_due_30, categories) AS past_due_90,
            arraySum(nonaccrual) AS total_nonaccrual,
            round(0.35 * total_nonaccrual) AS restructured,
            round(size * 0.0012 * (0.25 + 2.5 * trouble + 3 * failing) * if(uniform(cityHash64(h, year, 'oreo')) < 0.45, 0, 1.2)) AS oreo,
            round(total_loans * clamp((if(business = 'credit card', 6.5, if(business = 'consumer', 2.4, 1.18)) + 0.22 * z_quality + 0.65 * trouble + 1.4 * failing + 0.1 * normal(cityHash64(h, 'reserve'))) / 100, 0.0035, 0.12)) AS allowance
        FROM lending
    ),
    assets AS
    (
        SELECT *,
            -- The other assets.
            of_assets(clamp(0.018 + 0.005 * z_core, 0.004, 0.06)) AS cash_noninterest,
            of_assets(clamp(0.028 + liquidity / 100 * (0.7 + 0.4 * uniform(cityHash64(h, 'liquid'))) + 0.012 * normal(cityHash64(h, q, 'cash')) + 0.1 * exp(-age / 3), 0.003, 0.4)) AS cash_interest,
            of_assets(if(h % 2 = 0, 0.006 * uniform(cityHash64(h, q, 'sold')), 0)) AS federal_funds_sold,
            of_assets(if(business = 'diversified', 0.03, 0)) AS resale_agreements,
            of_assets(if(business = 'diversified' OR (giant AND h % 2 = 0), 0.035, 0)) AS trading_assets,
            of_assets(clamp(0.014 + 0.004 * normal(cityHash64(h, 'premises')), 0.001, 0.05)) AS premises,
            of_assets(if(uniform(cityHash64(h, 'goodwill')) < if(giant, 0.9, 0.35), 0.012 * (0.3 + uniform(cityHash64(h, 'bought'))), 0)) AS goodwill,
            of_assets(if(uniform(cityHash64(h, 'servicing')) < if(business IN ('mortgage', 'diversified'), 0.6, 0.12), 0.0012, 0)) AS servicing_assets,
            round(goodwill * 0.08) AS other_intangibles,
            of_assets(if(uniform(cityHash64(h, 'boli')) < 0.6, 0.015 * (0.5 + uniform(cityHash64(h, 'life'))), 0)) AS life_insurance,
            of_assets(0.0035 + 0.0004 * policy_rate) AS accrued_interest,
            of_assets(0.004 + 0.003 * trouble) AS deferred_tax,
            of_assets(0.007 + 0.002 * normal(cityHash64(h, 'other'))) AS remaining_assets,
            of_assets(if(giant, 0.004, if(h % 10 = 0, 0.001, 0))) AS subsidiaries,
            of_assets(if(uniform(cityHash64(h, 'equities')) < 0.25, 0.0008, 0)) AS equity_securities
        FROM quality
    ),
    portfolios AS
    (
        SELECT *,
            -- Securities take what is left of the size aimed at.
            greatest(of_assets(0.03), round(size - total_loans + allowance - cash_noninterest - cash_interest - federal_funds_sold - resale_agreements - trading_assets - premises - goodwill - servicing_assets - other_intangibles - life_insurance - accrued_interest - deferred_tax - remaining_assets - subsidiaries - equity_securities - oreo)) AS securities,
            if(uniform(cityHash64(h, 'htm')) < if(giant, 0.9, 0.4), clamp(0.25 + 0.18 * normal(cityHash64(h, 'held')), 0.02, 0.85), 0) AS htm_share,
            clamp(exp(0.35 * z_duration) * if(business = 'mortgage', 1.2, 1) * securities_gain / 100, -0.22, 0.08) AS gain,
            -- At amortised cost: Treasuries, agencies, agency pass-throughs, agency CMOs, commercial MBS, other debt, municipals.
            securities * htm_share / arraySum(paper_mix) AS htm_scale,
            securities * (1 - htm_share) / (1 + gain) / arraySum(paper_mix) AS afs_scale,
            arrayMap(w -> round(htm_scale * w), paper_mix) AS htm_cost,
            arrayMap(x -> round(x * (1 + gain * 1.25)), htm_cost) AS htm_fair,
            arrayMap(w -> round(afs_scale * w), paper_mix) AS afs_cost,
            arrayMap(x -> round(x * (1 + gain)), afs_cost) AS afs_fair,
            arraySum(htm_cost) AS securities_htm,
            arraySum(afs_fair) AS securities_afs,
            life_insurance + accrued_interest + deferred_tax + remaining_assets AS other_assets,
            goodwill + servicing_assets + other_intangibles AS intangibles,
            cash_noninterest + cash_interest + securities_htm + securities_afs + equity_securities + federal_funds_sold + resale_agreements
                + total_loans - allowance + trading_assets + premises + oreo + subsidiaries + intangibles + other_assets AS total_assets
        FROM assets
    ),
    equity AS
    (
        SELECT *,
            -- Equity. What rates do to the securities for sale goes straight into it.
            round(0.79 * (securities_afs - arraySum(afs_cost))) AS aoci,
            clamp(0.108 + 0.018 * z_capital + if(business IN ('credit card', 'consumer'), 0.03, 0) - 0.008 * (liquidity - 2) / 7 + 0.12 * exp(-age / 4), 0.072, 0.4) AS core_ratio,
            round(total_assets * (core_ratio - failing * (core_ratio - 0.012))) + goodwill AS core_equity,
            core_equity + aoci AS total_equity,
            if(mutual, 0, round(core_equity * 0.04 * uniform(cityHash64(h, 'par')))) AS common_stock,
            if(mutual, 0, round(core_equity * 0.45 * uniform(cityHash64(h, 'surplus')))) AS surplus,
            if(h % 60 = 0, round(core_equity * 0.03), 0) AS preferred_stock,
            core_equity - common_stock - surplus - preferred_stock AS undivided_profits
        FROM portfolios
    ),
    borrowings AS
    (
        SELECT *,
            -- Borrowings.
            greatest(0, 0.045 + 0.035 * z_wholesale + 0.02 * failing - 0.004 * (liquidity - 2)) AS wholesale,
            of_assets(if(h % 5 < 2, wholesale * 0.12 * uniform(cityHash64(h, q, 'overnight')), 0)) AS federal_funds_purchased,
            of_assets(if(uniform(cityHash64(h, 'repos')) < 0.25, 0.012 + wholesale * 0.2, 0)) AS repurchase_agreements,
            of_assets(if(uniform(cityHash64(h, 'fhlb')) < 0.7, wholesale * 0.75, 0)) AS fhlb_advances,
            of_assets(if(uniform(cityHash64(h, 'borrows')) < 0.25, wholesale * 0.25, 0)) AS other_borrowings,
            of_assets(if(business = 'diversified' OR h % 40 = 0, 0.006, 0)) AS subordinated_debt,
            round(trading_assets * 0.35) AS trading_liabilities,
            of_assets(0.009 + if(giant, 0.008, 0)) AS other_liabilities,
            total_assets - total_equity AS total_liabilities,
            total_liabilities - federal_funds_purchased - repurchase_agreements - fhlb_advances - other_borrowings - subordinated_debt - trading_liabilities - other_liabilities AS total_deposits
        FROM equity
    ),
    deposits AS
    (
        SELECT *,
            -- Deposits. Dear money moves them from demand to time deposits.
            if(foreign_offices, round(total_deposits * if(business = 'diversified', 0.1, 0.01)), 0) AS foreign_deposits,
            round(foreign_deposits * 0.06) AS foreign_demand,
            total_deposits - foreign_deposits AS domestic_deposits,
            arrayMap((w, tilt) -> w * exp(tilt), deposit_mix, [0.3 * z_core - 0.05 * policy_rate, 0.15 * z_core, 0, 0.15 * z_size, 0.07 * policy_rate, 0.08 * policy_rate, 0.1 * policy_rate]) AS tilted_mix,
            -- Demand, other transaction, money market, time to $100 thousand, to $250 thousand, above; savings take the rest.
            domestic_deposits / arraySum(tilted_mix) AS deposit_scale,
            arrayMap(k -> round(deposit_scale * tilted_mix[k]), [1, 2, 4, 5, 6, 7]) AS deposit_parts,
            deposit_parts[1] AS demand, deposit_parts[2] AS other_transaction, deposit_parts[3] AS money_market,
            deposit_parts[4] AS time_small, deposit_parts[5] AS time_middle, deposit_parts[6] AS time_large,
            domestic_deposits - arraySum(deposit_parts) AS savings,
            if(uniform(cityHash64(h, 'brokered')) < clamp(0.35 + 0.12 * z_wholesale + failing, 0.1, 1), round((time_small + time_middle) * clamp(0.22 + 0.1 * z_wholesale + 0.3 * failing, 0.01, 0.8)), 0) AS brokered,
            round(domestic_deposits * clamp(0.24 + 0.06 * z_size + 0.04 * normal(cityHash64(h, 'uninsured')), 0.05, 0.75)) AS uninsured
        FROM borrowings
    )
SELECT * EXCEPT (mix, tilted_mix, loan_mix, paper_mix, deposit_mix, loan_scale, htm_scale, afs_scale, deposit_scale, deposit_parts, securities, badness, htm_share, gain, wholesale, z_duration, z_wholesale, z_loans, z_capital, core_ratio, size, liquidity, securities_gain),
    -- Regulatory capital, Basel III standardised approach, with the AOCI opt-out.
    elects_cblr AND q >= 2020 * 4 AND failing = 0 AND core_ratio > 0.095 AS cblr,
    total_equity - aoci - preferred_stock - goodwill - other_intangibles AS cet1,
    cet1 + preferred_stock AS tier1,
    round(0.2 * (cash_interest + federal_funds_sold + resale_agreements + securities_htm + arraySum(afs_cost)) * 0.75
        + total_loans - 0.5 * (loans[5] + loans[6]) - 0.42 * loans[7] - 0.75 * loans[17] + 0.35 * (loans[1] + loans[2])
        + trading_assets * 0.5 + premises + oreo * 1.5 + other_assets + subsidiaries + 2.5 * servicing_assets + 0.045 * total_loans + 1.2 * total_nonaccrual * 0.5) AS risk_weighted_assets,
    round(least(allowance, 0.0125 * risk_weighted_assets)) AS allowance_in_tier2,
    subordinated_debt + allowance_in_tier2 AS tier2
FROM deposits
