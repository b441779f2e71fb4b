-- FDIC's attributes at each year-end and at the latest quarter: enough for every as-of reading.
INSERT INTO fdic_institutions
SELECT
    f.report_date AS report_date,
    b.cert AS cert,
    b.rssd_id AS rssd_id,
    b.legal_name AS name,
    b.address AS address,
    b.city AS city,
    b.county AS county,
    b.state AS state,
    b.zip AS zip,
    b.charter_class AS charter_class,
    b.regulator AS regulator,
    b.holding_company_rssd_id AS holding_company_rssd_id,
    if(b.holding_company_rssd_id IS NULL, NULL, concat(toString(h.word), [' Bancorp', ' Bancshares, Inc.', ' Financial Corporation'][1 + ifNull(h.i, 0) % 3])) AS holding_company_name,
    b.established_date AS established_date,
    b.established_date + 30 AS insured_date,
    b.cbsa_code AS cbsa_code,
    b.cbsa_name AS cbsa_name,
    concat('www.', lower(replaceAll(b.word, ' ', '')), toString(b.i), '.example') AS web_address,
    true AS active,
    toUInt8(multiIf(b.business = 'agricultural', 2, b.business = 'credit card', 3, b.business IN ('commercial', 'commercial real estate', 'community'), 4, b.business = 'mortgage', 5, b.business = 'consumer', 6, 9)) AS specialization_group,
    b.subchapter_s AS subchapter_s,
    b.mutual AS mutual,
    toUInt32(greatest(1, round(f.domestic_deposits / (60000 + 25000 * b.z_size + if(b.giant, 200000, 0))))) AS offices,
    b.cbsa_code IS NOT NULL AS metropolitan
FROM demo_filings AS f
INNER JOIN demo_banks AS b ON b.rssd_id = f.rssd_id
LEFT JOIN (SELECT i, word FROM demo_banks) AS h ON h.i = b.holding_company_rssd_id - 95000000
WHERE toMonth(f.report_date) = 12 OR f.report_date = {last:Date}
