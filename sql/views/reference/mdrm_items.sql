-- Every MDRM code that a Call Report schedule or the dictionary knows, in the newest wording of each.
CREATE OR REPLACE VIEW mdrm_items AS
WITH
    on_schedules AS
    (
        SELECT
            toString(mdrm) AS code,
            argMax(description, report_date) AS caption,
            arraySort(groupUniqArray(toString(schedule))) AS schedules,
            toNullable(min(report_date)) AS first_quarter,
            toNullable(max(report_date)) AS last_quarter
        FROM item_descriptions
        GROUP BY code
    ),
    in_dictionary AS
    (
        SELECT
            d.mdrm AS code,
            argMax(d.name, d.start_date) AS name,
            argMax(d.description, d.start_date) AS definition,
            arraySort(groupUniqArrayArray(d.forms)) AS forms,
            toNullable(min(d.start_date)) AS start_date,
            if(countIf(d.end_date IS NULL) > 0, NULL, max(d.end_date)) AS end_date,
            argMax(d.confidential, d.start_date) AS confidential
        FROM mdrm_dictionary AS d
        GROUP BY code
    ),
    in_formulas AS
    (
        SELECT code, arraySort(groupUniqArray(key)) AS metrics
        FROM metric_catalog
        ARRAY JOIN items AS code
        WHERE universe = 'bank'
        GROUP BY code
    ),
    in_ubpr AS
    (
        SELECT item AS code, arraySort(groupUniqArray(u.code)) AS concepts
        FROM ubpr_concepts AS u
        ARRAY JOIN u.items AS item
        GROUP BY item
    )
SELECT
    k.code AS code,
    k.name AS name,
    k.description AS description,
    k.schedules AS schedules,
    k.forms AS forms,
    k.first_quarter AS first_quarter,
    k.last_quarter AS last_quarter,
    k.start_date AS start_date,
    k.end_date AS end_date,
    k.confidential AS confidential,
    f.metrics AS metrics,
    u.concepts AS ubpr_concepts
FROM
(
    SELECT
        if(s.code != '', s.code, d.code) AS code,
        coalesce(nullIf(d.name, ''), nullIf(s.caption, '')) AS name,
        coalesce(nullIf(d.definition, ''), nullIf(s.caption, '')) AS description,
        s.schedules AS schedules,
        d.forms AS forms,
        s.first_quarter AS first_quarter,
        s.last_quarter AS last_quarter,
        d.start_date AS start_date,
        d.end_date AS end_date,
        d.confidential AS confidential
    FROM on_schedules AS s
    FULL JOIN in_dictionary AS d ON s.code = d.code
) AS k
LEFT JOIN in_formulas AS f ON f.code = k.code
LEFT JOIN in_ubpr AS u ON u.code = k.code
