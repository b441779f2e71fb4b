-- One row a bank: who it is, what it does, when it opens and ends. `i` is its number, the giants first,
-- the closed banks last. Sizes: a power law for the giants, log-normal below them.
CREATE TABLE demo_banks
ENGINE = MergeTree ORDER BY rssd_id
AS WITH
    -- The sum of four uniforms, standardised: a normal deviate of one hash, cut at 3.5 deviations.
    (h) -> ((bitAnd(h, 65535) + bitAnd(bitShiftRight(h, 16), 65535) + bitAnd(bitShiftRight(h, 32), 65535) + bitShiftRight(h, 48)) / 65536 - 2) * 1.7320508 AS normal,
    (h) -> (h % 1000003) / 1000003 AS uniform,
    assumeNotNull((SELECT min(q) FROM demo_scenario WHERE filed)) AS first_q,
    assumeNotNull((SELECT max(q) FROM demo_scenario)) AS last_q,
    (SELECT groupArray(stress) FROM (SELECT stress FROM demo_scenario WHERE filed ORDER BY q)) AS stress_by_quarter,
    {live:UInt32} AS live,
    greatest(4, intDiv({live:UInt32}, 75)) AS giants,
    ['NY', 'NC', 'SD', 'NY', 'OH', 'PA', 'GA', 'VA', 'CA', 'MN', 'TX', 'MA'] AS giant_states,
    (SELECT groupArray((state, s)) FROM (SELECT state, sum(any(weight)) OVER (ORDER BY state) AS s FROM demo_places GROUP BY state ORDER BY state)) AS state_ladder,
    (SELECT CAST((groupArray(state), groupArray(n)), 'Map(String, UInt64)') FROM (SELECT state, count() AS n FROM demo_places GROUP BY state)) AS towns,
    ['community', 'agricultural', 'commercial real estate', 'mortgage', 'commercial', 'consumer', 'credit card', 'diversified'] AS businesses,
    -- Loans by kind, percent: construction 1-4, other construction, farmland, heloc, first, junior, multifamily, owner-occ, other nonfarm, to banks, farm, C&I, cards, revolving, auto, other consumer, municipal, nonbank financial, other, leases
    [
        [2.5, 5.5, 6, 3, 20, 1, 3.5, 11, 16, 0.1, 5, 14, 0.2, 0.4, 3, 3, 1.5, 0.3, 0.8, 0.6],      -- community
        [1, 2, 24, 0.8, 10, 0.5, 0.8, 5, 5, 0.1, 30, 10, 0.1, 0.2, 3, 3, 1.5, 0.1, 0.6, 0.3],      -- agricultural
        [5, 12, 1.5, 2.5, 9, 0.5, 9, 14, 30, 0.1, 0.6, 11, 0.1, 0.3, 0.6, 1, 0.8, 0.5, 0.7, 0.3],  -- commercial real estate
        [2, 2, 0.3, 6, 58, 1.5, 8, 4, 9, 0, 0.2, 3, 0.1, 0.3, 1.5, 1.2, 0.4, 0.1, 0.3, 0.1],       -- mortgage
        [2, 6, 1.5, 2.5, 9, 0.6, 4, 9, 16, 0.2, 1.5, 33, 0.5, 1, 2, 2, 2, 2.5, 2, 3],              -- commercial
        [0.5, 1, 0.5, 3, 14, 1, 0.5, 2, 3, 0, 0.3, 6, 2, 6, 35, 20, 0.3, 0.3, 0.5, 1],             -- consumer
        [0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 3, 85, 5, 0.5, 4, 0, 0.5, 0.5, 0.5],                   -- credit card
        [0.8, 3, 0.5, 4, 18, 0.8, 3.5, 2.5, 7, 0.8, 0.6, 22, 10, 2, 7, 5, 2, 9, 4, 2]              -- diversified
    ] AS mixes,
    -- Of a hundred banks without a specialty, how many hold none of a kind.
    [10, 10, 18, 28, 2, 18, 20, 7, 8, 95, 25, 4, 82, 40, 15, 5, 45, 80, 35, 84] AS absences,
    ['Alder', 'Amber', 'Ash', 'Bell', 'Birch', 'Briar', 'Brook', 'Cedar', 'Clay', 'Clover', 'Copper', 'Crane', 'Dove', 'Elder', 'Elm', 'Ember', 'Fair', 'Fallow', 'Fern', 'Flint', 'Fox', 'Gale', 'Glen', 'Granite', 'Harrow', 'Haven', 'Hazel', 'Heather', 'Heron', 'Iron', 'Juniper', 'Kestrel', 'Larch', 'Lark', 'Linden', 'Maple', 'Marl', 'Meadow', 'Mill', 'Moss', 'Oat', 'Otter', 'Pebble', 'Quarry', 'Raven', 'Reed', 'Rowan', 'Sable', 'Sage', 'Slate', 'Sorrel', 'Stone', 'Tallow', 'Tarn', 'Thistle', 'Umber', 'Vale', 'Willow', 'Wren', 'Yarrow', 'Zephyr'] AS beginnings,
    ['abbey', 'acre', 'bank', 'barrow', 'borough', 'bridge', 'burn', 'by', 'combe', 'cote', 'croft', 'dale', 'den', 'fell', 'field', 'fold', 'ford', 'garth', 'gate', 'grove', 'ham', 'hollow', 'holt', 'hurst', 'keep', 'land', 'leigh', 'mere', 'mont', 'moor', 'ness', 'reach', 'ridge', 'rise', 'shaw', 'spring', 'stead', 'stoke', 'thorpe', 'ton', 'vale', 'view', 'wade', 'water', 'wick', 'wold', 'worth'] AS endings
SELECT
    i, h, giant, state, city, county, zip, cbsa_code, cbsa_name,
    -- Real RSSD IDs have at most 7 digits and real certificates at most 5: nobody can take these for real.
    toUInt32(90000000 + (i * 7919 + 13) % 99991) AS rssd_id,
    toUInt32(900000 + (i * 6007 + 29) % 99991) AS cert,
    i >= live AS closed,

    -- When it opens and ends.
    if(closed, least(first_q + toInt32(uniform(cityHash64(h, 'close')) * (last_q - first_q)), last_q - 1), last_q) AS close_q,
    multiIf(not closed, 'none', uniform(cityHash64(h, 'exit')) < 0.03 + 0.45 * stress_by_quarter[greatest(close_q - first_q, 0) + 1], 'failure', 'merger') AS exit,
    -- Every hundredth of the live banks is in trouble, the last in any case: it would fail one to nine quarters after the latest.
    not closed and not giant and (live - 1 - i) % 100 = 0 AS ailing,
    multiIf(exit = 'failure', close_q, ailing, last_q + 1 + intDiv(live - 1 - i, 100) % 9, NULL) AS fails_q,
    if(not giant and uniform(cityHash64(h, 'new')) < 0.06, first_q + 1 + toInt32(uniform(cityHash64(h, 'open')) * (close_q - first_q) * 0.9), first_q - 400) AS open_q,
    open_q > first_q AS de_novo,
    toDate32(if(de_novo, makeDate32(intDiv(open_q, 4), open_q % 4 * 3 + 1, 15 + h % 13), makeDate32(least(1900 + toInt32(pow(uniform(cityHash64(h, 'age')), 1.4) * 110), intDiv(first_q, 4) - 2), 1 + h % 12, 1 + h % 28))) AS established_date,

    -- Where it is.
    state IN ('IA', 'IL', 'KS', 'MN', 'MO', 'NE', 'ND', 'SD', 'OK', 'WI', 'MT') AS farm_belt,
    state IN ('CA', 'FL', 'GA', 'NY', 'WA', 'NV', 'AZ', 'NC', 'VA', 'MD', 'NJ') AS builders_belt,
    state IN ('MA', 'CT', 'NH', 'ME', 'NJ', 'NY', 'PA') AS thrift_belt,

    -- What it does.
    uniform(cityHash64(h, 'business')) AS u,
    multiIf(
        giant and i < giants / 2, 'diversified',
        giant, if(u < 0.15, 'credit card', if(u < 0.3, 'consumer', 'diversified')),
        u < if(farm_belt, 0.38, 0.06), 'agricultural',
        u < if(farm_belt, 0.42, if(builders_belt, 0.5, 0.2)), 'commercial real estate',
        u < if(thrift_belt, 0.55, if(farm_belt, 0.48, 0.52)), 'mortgage',
        u > 0.996, 'credit card', u > 0.98, 'consumer', u > 0.9, 'commercial', 'community') AS business,
    indexOf(businesses, business) AS business_no,

    -- How large: total assets at its last quarter, thousands of dollars.
    multiIf(
        i < 4 and giant, [3900000000, 2600000000, 1850000000, 1700000000][i + 1],
        giant, 640000000 * pow(5 / (i + 1) * 60 / giants, if(giants < 20, 0.9, 1.25)) * exp(0.05 * normal(cityHash64(h, 'size'))),
        8500 + exp(if(closed, if(exit = 'failure', 12.4, 12.2), 12.72) + if(business = 'agricultural', -0.45, if(business = 'commercial', 0.7, 0)) + if(closed, 1.15, 1.3) * normal(cityHash64(h, 'size')))) AS final_assets,
    if(giant, 0.011, 0.0085) + 0.0035 * normal(cityHash64(h, 'trend')) AS growth_trend,

    -- Temper: standard normal deviates, some of them correlated with size.
    least((log(final_assets) - 12.7) / 1.35, 3) AS z_size,
    if(exit = 'failure' or ailing, 0.9, 0) + normal(cityHash64(h, 'quality')) AS z_quality,
    normal(cityHash64(h, 'capital')) - 0.25 * z_size AS z_capital,
    normal(cityHash64(h, 'efficiency')) AS z_efficiency,
    normal(cityHash64(h, 'margin')) - 0.15 * z_size AS z_margin,
    normal(cityHash64(h, 'loans')) AS z_loans,
    normal(cityHash64(h, 'core')) - 0.3 * z_size AS z_core,
    normal(cityHash64(h, 'wholesale')) + 0.35 * z_size AS z_wholesale,
    normal(cityHash64(h, 'fees')) + 0.3 * z_size AS z_fees,
    normal(cityHash64(h, 'duration')) AS z_duration,
    not giant and final_assets < 8e6 and uniform(cityHash64(h, 'cblr')) < 0.42 AS elects_cblr,
    not giant and final_assets < 5e6 and uniform(cityHash64(h, 'subs')) < 0.36 AS subchapter_s,

    -- What it lends for, what it holds, and what it borrows from depositors: relative weights.
    arrayMap((k, w, absent) -> w
        * if(not giant and (w < 4 or business = 'community') and uniform(cityHash64(h, 'holds', k)) * 100 < absent, 0, 1)
        * exp(0.42 * normal(cityHash64(h, 'mix', k))), range(1, 21), mixes[business_no], absences) AS loan_mix,
    -- Treasuries, agencies, agency pass-throughs, agency CMOs, commercial MBS, other debt, municipals.
    arrayMap((w, k) -> w * exp(0.5 * normal(cityHash64(h, 'paper', k))), [12, 18, 26, 16, 8, 6, 14], range(7)) AS paper_mix,
    -- Demand, other transaction, savings, money market, time to $100 thousand, to $250 thousand, above.
    arrayMap((w, k) -> w * exp(0.35 * normal(cityHash64(h, 'deposit', k))), [19, 13, 20, 17, 9, 13, 7], range(7)) AS deposit_mix,

    -- Charter and who supervises it.
    uniform(cityHash64(h, 'charter')) AS u_charter,
    multiIf(
        business = 'mortgage', if(u_charter < 0.45, 'SA', if(u_charter < 0.85, 'SB', 'NM')),
        i < giants, if(u_charter < 0.62, 'N', if(u_charter < 0.85, 'SM', 'NM')),
        u_charter < 0.19, 'N', u_charter < 0.36, 'SM', 'NM') AS charter_class,
    multiIf(charter_class IN ('N', 'SA'), 'OCC', charter_class = 'SM', 'FED', 'FDIC') AS regulator,
    charter_class IN ('SA', 'SB') and not giant and uniform(cityHash64(h, 'mutual')) < 0.5 AS mutual,
    multiIf(i < greatest(3, intDiv(live * 155, 10000)), '031', final_assets > 5e6 or uniform(cityHash64(h, 'form')) < 0.17, '041', '051') AS own_form,

    -- What it is called. The number in mixed radix makes the names differ from each other.
    (i * 1009 + 7) % (length(beginnings) * length(endings)) AS n,
    beginnings[n % length(beginnings) + 1] AS beginning,
    endings[intDiv(n, length(beginnings)) + 1] AS ending,
    if(substring(ending, 1, 1) = substring(beginning, -1), concat(beginning, ' ', upper(substring(ending, 1, 1)), substring(ending, 2)), concat(beginning, ending)) AS word,
    intDiv(i * 1009 + 7, length(beginnings) * length(endings)) % 3 AS style,
    multiIf(
        charter_class = 'N' and giant, concat(word, [' Bank, National Association', ' Bank NA', ' National Banking Association'][style + 1]),
        charter_class = 'N', concat(word, [' National Bank', ' First National Bank', ' Community Bank, National Association'][style + 1]),
        charter_class = 'SA', concat(word, [' Federal Savings Bank', ' Savings, FSB', ' Federal Savings and Loan'][style + 1]),
        charter_class = 'SB', concat(word, [' Savings Bank', ' Co-operative Bank', ' Savings'][style + 1]),
        concat(word, [' State Bank', ' Bank and Trust Company', ' Bank'][style + 1])) AS legal_name,
    if(mutual or uniform(cityHash64(h, 'holding')) > 0.86, NULL, toUInt32(95000000 + if(i < 600, i, 600 + i % 3100))) AS holding_company_rssd_id,
    concat(toString(1 + cityHash64(h, 'street') % 999), ' ', ['Main', 'Market', 'Commerce', 'First', 'Court', 'Mill', 'Church', 'Depot', 'Union', 'Washington'][1 + h % 10], ' Street') AS address
FROM
(
    SELECT
        toUInt32(number) AS i,
        cityHash64({seed:UInt64}, i) AS h,
        i < giants AS giant,
        arrayFirst(s -> s.2 > uniform(cityHash64(h, 'state')) * state_ladder[-1].2, state_ladder).1 AS drawn_state,
        if(giant and i < length(giant_states), giant_states[i + 1], drawn_state) AS state,
        if(giant, 1, 1 + cityHash64(h, 'town') % towns[state]) AS town
    FROM numbers({live:UInt32} + {closed:UInt32})
) AS bank
INNER JOIN demo_places AS place ON place.state = bank.state AND place.town = bank.town
