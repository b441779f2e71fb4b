-- Every item of one filing, in the order of the form, beside its value a quarter and a year before; then every page of
-- the UBPR in the report's order. What the peer group has is no part of it: that is bank-ubpr-ranks, of another tier.
-- What the form calls an item comes from the schedule files; for an edition without that line, from the MDRM.
CREATE OR REPLACE VIEW bank_deep_dive AS
WITH
    toLastDayOfMonth(addMonths({as_of:Date}, -3)) AS quarter_before,
    toLastDayOfMonth(addMonths({as_of:Date}, -12)) AS year_before
SELECT
    {rssd_id:UInt32} AS rssd_id,
    {as_of:Date} AS report_date,
    toString(item.schedule) AS schedule,
    toString(item.mdrm) AS mdrm,
    coalesce(nullIf(form.description, ''), nullIf(dictionary.name, '')) AS description,
    item.now AS value,
    item.said AS text,
    item.quarter_ago AS prior_quarter,
    item.year_ago AS year_ago,
    if(form.position = 0, 65535, form.position) AS position,
    CAST(NULL AS Nullable(String)) AS page,
    CAST(NULL AS Nullable(String)) AS unit
FROM
(
    SELECT
        i.schedule AS schedule,
        i.mdrm AS mdrm,
        anyIf(i.value, i.report_date = {as_of:Date}) AS now,
        anyIf(i.text, i.report_date = {as_of:Date}) AS said,
        anyIf(i.value, i.report_date = quarter_before) AS quarter_ago,
        anyIf(i.value, i.report_date = year_before) AS year_ago
    FROM call_report_items AS i
    WHERE i.rssd_id = {rssd_id:UInt32} AND i.report_date IN ({as_of:Date}, quarter_before, year_before)
    GROUP BY i.schedule, i.mdrm
    HAVING countIf(i.report_date = {as_of:Date}) > 0
) AS item
LEFT JOIN
(
    SELECT schedule, mdrm, position, description FROM item_descriptions WHERE report_date = {as_of:Date}
) AS form ON form.schedule = item.schedule AND form.mdrm = item.mdrm
LEFT JOIN
(
    SELECT mdrm, argMax(name, start_date) AS name FROM mdrm_dictionary GROUP BY mdrm
) AS dictionary ON dictionary.mdrm = item.mdrm
UNION ALL
SELECT
    {rssd_id:UInt32} AS rssd_id,
    {as_of:Date} AS report_date,
    line.schedule AS schedule,
    toString(line.code) AS mdrm,
    toNullable(line.description) AS description,
    bank.now[line.place] AS value,
    CAST(NULL AS Nullable(String)) AS text,
    bank.quarter_ago[line.place] AS prior_quarter,
    bank.year_ago[line.place] AS year_ago,
    line.position AS position,
    toNullable(toString(line.page)) AS page,
    toNullable(line.unit) AS unit
FROM ubpr_lines AS line
CROSS JOIN
(
    SELECT
        anyIf(r.values, r.report_date = {as_of:Date}) AS now,
        anyIf(r.values, r.report_date = quarter_before) AS quarter_ago,
        anyIf(r.values, r.report_date = year_before) AS year_ago
    FROM ubpr_rows AS r
    WHERE r.rssd_id = {rssd_id:UInt32} AND r.report_date IN ({as_of:Date}, quarter_before, year_before)
) AS bank
WHERE notEmpty(bank.now)
