-- What became of asking each source, and each file of it, for what is new. A row is written whole, again each time: the
-- newest one counts. It is no part of a data version: a publisher is asked far more often than anything is published.
CREATE TABLE IF NOT EXISTS source_fetches
(
    source         LowCardinality(String),
    name           String,                       -- of the file; '': the source as a whole
    last_asked     DateTime64(3, 'UTC'),
    last_new       Nullable(DateTime64(3, 'UTC')),  -- when something new was last loaded
    last_failed    Nullable(DateTime64(3, 'UTC')),
    last_failure   String,                       -- why
    failing_since  Nullable(DateTime64(3, 'UTC')),  -- of the failures without a success since; NULL when the last went well
    etag           String,                       -- of the file that was loaded, as the publisher gave them
    last_modified  String,
    edition        String,                       -- what a paged API calls the state of its records
    bytes          UInt64,
    sha256         String,
    written_at     DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(written_at)
ORDER BY (source, name);
