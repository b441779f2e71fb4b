/**
 * Insiders of the demo's registrants: five of each, with a Form 3 and six Forms 4. Now and then the last amends the one
 * before it, with another price.
 */
const forms = `
SELECT cik, name, tickers, k, nth, nth = 6 AND cik % 4 = k AS amends, nth - amends AS of,
  cityHash64({seed:UInt64}, 'insider', cik, k, of) AS lot,
  concat(leftPad(toString(cik), 10, '0'), '-', substring(toString(toYear(filed_date)), 3), '-', leftPad(toString(k * 10 + nth + 1), 6, '0')) AS accession_number,
  makeDate32(intDiv(last_q, 4), last_q % 4 * 3 + 3, 25) AS last_day,
  addDays(last_day, -toInt32((6 - of) * 110 + lot % 100)) AS first_filed, addDays(first_filed, if(amends, 12, 0)) AS filed_date
FROM (SELECT cik, name, tickers, arrayJoin(range(5)) AS k, arrayJoin(range(7)) AS nth, (SELECT max(q) FROM demo_scenario) AS last_q FROM sec_registrants)`

export const insiderFilingsDemo = `
SELECT accession_number, filed_date, addDays(first_filed, -2) AS period, if(amends, first_filed, NULL) AS original_date,
  multiIf(nth = 0, '3', amends, '4/A', '4') AS form, cik, upper(name) AS issuer, ifNull(tickers[1], '') AS ticker, lot % 11 = 0 AS plan_10b5_1,
  CAST(NULL AS Nullable(String)) AS remarks
FROM (${forms})`

export const insiderOwnersDemo = `
SELECT accession_number, toUInt32(1900000000 + cik % 1000000 * 5 + k) AS owner_cik,
  upper(concat(['Larkin', 'Marsh', 'Osgood', 'Penrose', 'Quill', 'Rusk', 'Sorley'][1 + owner_cik % 7], ' ', ['Avery', 'Blair', 'Casey', 'Drew', 'Ellis'][1 + intDiv(owner_cik, 7) % 5], ' ', char(65 + owner_cik % 26))) AS owner,
  [['Director', 'Officer'], ['Officer'], ['Officer'], ['Director'], ['Director']][k + 1] AS roles,
  nullIf(['Chairman and CEO', 'Chief Financial Officer', 'General Counsel', '', ''][k + 1], '') AS title, CAST(NULL AS Nullable(String)) AS other
FROM (${forms})`

export const insiderLinesDemo = `
WITH ['S', 'S', 'P', 'A', 'M', 'F', 'G'] AS codes
SELECT accession_number, false AS derivative, nth = 0 AS holding, toUInt32(1) AS line, 'Common Stock' AS security,
  if(holding, NULL, addDays(first_filed, -2)) AS date, CAST(NULL AS Nullable(Date32)) AS deemed_date, if(holding, '', codes[1 + intDiv(lot, 5) % 7]) AS code,
  if(holding, NULL, false) AS equity_swap, '' AS timeliness, if(holding, NULL, 100. * (1 + lot % 120)) AS shares, CAST(NULL AS Nullable(Float64)) AS total_value,
  multiIf(holding, NULL, code IN ('A', 'G'), 0, round(12 + cik % 70 + lot % 700 / 100 + if(amends, 0.25, 0), 2)) AS price,
  multiIf(holding, '', code IN ('P', 'A', 'M'), 'A', 'D') AS direction, CAST(NULL AS Nullable(Float64)) AS exercise_price, CAST(NULL AS Nullable(Date32)) AS exercise_date,
  CAST(NULL AS Nullable(Date32)) AS expiration_date, CAST(NULL AS Nullable(String)) AS underlying, CAST(NULL AS Nullable(Float64)) AS underlying_shares,
  20000. + 1500 * k + 100 * of AS shares_after, CAST(NULL AS Nullable(Float64)) AS value_after, 'D' AS ownership, CAST(NULL AS Nullable(String)) AS nature
FROM (${forms})`
