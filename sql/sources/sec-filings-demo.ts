/**
 * Filings of the demo's registrants over the quarters that its banks file: annual and quarterly reports, proxies, reports of
 * events, insiders' and owners' reports; now and then a restatement, a late report or a merger.
 */
export const secFilingsDemo = `
SELECT cik, concat(leftPad(toString(cik), 10, '0'), '-', formatDateTime(filed_date, '%y'), '-', leftPad(toString(q * 100 + nth), 6, '0')) AS accession_number,
  kind.1 AS form, ended + kind.2 + toInt32(lot % 5) AS filed_date,
  if(form IN ('10-K', '10-K/A'), makeDate32(toYear(ended), 12, 31), if(startsWith(form, '8-K'), filed_date - 1, if(startsWith(form, '10-Q'), ended, NULL))) AS report_date,
  toDateTime(filed_date, 'UTC') + 50400 + lot % 28800 AS accepted, kind.3 AS items,
  concat(lower(replaceAll(form, '/', '')), '-', formatDateTime(filed_date, '%Y%m%d'), '.htm') AS primary_document, form AS description,
  if(form IN ('10-K', '10-Q', '8-K'), concat('001-', leftPad(toString(cik % 99991), 5, '0')), NULL) AS file_number, CAST(NULL AS Nullable(String)) AS film_number,
  if(startsWith(form, '424') OR startsWith(form, 'S-'), '33', '34') AS act, 20000 + lot % 4000000 AS size, form IN ('10-K', '10-Q') AS xbrl
FROM (
  SELECT cik, q, makeDate32(intDiv(q + 1, 4), (q + 1) % 4 * 3 + 1, 1) - 1 AS ended, q % 4 AS quarter, cityHash64({seed:UInt64}, 'files', cik, q) AS h,
    -- of the largest holders each happens once in eight quarters
    if(cik % 1000 = 0, q % 8, 0) AS seen,
    arrayFilter(one -> one.1 != '', [
      (if(quarter = 3, '10-K', '10-Q'), 38, []),
      ('8-K', 18, ['2.02', '9.01']),
      ('8-K', 24, [['7.01', '8.01', '5.07', '1.01', '5.03', '8.01'][1 + h % 6], '9.01']),
      ('4', 45, []), ('4', 52, []),
      (if(h % 3 = 0, '4', ''), 60, []),
      (if(quarter = 0, 'DEF 14A', ''), 2, []),
      (if(quarter = 3, 'SC 13G/A', ''), 44, []),
      (if(quarter = 3, 'SCHEDULE 13G', ''), 43, []),
      (if(h % 5 = 0, '8-K', ''), 30, ['5.02', '9.01']),
      (if(h % 17 = 0 OR seen = 1, '8-K', ''), 33, ['4.01', '9.01']),
      (if(h % 53 = 0 OR seen = 3, '8-K', ''), 35, ['4.02']),
      (if(h % 53 = 0 OR seen = 3, if(quarter = 3, '10-K/A', '10-Q/A'), ''), 66, []),
      (if(h % 29 = 0 OR seen = 5, if(quarter = 3, 'NT 10-K', 'NT 10-Q'), ''), 34, []),
      (if(h % 37 = 0 OR seen = 7, '425', ''), 20, []),
      (if(h % 37 = 0 OR seen = 7, 'S-4', ''), 50, []),
      (if(h % 37 = 0 OR seen = 7, '8-K', ''), 70, ['2.01', '9.01']),
      (if(h % 4 = 0, '424B2', ''), 12, [])]) AS kinds
  FROM sec_registrants CROSS JOIN (SELECT q FROM demo_scenario WHERE filed) AS quarters
)
ARRAY JOIN kinds AS kind, arrayEnumerate(kinds) AS nth, arrayMap(n -> cityHash64(h, n), arrayEnumerate(kinds)) AS lot`
