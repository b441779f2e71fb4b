const lender = `concat('DEMO', leftPad(toString(rssd_id), 16, '0'))`
const years = `(SELECT groupArray(toUInt16(y)) FROM (SELECT DISTINCT year AS y FROM demo_scenario WHERE filed ORDER BY y DESC LIMIT 6)) AS years`

/** The large banks lend at home and in one more state, in the last six years. */
export const hmdaDemo = `
WITH ${years}
SELECT year AS activity_year, ${lender} AS lender, place.1 AS state, place.2 AS county, purpose, type, deed.1 AS action,
  toUInt64(greatest(1, round(sqrt(final_assets) / 400 * deed.2 * (50 + lot % 100) / 100))) AS loans,
  loans * (150. + lot % 250) AS dollars,
  CAST(if(deed.1 = 'originated', map(toUInt32(150 + lot % 250), loans), map()), 'Map(UInt32, UInt64)') AS amounts
FROM (
  SELECT rssd_id, final_assets, year, place, purpose, type, deed,
    cityHash64({seed:UInt64}, 'mortgages', rssd_id, year, place, purpose, type, deed.1) AS lot
  FROM demo_banks
  ARRAY JOIN years AS year
  ARRAY JOIN if(state = 'TX', [('TX', '48113')], [(state, ''), ('TX', '48113')]) AS place
  ARRAY JOIN ['home_purchase', 'refinancing', 'home_improvement'] AS purpose
  ARRAY JOIN ['conventional', 'fha'] AS type
  ARRAY JOIN [('originated', 6), ('denied', 2), ('withdrawn', 1.5), ('approved_not_accepted', 0.4), ('incomplete', 0.5), ('purchased', 0.8)] AS deed
  WHERE giant AND NOT closed
)`

export const hmdaLendersDemo = `
WITH ${years}
SELECT arrayJoin(years) AS activity_year, ${lender} AS lender, legal_name AS name, city, state, toUInt8(9) AS agency_code,
  rssd_id AS given_rssd_id, 'panel' AS origin, CAST(NULL AS Nullable(UInt32)) AS lines
FROM demo_banks WHERE giant AND NOT closed`
