-- Who filed, as the panel of reporters would say.
INSERT INTO filers
SELECT
    f.report_date AS report_date,
    f.rssd_id AS rssd_id,
    b.cert AS cert,
    if(b.charter_class = 'N', 900000 + b.i, NULL) AS occ_charter,
    NULL AS ots_docket,
    toUInt32(990000000 + b.i) AS aba_routing,
    b.legal_name AS legal_name,
    b.address AS address,
    b.city AS city,
    b.state AS state,
    b.zip AS zip,
    f.form AS form,
    toDateTime(f.report_date + 25 + b.i % 6) + b.i * 37 % 36000 AS submitted_at
FROM demo_filings AS f
INNER JOIN demo_banks AS b ON b.rssd_id = f.rssd_id
