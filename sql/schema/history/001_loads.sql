-- The manifest: what was loaded, and what of it was refused. It lives in the version database, so that it
-- is published together with the rows it speaks of.
CREATE TABLE load_files
(
    source         LowCardinality(String),
    name           String,
    sha256         String,
    bytes          UInt64,
    report_date    Nullable(Date),
    loaded_at      DateTime64(3, 'UTC'),
    rows_read      UInt64,
    rows_kept      UInt64,
    rows_rejected  UInt64,
    in_force       Bool                   -- false once a newer edition of the same report replaced it
)
ENGINE = MergeTree
ORDER BY (source, loaded_at, name);

CREATE TABLE load_rejects
(
    source       LowCardinality(String),
    file_sha256  String,
    file_name    String,
    member       String,                  -- the file inside the archive, '' where there is no archive
    line         UInt64,                  -- 1-based line (or record) in the member
    reason       String,
    text         String                   -- the first 200 characters of what was refused
)
ENGINE = MergeTree
ORDER BY (source, file_sha256, member, line);
