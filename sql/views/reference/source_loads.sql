-- What the manifest holds of each source: only files in force count towards rows.
CREATE OR REPLACE VIEW source_loads AS
SELECT
    f.source AS source,
    countIf(f.in_force) AS files,
    countIf(NOT f.in_force) AS superseded_files,
    sumIf(f.bytes, f.in_force) AS bytes,
    sumIf(f.rows_read, f.in_force) AS rows_read,
    sumIf(f.rows_kept, f.in_force) AS rows_kept,
    sumIf(f.rows_rejected, f.in_force) AS rows_rejected,
    minIf(f.report_date, f.in_force) AS first_quarter,
    maxIf(f.report_date, f.in_force) AS last_quarter,
    max(f.loaded_at) AS last_loaded_at
FROM load_files AS f
GROUP BY f.source
