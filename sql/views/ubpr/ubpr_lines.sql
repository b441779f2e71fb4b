-- The lines of the UBPR in its own order: page by page (UBPR01, UBPR07B, the fiduciary pages UBPRT01 and UBPRT01A), then
-- as UBPRX what no page shows and its formulas refer to. `place` is that in the arrays of ubpr_rows.
CREATE OR REPLACE VIEW ubpr_lines AS
SELECT
    concat(
        if(startsWith(p.page, 'Fiduciary'), 'UBPRT', 'UBPR'),
        leftPad(extract(p.page_number, '^\\d+'), 2, '0'),
        extract(p.page_number, '^\\d+([A-E]?)')
    ) AS schedule,
    p.page AS page,
    p.code AS code,
    if(p.title = '' OR p.title = c.label, c.label, concat(p.title, ': ', c.label)) AS description,
    c.unit AS unit,
    c.position AS place,
    toUInt16(p.position) AS position
FROM ubpr_pages AS p
INNER JOIN ubpr_concepts AS c ON c.code = p.code
UNION ALL
SELECT
    'UBPRX' AS schedule,
    'On no page' AS page,
    c.code AS code,
    c.label AS description,
    c.unit AS unit,
    c.position AS place,
    toUInt16(10000 + c.position) AS position
FROM ubpr_concepts AS c
WHERE c.position > 0 AND c.code NOT IN (SELECT code FROM ubpr_pages)
