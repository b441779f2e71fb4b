/**
 * Offices of the demo's banks: those with a number below the bank's count of offices, at most `MOST_OFFICES`, spread over
 * the towns of its state.
 */
import { quotedList } from '../quoted.ts'

/** The largest banks would have thousands each, and nothing to show that these do not. */
const MOST_OFFICES = 10

/** Roughly the middle of each state: latitude, longitude. */
const MIDDLES: Readonly<Record<string, readonly [number, number]>> = {
  ...{ AL: [32.8, -86.8], AK: [61.4, -149.7], AR: [34.8, -92.4], AZ: [33.6, -111.9], CA: [36.8, -119.8] },
  ...{ CO: [39.4, -104.9], CT: [41.6, -72.7], DC: [38.9, -77.0], DE: [39.3, -75.6], FL: [28.3, -81.6] },
  ...{ GA: [32.9, -83.6], HI: [21.4, -157.9], IA: [42.0, -93.5], ID: [43.6, -115.0], IL: [40.0, -89.3] },
  ...{ IN: [39.8, -86.2], KS: [38.4, -97.8], KY: [37.6, -85.5], LA: [30.6, -91.6], MA: [42.3, -71.9] },
  ...{ MD: [39.2, -76.7], ME: [44.6, -69.6], MI: [43.1, -84.9], MN: [45.3, -94.3], MO: [38.5, -92.6] },
  ...{ MS: [32.6, -89.7], MT: [46.6, -109.6], NC: [35.5, -79.4], ND: [47.3, -99.9], NE: [41.2, -98.5] },
  ...{ NH: [43.3, -71.6], NJ: [40.2, -74.6], NM: [34.6, -106.1], NV: [38.2, -116.9], NY: [42.6, -75.4] },
  ...{ OH: [40.2, -82.7], OK: [35.5, -97.3], OR: [44.4, -122.1], PA: [40.6, -77.5], PR: [18.3, -66.3] },
  ...{ RI: [41.7, -71.5], SC: [33.9, -80.9], SD: [44.2, -99.8], TN: [35.8, -86.6], TX: [31.2, -98.3] },
  ...{ UT: [39.9, -111.7], VA: [37.7, -78.4], VT: [44.2, -72.6], WA: [47.3, -120.9], WI: [44.0, -89.8] },
  ...{ WV: [38.8, -80.7], WY: [42.4, -106.4] },
}

const middle = (at: 0 | 1): string => {
  const values = Object.values(MIDDLES).map((place) => place[at])
  return `transform(b.state, ${quotedList(Object.keys(MIDDLES))}, [${values}], 0.)`
}

/** `rssd_id, cert, number, uninum, …`: an office a row, the main office with the number 0. */
export const demoOffices = `
SELECT
    b.rssd_id AS rssd_id, b.cert AS cert, b.legal_name AS bank_name, b.charter_class AS charter_class, b.final_assets AS size,
    b.holding_company_rssd_id AS holding_company_rssd_id,
    toUInt32(number) AS number, number = 0 AS main, cityHash64(b.h, 'office', number) AS n,
    toUInt32(9000000 + b.i * 100 + number) AS uninum,
    if(main, (b.city, b.county, b.zip, b.cbsa_code, b.cbsa_name), t.towns[1 + n % length(t.towns)]) AS town,
    town.1 AS city, town.2 AS county, town.3 AS zip, town.4 AS cbsa_code, town.5 AS cbsa_name, b.state AS state,
    if(main, b.address, concat(toString(1 + n % 4999), ' ', ['Main', 'Market', 'Oak', 'Second', 'Park', 'Lake', 'Hill', 'Washington'][1 + n % 8], [' Street', ' Avenue', ' Road'][1 + intDiv(n, 8) % 3])) AS address,
    if(main, b.legal_name, concat(city, [' Branch', ' North Branch', ' South Branch', ' Plaza Branch', ' Mall Branch'][1 + intDiv(n, 32) % 5])) AS name,
    toUInt8(if(main OR n % 50 < 45, 11, if(n % 2 = 0, 12, 29))) AS service_type,
    -- towns lie apart, and offices in them a little
    round(${middle(0)} + cityHash64(city) % 200 / 100 - 1 + n % 1000 / 10000, 5) AS latitude,
    round(${middle(1)} + intDiv(cityHash64(city), 200) % 200 / 100 - 1 + intDiv(n, 1000) % 1000 / 10000, 5) AS longitude,
    toString(toDate32(b.established_date) + if(main, 0, 200 + n % 12000)) AS established_date
FROM demo_banks AS b
INNER JOIN (
    SELECT state, groupArray((city, county, zip, cbsa_code, cbsa_name)) AS towns FROM demo_places GROUP BY state
) AS t ON t.state = b.state
ARRAY JOIN range(toUInt64(least(${MOST_OFFICES}, greatest(1, round(b.final_assets / 110000))))) AS number`
