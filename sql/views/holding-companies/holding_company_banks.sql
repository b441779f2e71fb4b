-- The banks of a holding company in each quarter: by FDIC's institutions, which name the top holder, and by NIC's
-- relationships of the last day of the quarter, which name whoever controls a bank directly.
CREATE OR REPLACE VIEW holding_company_banks AS
SELECT
    b.report_date AS report_date,
    o.holding_company_rssd_id AS holding_company_rssd_id,
    b.rssd_id AS rssd_id,
    b.cert AS cert,
    b.legal_name AS legal_name,
    b.city AS city,
    b.hq_state AS hq_state,
    b.total_assets AS total_assets
FROM bank_quarters AS b
INNER JOIN
(
    SELECT report_date, rssd_id, assumeNotNull(holding_company_rssd_id) AS holding_company_rssd_id
    FROM bank_quarters WHERE holding_company_rssd_id > 0
    UNION DISTINCT
    SELECT q.report_date, q.rssd_id, r.parent_rssd_id
    FROM bank_quarters AS q
    INNER JOIN nic_relationships AS r ON r.offspring_rssd_id = q.rssd_id
    WHERE r.controlled = 1 AND r.start_date <= q.report_date AND (r.end_date IS NULL OR r.end_date >= q.report_date)
) AS o ON o.report_date = b.report_date AND o.rssd_id = b.rssd_id
