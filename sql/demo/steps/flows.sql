-- One row a bank and simulated quarter: what the quarter earned, cost, lost and distributed, in whole
-- thousands, from average balances; and the averages themselves. Columns of money that add up over a year
-- begin with `f_`: filings.ts makes them year to date.
WITH
    (h) -> (h % 1000003) / 1000003 AS uniform,
    (x, low, high) -> least(greatest(x, low), high) AS clamp,
    (x, previous) -> round((x + previous) / 2) AS average,
    arrayMap(x -> toUInt8(x), range(1, 21)) AS categories,
    -- Percent a year by kind of loan: at a policy rate of nought, and for each point of it.
    [5.6, 5.3, 4.7, 3.9, 3.8, 4.6, 3.8, 4.1, 4.0, 1.5, 4.9, 4.1, 12.0, 8.0, 4.6, 6.6, 2.7, 2.6, 3.6, 4.1] AS yields_base,
    [0.55, 0.5, 0.3, 0.75, 0.14, 0.4, 0.26, 0.26, 0.28, 0.9, 0.5, 0.6, 0.7, 0.6, 0.35, 0.35, 0.1, 0.8, 0.45, 0.3] AS yields_slope,
    -- Percent a year charged off, in calm times, and added at the depth of a crisis.
    [0.04, 0.04, 0.02, 0.06, 0.03, 0.08, 0.015, 0.03, 0.03, 0.0, 0.06, 0.22, 3.6, 1.8, 0.75, 1.1, 0.0, 0.06, 0.4, 0.2] AS losses_calm,
    [4.2, 3.6, 0.3, 1.6, 0.9, 2.2, 0.6, 0.7, 0.9, 0.05, 0.5, 1.6, 5.0, 2.4, 1.3, 1.6, 0.02, 0.25, 0.9, 0.8] AS losses_crisis,
    states AS
    (
        SELECT
            *,
            (age = 0) AS opening,
            lagInFrame(loans, 1, loans) OVER history AS p_loans,
            lagInFrame(total_loans, 1, total_loans) OVER history AS p_total_loans,
            lagInFrame(total_assets, 1, total_assets) OVER history AS p_total_assets,
            lagInFrame(core_equity, 1, if(opening, 0, core_equity)) OVER history AS p_core_equity,
            lagInFrame(total_equity, 1, if(opening, 0, total_equity)) OVER history AS p_total_equity,
            lagInFrame(aoci, 1, if(opening, 0, aoci)) OVER history AS p_aoci,
            lagInFrame(allowance, 1, if(opening, 0, allowance)) OVER history AS p_allowance,
            lagInFrame(afs_cost, 1, afs_cost) OVER history AS p_afs_cost,
            lagInFrame(htm_cost, 1, htm_cost) OVER history AS p_htm_cost,
            lagInFrame(cash_interest, 1, cash_interest) OVER history AS p_cash_interest,
            lagInFrame(federal_funds_sold + resale_agreements, 1, federal_funds_sold + resale_agreements) OVER history AS p_funds_sold,
            lagInFrame(trading_assets, 1, trading_assets) OVER history AS p_trading_assets,
            lagInFrame(other_transaction, 1, other_transaction) OVER history AS p_other_transaction,
            lagInFrame(savings + money_market, 1, savings + money_market) OVER history AS p_savings,
            lagInFrame(time_small + time_middle, 1, time_small + time_middle) OVER history AS p_time_insured,
            lagInFrame(time_large, 1, time_large) OVER history AS p_time_large,
            lagInFrame(foreign_deposits - foreign_demand, 1, foreign_deposits - foreign_demand) OVER history AS p_foreign,
            lagInFrame(federal_funds_purchased + repurchase_agreements, 1, federal_funds_purchased + repurchase_agreements) OVER history AS p_funds_purchased,
            lagInFrame(fhlb_advances + other_borrowings, 1, fhlb_advances + other_borrowings) OVER history AS p_borrowings,
            lagInFrame(subordinated_debt, 1, subordinated_debt) OVER history AS p_subordinated
        FROM demo_balances
        WHERE rssd_id BETWEEN {from_bank:UInt32} AND {to_bank:UInt32}
        WINDOW history AS (PARTITION BY rssd_id ORDER BY q ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    ),
    averages AS
    (
        SELECT
            *,
            arrayMap((x, p) -> average(x, p), loans, p_loans) AS a_loans,
            arrayMap((x, y, p, r) -> round((x + y + p + r) / 2), afs_cost, htm_cost, p_afs_cost, p_htm_cost) AS a_securities,
            arraySum(a_loans) AS a_total_loans,
            average(total_assets, p_total_assets) AS a_total_assets,
            average(cash_interest, p_cash_interest) AS a_cash_interest,
            average(federal_funds_sold + resale_agreements, p_funds_sold) AS a_funds_sold,
            average(trading_assets, p_trading_assets) AS a_trading,
            average(other_transaction, p_other_transaction) AS a_other_transaction,
            average(savings + money_market, p_savings) AS a_savings,
            average(time_small + time_middle, p_time_insured) AS a_time_insured,
            average(time_large, p_time_large) AS a_time_large,
            average(foreign_deposits - foreign_demand, p_foreign) AS a_foreign,
            average(federal_funds_purchased + repurchase_agreements, p_funds_purchased) AS a_funds_purchased,
            average(fhlb_advances + other_borrowings, p_borrowings) AS a_borrowings,
            average(subordinated_debt, p_subordinated) AS a_subordinated
        FROM states
    ),
    interest AS
    (
        SELECT
            *,
            0.3 + 0.28 * z_margin - 0.35 * failing AS markup,
            arrayMap((x, base, slope) -> x * (base + slope * policy_rate + markup) / 400, a_loans, yields_base, yields_slope) AS i,
            round(i[4] + i[5] + i[6]) AS f_interest_residential,
            round(i[1] + i[2] + i[3] + i[7] + i[8] + i[9]) AS f_interest_other_real_estate,
            round(i[12]) AS f_interest_business,
            round(i[11]) AS f_interest_farm,
            round(i[13]) AS f_interest_cards,
            round(i[14] + i[15] + i[16]) AS f_interest_consumer,
            round(i[10] + i[17] + i[18] + i[19]) AS f_interest_other_loans,
            round(i[20]) AS f_interest_leases,
            round(a_cash_interest * (0.05 + 0.95 * policy_rate) / 400) AS f_interest_cash,
            round((a_securities[1] + a_securities[2]) * (1.3 + 0.4 * policy_rate) / 400) AS f_interest_government,
            round((a_securities[3] + a_securities[4] + a_securities[5]) * (1.8 + 0.32 * policy_rate) / 400) AS f_interest_mortgage_backed,
            round(a_securities[7] * (2.3 + 0.12 * policy_rate) / 400) AS f_interest_municipal,
            round(a_securities[6] * (2.2 + 0.45 * policy_rate) / 400) + f_interest_municipal AS f_interest_other_securities,
            round(a_funds_sold * (0.08 + policy_rate) / 400) AS f_interest_funds_sold,
            round(a_trading * (1.5 + 0.4 * policy_rate) / 400) AS f_interest_trading,
            round(a_total_assets * 0.012 / 400) AS f_interest_other,
            exp(-0.22 * z_core) AS price,                      -- of deposits: a strong franchise pays less
            round(a_other_transaction * (0.06 + 0.17 * policy_rate) * price / 400) AS f_cost_transaction,
            round(a_savings * (0.12 + 0.3 * policy_rate) * price / 400) AS f_cost_savings,
            round(a_time_insured * (0.5 + 0.6 * policy_rate) / 400) AS f_cost_time_insured,
            round(a_time_large * (0.6 + 0.64 * policy_rate) / 400) AS f_cost_time_large,
            round(a_foreign * (0.2 + 0.5 * policy_rate) / 400) AS f_cost_foreign,
            round(a_funds_purchased * (0.15 + policy_rate) / 400) AS f_cost_funds_purchased,
            round(a_borrowings * (0.9 + 0.8 * policy_rate) / 400) AS f_cost_borrowings,
            round(a_subordinated * (3.2 + 0.4 * policy_rate) / 400) AS f_cost_subordinated,
            f_interest_residential + f_interest_other_real_estate + f_interest_business + f_interest_farm + f_interest_cards
                + f_interest_consumer + f_interest_other_loans AS f_interest_loans,
            f_interest_loans + f_interest_leases + f_interest_cash + f_interest_government + f_interest_mortgage_backed
                + f_interest_other_securities + f_interest_funds_sold + f_interest_trading + f_interest_other AS f_interest_income,
            f_cost_transaction + f_cost_savings + f_cost_time_insured + f_cost_time_large + f_cost_foreign
                + f_cost_funds_purchased + f_cost_borrowings + f_cost_subordinated AS f_interest_expense
        FROM averages
    ),
    operations AS
    (
        SELECT
            *,
            a_total_assets / 400 * 0.46 * exp(0.45 * z_fees) * if(business = 'credit card', 5, if(business = 'diversified', 1.5, 1)) AS fees,
            round(if(uniform(cityHash64(h, 'trust')) < if(giant, 0.9, 0.18), fees * 0.4, 0)) AS f_fiduciary,
            round(fees * if(business = 'credit card', 0.02, 0.38)) AS f_service_charges,
            round(a_trading * 0.5 / 400 * (1 + 0.5 * uniform(cityHash64(h, q, 'trading')))) AS f_trading,
            round(if(uniform(cityHash64(h, 'brokerage')) < if(giant, 0.9, 0.22), fees * 0.12, 0)) AS f_brokerage,
            round(if(giant, fees * 0.15, 0)) AS f_investment_banking,
            round(if(uniform(cityHash64(h, 'annuities')) < 0.15, fees * 0.03, 0)) AS f_annuities,
            round(if(uniform(cityHash64(h, 'insurance')) < 0.25, fees * 0.07, 0)) AS f_insurance,
            round(servicing_assets * 0.22 / 4) AS f_servicing,
            round(loans_held_for_sale * 0.11) AS f_loan_sale_gains,
            0 - round(oreo * 0.05 * trouble * uniform(cityHash64(h, q, 'oreo sale'))) AS f_oreo_gains,
            round(if(uniform(cityHash64(h, q, 'asset sale')) < 0.12, fees * 0.06, 0)) AS f_asset_gains,
            round(fees * 0.42) AS f_other_income,
            f_fiduciary + f_service_charges + f_trading + f_brokerage + f_investment_banking + f_annuities + f_insurance
                + f_servicing + f_loan_sale_gains + f_oreo_gains + f_asset_gains + f_other_income AS f_noninterest_income,
            a_total_assets / 400 * clamp(2.08 * exp(0.17 * z_efficiency - 0.03 * z_size + 0.08 * z_margin) + 1.6 * exp(-age / 5), 0.6, 8)
                + if(giant, 0.63, 0.42) * f_noninterest_income + 0.004 * oreo + if(business = 'credit card', 0.006 * a_total_loans, 0) + if(failing > 0, 0.0008 * failing * a_total_assets, 0) AS overhead,
            round(overhead * (0.55 + 0.06 * (uniform(cityHash64(h, 'pay')) - 0.5))) AS f_salaries,
            round(overhead * 0.12) AS f_premises,
            round(other_intangibles * 0.04) AS f_amortization,
            round(overhead * 0.33) AS f_other_expense,
            f_salaries + f_premises + f_amortization + f_other_expense AS f_noninterest_expense,
            greatest(3, round(f_salaries * 4 / (62 + 2.2 * (year - 2001) + 9 * z_size))) AS employees,
            round(if(uniform(cityHash64(h, q, 'sale')) < 0.25, (securities_afs - arraySum(afs_cost)) * 0.03, 0)) AS f_afs_gains,
            round(equity_securities * 0.02 * sin(q * 1.7)) AS f_equity_gains,
            f_interest_income - f_interest_expense + f_noninterest_income - f_noninterest_expense + f_afs_gains + f_equity_gains AS before_provision
        FROM interest
    ),
    losses AS
    (
        SELECT
            *,
            exp(0.6 * z_quality - 0.15) AS loss_badness,
            arrayMap((x, k, calm, crisis) -> round(x * loss_badness * (calm + crisis * trouble) / 400
                * if(uniform(cityHash64(h, q, k, 'loss')) < 0.7 / (1 + x / 60000), 0, 1.2)), a_loans, categories, losses_calm, losses_crisis) AS usual_losses,
            arrayMap((x, k) -> round(x * 0.28 * uniform(cityHash64(h, q, k, 'recovery'))), usual_losses, categories) AS f_recoveries,
            -- A failing bank loses what its equity shows: the charge-offs follow from that.
            greatest(0, p_allowance - allowance + before_provision - (core_equity - p_core_equity) + arraySum(f_recoveries)) AS fatal_losses,
            arraySum(nonaccrual) + total_loans / 1000 AS weight,
            if(failing > 0, arrayMap((x, n) -> round(fatal_losses * (n + x / 1000) / greatest(weight, 1)), loans, nonaccrual), usual_losses) AS f_charge_offs,
            arraySum(f_charge_offs) AS f_total_charge_offs,
            arraySum(f_recoveries) AS f_total_recoveries,
            -- A takeover brings the target's allowance and equity with it.
            if(merger_growth > 0, round(p_allowance * (exp(merger_growth) - 1)), 0) AS f_allowance_adjustments,
            allowance - p_allowance + f_total_charge_offs - f_total_recoveries - f_allowance_adjustments AS f_provision,
            before_provision - f_provision AS f_pretax_income,
            round(multiIf(subchapter_s OR failing > 0, 0, f_pretax_income > 0, greatest(0, f_pretax_income - f_interest_municipal) * if(year < 2018, 0.31, 0.205), f_pretax_income * 0.12)) AS f_taxes,
            f_pretax_income - f_taxes AS f_net_income,
            aoci - p_aoci AS f_other_comprehensive_income,
            if(merger_growth > 0, round(p_core_equity * (exp(merger_growth) - 1)), 0) AS f_combinations,
            core_equity - p_core_equity - f_net_income - f_combinations AS capital_wanted,
            if(preferred_stock > 0 AND failing = 0, round(preferred_stock * 0.06 / 4), 0) AS f_preferred_dividends,
            greatest(0, 0 - capital_wanted - f_preferred_dividends) AS f_common_dividends,
            capital_wanted + f_preferred_dividends + f_common_dividends AS capital_raised,
            if(opening OR subchapter_s OR h % 3 = 0, capital_raised, 0) AS f_stock_issued,
            capital_raised - f_stock_issued AS f_parent_contributions
        FROM operations
    )
SELECT * FROM losses
