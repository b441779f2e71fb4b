/** One bank in three was told something once; who is in a poor state, more often and of late. */
export const enforcementDemo = `
WITH (SELECT max(q) FROM demo_scenario) AS last_q,
  ['cease_and_desist', 'formal_agreement', 'civil_money_penalty', 'prohibition', 'prompt_corrective_action', 'restitution'] AS kinds,
  ['Cease and Desist Order', 'Written Agreement', 'Civil Money Penalty', 'Prohibition from Banking', 'Prompt Corrective Action', 'Order of Restitution'] AS spoken
SELECT
  multiIf(regulator = 'FED', 'FRB', regulator) AS agency,
  lower(hex(lot)) AS id,
  concat(agency, '-', toString(toYear(start_date)), '-', leftPad(toString(lot % 100000), 5, '0')) AS number,
  kinds[kind] AS type, [type] AS types, spoken[kind] AS agency_type,
  if(of_parent, concat(holding, ', ', city, ', ', state), legal_name) AS institution,
  city, state,
  [(if(of_parent, holding, legal_name), city, state, if(agency = 'FDIC' AND NOT of_parent, concat('FDIC certificate ', toString(cert)), ''))] AS parties,
  if(kind = 4 OR kind = 3 AND lot % 2 = 0, [concat(['A.', 'B.', 'C.', 'D.'][1 + lot % 4], ' ', word)], []) AS persons,
  makeDate32(intDiv(quarter, 4), quarter % 4 * 3 + 1 + lot % 3, 1 + intDiv(lot, 7) % 28) AS start_date,
  if(lot % 5 < 2, NULL, addDays(start_date, 400 + intDiv(lot, 11) % 1500)) AS ended,
  if(ended > addDays(makeDate32(intDiv(last_q, 4), last_q % 4 * 3 + 1, 1), 90), NULL, ended) AS end_date,
  if(kind IN (3, 6), round(exp(1 + (lot % 1000) / 180)), NULL) AS penalty,
  [concat('https://agency.example/orders/', id, '.pdf')] AS documents,
  if(agency = 'OCC', [['Capital', 'Asset Quality', 'BSA/AML', 'Liquidity', 'Consumer Law'][1 + intDiv(lot, 13) % 5]], []) AS subjects,
  CAST(NULL AS Nullable(String)) AS note
FROM (
  SELECT *, cityHash64({seed:UInt64}, 'order', rssd_id, nth) AS lot, toUInt8(1 + intDiv(lot, 17) % 6) AS kind,
    greatest(open_q + 4, last_q - toInt32(intDiv(lot, 19) % 80)) AS since, least(since, close_q) AS quarter,
    toString(h.parent_word) || [' Bancorp', ' Bancshares, Inc.', ' Financial Corporation'][1 + ifNull(h.parent, 0) % 3] AS holding,
    agency_of_parent AND holding_company_rssd_id IS NOT NULL AS of_parent
  FROM (SELECT *, arrayJoin([1, 2]) AS nth, regulator = 'FED' AND cityHash64(rssd_id, 'parent') % 4 = 0 AS agency_of_parent FROM demo_banks) AS b
  LEFT JOIN (SELECT i AS parent, word AS parent_word FROM demo_banks) AS h ON h.parent = b.holding_company_rssd_id - 95000000
  WHERE cityHash64({seed:UInt64}, 'told', rssd_id, nth) % 100 < multiIf(giant, 100, z_quality > 1, 45, 12)
)`
