/** Two holders of each of the demo's registrants: one that files on Schedule 13G, and of one in six an activist on 13D. */
export const beneficialOwnersDemo = `
SELECT concat('0001700', leftPad(toString(k), 3, '0'), '-', substring(toString(toYear(filed_date)), 3), '-', leftPad(toString(cik % 100000), 6, '0')) AS accession_number,
  makeDate32(intDiv(last_q, 4), 2, 10 + lot % 5) AS filed_date, if(activist, 'SC 13D', 'SC 13G') AS form, CAST(NULL AS Nullable(UInt32)) AS amendment, addDays(filed_date, -41) AS event_date,
  'Common Stock' AS class, cik, name AS issuer, concat('ZZ', leftPad(toString(cik % 10000), 4, '0'), '100') AS cusip, toUInt32(1) AS number,
  toUInt32(1700000000 + k) AS person_cik, if(activist, 'Cardinal Capital LLC', ['Harbor Asset Management', 'Summit Capital LLC'][1 + k]) AS person,
  if(activist, ['PN'], ['IA']) AS person_types, 'DE' AS citizenship, 1000. * (500 + lot % 9000) AS shares, 5 + lot % 60 / 10 AS percent,
  shares AS sole_voting, 0. AS shared_voting, shares AS sole_dispositive, 0. AS shared_dispositive,
  if(activist, 'The Reporting Person believes that the shares are undervalued and intends to speak with the board.', NULL) AS purpose
FROM (SELECT cik, name, k, cityHash64({seed:UInt64}, '13dg', cik, k) AS lot, k = 2 AS activist, (SELECT max(q) FROM demo_scenario) AS last_q
  FROM sec_registrants ARRAY JOIN range(3) AS k WHERE k < 2 OR cik % 6 = 0)`
