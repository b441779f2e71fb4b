/** Twelve managers of the demo, which hold securities of its registrants at the end of each of its last four quarters. */
const reports = `
SELECT k, nth, toLastDayOfMonth(makeDate32(intDiv(q, 4), q % 4 * 3 + 3, 1)) AS period, addDays(period, 30 + k) AS filed_date, toUInt32(1700000000 + k) AS manager_cik,
  concat(leftPad(toString(manager_cik), 10, '0'), '-', substring(toString(toYear(filed_date)), 3), '-', leftPad(toString(nth + 1), 6, '0')) AS accession_number
FROM (SELECT k, nth, (SELECT max(q) FROM demo_scenario) - nth AS q FROM (SELECT arrayJoin(range(12)) AS k) ARRAY JOIN range(4) AS nth)`

/** A CUSIP that none has: letters of its own in front. */
const cusip = `concat('ZZ', leftPad(toString(cik % 10000), 4, '0'), '100')`

export const demo13fReports = `SELECT accession_number, filed_date, '13F-HR' AS form, manager_cik, period FROM (${reports})`

export const demo13fCovers = `
SELECT accession_number, concat(['Harbor', 'Summit', 'Prairie', 'Keystone', 'Beacon', 'Anchor', 'Granite', 'Cardinal', 'Juniper', 'Meridian', 'Pilot', 'Quarry'][1 + k], [' Asset Management', ' Capital LLC', ' Advisors LP'][1 + k % 3]) AS manager,
  '13F HOLDINGS REPORT' AS report_type, CAST(NULL AS Nullable(UInt32)) AS amendment, '' AS amendment_type
FROM (${reports})`

export const demo13fSecurities = `
SELECT ${cusip} AS cusip, upper(name) AS issuer, toUInt64(48) AS positions FROM sec_registrants LIMIT 1 BY cusip`

export const demo13fPositions = `
SELECT accession_number, toUInt32(row_number() OVER (PARTITION BY accession_number ORDER BY cik)) AS line, ${cusip} AS cusip, 'COM' AS class,
  round(amount * (12 + cik % 70)) AS value, 1000. * (1 + lot % 900) AS amount, 'SH' AS amount_type, '' AS option, ['SOLE', 'DFND'][1 + k % 2] AS discretion,
  if(k % 2 = 0, amount, 0) AS voting_sole, 0. AS voting_shared, amount - voting_sole AS voting_none
FROM (SELECT r.*, s.cik AS cik, cityHash64({seed:UInt64}, '13f', k, s.cik) + r.nth * 7 AS lot FROM (${reports}) AS r CROSS JOIN (SELECT cik FROM sec_registrants) AS s WHERE lot % 4 < 3)`
