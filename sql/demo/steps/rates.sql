-- Invented interest rates of the demo universe, each business day of its quarters, from the same policy rate that
-- its banks' yields and costs follow (flows.sql): deposit rates are what its banks pay on average, and the curve
-- lies above the policy rate when that is low and below it when that is high.
INSERT INTO observations (series, date, value, revision, learnt_at, replaced_at, watched_since, file_sha256)
WITH
    quarters AS
    (
        SELECT s.report_date AS quarter_end, toStartOfQuarter(s.report_date) AS quarter_start,
            b.policy_rate AS policy_before, s.policy_rate AS policy_after, b.stress AS stress_before, s.stress AS stress_after
        FROM demo_scenario AS s INNER JOIN demo_scenario AS b ON b.q = s.q - 1
    ),
    days AS
    (
        SELECT arrayJoin(range(toUInt32(quarter_start), toUInt32(quarter_end) + 1)) AS n, toDate(n) AS day,
            (n - toUInt32(quarter_start) + 1) / (toUInt32(quarter_end) - toUInt32(quarter_start) + 1) AS way,
            policy_before + (policy_after - policy_before) * way AS policy,
            stress_before + (stress_after - stress_before) * way AS stress,
            {seed:UInt32} % 997 AS phase,
            0.14 * sin(n / 41 + phase) + 0.09 * sin(n / 17 + 2 * phase) + 0.03 * sin(n / 5.3 + 3 * phase) AS drift,
            2.3 + 0.42 * policy + 0.5 * stress + drift AS anchor,           -- where the long end lies
            toDayOfMonth(day) AS of_month, toMonth(day) AS month, toDayOfWeek(day) AS weekday
        FROM quarters
    ),
    business AS
    (
        SELECT *, row_number() OVER (PARTITION BY toStartOfMonth(day) ORDER BY day) AS nth
        FROM days
        WHERE weekday <= 5
            AND NOT (month = 1 AND of_month = 1) AND NOT (month = 7 AND of_month = 4) AND NOT (month = 12 AND of_month = 25)
            AND NOT (month = 6 AND of_month = 19) AND NOT (month = 11 AND of_month = 11)
            AND NOT (month = 1 AND weekday = 1 AND of_month BETWEEN 15 AND 21) AND NOT (month = 2 AND weekday = 1 AND of_month BETWEEN 15 AND 21)
            AND NOT (month = 5 AND weekday = 1 AND of_month >= 25) AND NOT (month = 9 AND weekday = 1 AND of_month <= 7)
            AND NOT (month = 10 AND weekday = 1 AND of_month BETWEEN 8 AND 14) AND NOT (month = 11 AND weekday = 4 AND of_month BETWEEN 22 AND 28)
    ),
    told AS
    (
        WITH
            months -> greatest(0.01, policy + 0.35 * drift * (1 - exp(-months / 12)) + (anchor - policy) * (1 - exp(-months / 38)) + 0.25 * (1 - exp(-months / 200))) AS par,
            months -> (0.3 + 0.6 * policy) * (0.45 + 0.55 * (1 - exp(-months / 9))) AS cd     -- a certificate of deposit
        SELECT day, arrayJoin(arrayConcat(
            -- each business day
            arrayMap((tenor, months) -> (concat('UST_PAR_', tenor), par(months)),
                ['1M', '1.5M', '2M', '3M', '4M', '6M', '1Y', '2Y', '3Y', '5Y', '7Y', '10Y', '20Y', '30Y'], [1, 1.5, 2, 3, 4, 6, 12, 24, 36, 60, 84, 120, 240, 360]),
            arrayMap((tenor, months) -> (concat('UST_REAL_', tenor), par(months) - 2.1 + 0.6 * stress - 0.04 * log2(months / 60 + 1)),
                ['5Y', '7Y', '10Y', '20Y', '30Y'], [60, 84, 120, 240, 360]),
            arrayMap((tenor, weeks) -> (concat('UST_BILL_DISCOUNT_', tenor), greatest(0.01, 100 * 360 / (weeks * 7) * (1 - 1 / (1 + par(weeks / 4.345) / 100 * weeks * 7 / 365)))),
                ['4W', '6W', '8W', '13W', '17W', '26W', '52W'], [4, 6, 8, 13, 17, 26, 52]),
            arrayMap((tenor, weeks) -> (concat('UST_BILL_COUPON_', tenor), par(weeks / 4.345)),
                ['4W', '6W', '8W', '13W', '17W', '26W', '52W'], [4, 6, 8, 13, 17, 26, 52]),
            [
                ('DFF', policy), ('SOFR', greatest(0.01, policy - 0.03)), ('DPRIME', policy + 3),
                ('T10Y2Y', round(par(120), 2) - round(par(24), 2)), ('T10Y3M', round(par(120), 2) - round(par(3), 2)),
                ('T5YIE', 2.1 - 0.6 * stress + 0.04), ('T10YIE', 2.1 - 0.6 * stress + 0.04 * log2(3)),
                ('BAA10Y', 1.5 + 3.4 * stress), ('VIXCLS', 13 + 38 * stress * stress + 12 * abs(drift))
            ],
            -- Thursdays
            if(weekday = 4, [('PMMS_30Y', par(120) + 1.75 + 0.4 * stress), ('PMMS_15Y', par(84) + 1.2 + 0.4 * stress)], []),
            -- the first business day of a month
            if(nth = 1,
                arrayConcat(
                    arrayMap((product, rate) -> (concat('FDIC_RATE_', product), rate),
                        ['SAVINGS', 'INTEREST_CHECKING', 'MONEY_MARKET'], [0.12 + 0.1 * policy, 0.06 + 0.03 * policy, 0.12 + 0.3 * policy]),
                    arrayMap((product, rate) -> (concat('FDIC_CAP_', product), greatest(rate, policy) + 0.75),
                        ['SAVINGS', 'INTEREST_CHECKING', 'MONEY_MARKET'], [0.12 + 0.1 * policy, 0.06 + 0.03 * policy, 0.12 + 0.3 * policy]),
                    arrayMap(months -> (concat('FDIC_RATE_CD_', toString(months), 'M'), cd(months)), [1, 3, 6, 12, 24, 36, 48, 60]),
                    arrayMap(months -> (concat('FDIC_TREASURY_CD_', toString(months), 'M'), par(months)), [1, 3, 6, 12, 24, 36, 48, 60]),
                    arrayMap(months -> (concat('FDIC_CAP_CD_', toString(months), 'M'), greatest(cd(months), 1.2 * par(months)) + 0.75), [1, 3, 6, 12, 24, 36, 48, 60]),
                    [('UNRATE', 3.8 + 5.5 * stress), ('CPIAUCSL', 170 * exp(0.0021 * dateDiff('month', toDate('2000-01-01'), day)))]),
                []),
            -- quarterly: G.19 in the middle month, the economy in the first
            if(nth = 1 AND month % 3 = 2,
                [
                    ('TERMCBCCALLNS', 11.5 + 0.9 * policy + 1.5 * stress), ('TERMCBCCINTNS', 12.1 + 0.9 * policy + 1.7 * stress), ('TERMCBPER24NS', 9.4 + 0.35 * policy + stress),
                    ('RIFLPBCIANM60NM', 3.6 + 0.6 * policy + 0.4 * stress), ('RIFLPBCIANM72NM', 3.9 + 0.6 * policy + 0.4 * stress)
                ],
                []),
            if(nth = 1 AND month % 3 = 1, [('GDPC1', 13000 * exp(0.0055 * dateDiff('quarter', toDate('2000-01-01'), day)) * (1 - 0.03 * stress))], [])
        )) AS pair
        FROM business
    )
SELECT pair.1 AS series, toDate32(day) AS date, round(pair.2, 2) AS value, 1 AS revision,
    toDateTime64(day, 3, 'UTC') + toIntervalHour(22) AS learnt_at, toDateTime64('2200-01-01 00:00:00', 3, 'UTC') AS replaced_at,
    toDateTime64((SELECT min(day) FROM business), 3, 'UTC') + toIntervalHour(22) AS watched_since, '' AS file_sha256
FROM told
