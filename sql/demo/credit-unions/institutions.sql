-- One row a credit union of the demo: who it is, when it opens and ends, and its temper. The largest come first, those
-- that close last.
CREATE TABLE demo_credit_unions
ENGINE = MergeTree ORDER BY cu_number
AS WITH
    (h) -> ((bitAnd(h, 65535) + bitAnd(bitShiftRight(h, 16), 65535) + bitAnd(bitShiftRight(h, 32), 65535) + bitShiftRight(h, 48)) / 65536 - 2) * 1.7320508 AS normal,
    (h) -> (h % 1000003) / 1000003 AS uniform,
    intDiv({live:UInt32} * 4300, 4500) AS live_count,
    intDiv({closed:UInt32} * 2000, 2500) AS closed_count,
    assumeNotNull((SELECT min(q) FROM demo_scenario WHERE filed)) AS first_q,
    assumeNotNull((SELECT max(q) FROM demo_scenario)) AS last_q,
    (SELECT groupArray((state, s)) FROM (SELECT state, sum(any(weight)) OVER (ORDER BY state) AS s FROM demo_places GROUP BY state ORDER BY state)) AS state_ladder,
    (SELECT CAST((groupArray(state), groupArray(n)), 'Map(String, UInt64)') FROM (SELECT state, count() AS n FROM demo_places GROUP BY state)) AS towns,
    ['Alder', 'Amber', 'Beacon', 'Birch', 'Bluff', 'Brook', 'Canyon', 'Cedar', 'Clover', 'Copper', 'Coral', 'Crest', 'Delta', 'Ember', 'Fern', 'Flint', 'Garnet', 'Glen', 'Granite', 'Harbor', 'Hazel', 'Heron', 'Iron', 'Juniper', 'Kestrel', 'Lark', 'Linden', 'Maple', 'Meadow', 'Mesa', 'Mill', 'Oak', 'Orchard', 'Osprey', 'Pine', 'Prairie', 'Quarry', 'Raven', 'Ridge', 'River', 'Rowan', 'Sage', 'Slate', 'Spruce', 'Stone', 'Summit', 'Tern', 'Thistle', 'Timber', 'Valley', 'Willow', 'Wren', 'Yarrow'] AS words,
    ['Teachers', 'Firefighters', 'County Employees', 'Postal', 'Steelworkers', 'Medical', 'Railroad', 'Parish', 'Municipal', 'Telephone', 'Community', 'Members', 'University', 'Utilities', 'Workers', 'Neighbors', 'Cooperative', 'Transit', 'Farmers', 'Services'] AS bonds
SELECT
    i, h,
    -- Charter numbers of NCUA have at most 5 digits: nobody can take these for real.
    toUInt32(900000 + (i * 7919 + 13) % 99991) AS cu_number,
    place.state AS state, place.city AS city, place.county AS county, place.zip AS zip,
    i >= live_count AS closed,
    toInt32(if(closed, least(first_q + toInt32(uniform(cityHash64(h, 'close')) * (last_q - first_q)), last_q - 1), last_q)) AS close_q,
    toInt32(if(uniform(cityHash64(h, 'new')) < 0.01, first_q + toInt32(uniform(cityHash64(h, 'open')) * (close_q - first_q)), 0)) AS open_q,
    concat(words[i % length(words) + 1], ' ', bonds[intDiv(i, length(words)) % length(bonds) + 1], if(i < length(words) * length(bonds), '', concat(' ', toString(intDiv(i, length(words) * length(bonds)) + 1)))) AS legal_name,
    if(uniform(cityHash64(h, 'charter')) < 0.62, '1', '2') AS charter_type,
    uniform(cityHash64(h, 'income')) < 0.55 AS low_income,
    uniform(cityHash64(h, 'minority')) < 0.1 AS minority,
    if(open_q = 0, toUInt32(1934 + toInt32(pow(uniform(cityHash64(h, 'age')), 1.6) * 70)), toUInt32(intDiv(open_q, 4))) AS year_opened,
    concat(toString(1 + cityHash64(h, 'street') % 999), ' ', ['Main', 'Market', 'Commerce', 'First', 'Mill', 'Church', 'Union'][1 + h % 7], ' Street') AS address,

    -- Total assets at the last quarter, thousands of dollars.
    if(i < 5 AND NOT closed, [197000000, 61000000, 33000000, 27000000, 23000000][i + 1], 250 + exp(if(closed, 9.6, 11.05) + if(closed, 1.5, 2) * normal(cityHash64(h, 'size')))) AS final_assets,
    least((log(final_assets) - 11) / 2, 3) AS z_size,
    0.010 + 0.004 * z_size + 0.006 * normal(cityHash64(h, 'trend')) AS trend,
    normal(cityHash64(h, 'capital')) AS z_capital,
    normal(cityHash64(h, 'quality')) AS z_quality,
    normal(cityHash64(h, 'loans')) AS z_loans,
    normal(cityHash64(h, 'cost')) AS z_cost,
    normal(cityHash64(h, 'margin')) AS z_margin,
    uniform(cityHash64(h, 'borrows')) AS u_borrows,
    uniform(cityHash64(h, 'cash')) AS u_cash,
    uniform(cityHash64(h, 'members')) AS u_members,
    -- Relative weights. Of loans: cards, unsecured, payday alternative, student, new and used vehicles, leases, other
    -- secured, first liens, junior liens, other real estate, commercial with and without real estate. The small ones hold no
    -- mortgages and lend to no business.
    arrayMap((w, k, least) -> if(final_assets < least, 0, w * exp(0.6 * normal(cityHash64(h, 'mix', k)))),
        [4, 7, 0.1, 0.5, 13, 24, 0.3, 5, 28, 10, 0.2, 6, 0.6], range(13),
        [8000, 0, 20000, 100000, 0, 0, 200000, 0, 12000, 12000, 60000, 80000, 120000]) AS loan_mix,
    -- Of shares: drafts, regular, money market, certificates, retirement, other, of nonmembers.
    arrayMap((w, k, least) -> if(final_assets < least, 0, w * exp(0.4 * normal(cityHash64(h, 'share', k)))),
        [16, 38, 14, 25, 6, 1, 1], range(7), [5000, 0, 20000, 5000, 10000, 0, 150000]) AS share_mix
FROM
(
    SELECT
        toUInt32(number) AS i,
        cityHash64({seed:UInt64}, 'credit union', number) AS h,
        arrayFirst(s -> s.2 > uniform(cityHash64(h, 'state')) * state_ladder[-1].2, state_ladder).1 AS state,
        1 + cityHash64(h, 'town') % towns[state] AS town
    FROM numbers(live_count + closed_count)
) AS one
INNER JOIN demo_places AS place ON place.state = one.state AND place.town = one.town
