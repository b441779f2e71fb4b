-- Observations of time series: interest rates and what else moves with them. Each row is true from the moment it
-- was learnt until the moment it was replaced, so that what was known at any past moment can still be read.
CREATE TABLE observations
(
    series         LowCardinality(String),    -- UST_PAR_10Y, DGS10, PMMS_30Y, FDIC_RATE_SAVINGS …
    date           Date32,
    value          Nullable(Float64),         -- NULL: the publisher withdrew what it had published
    revision       UInt16,                    -- 1: the first value that was learnt
    learnt_at      DateTime64(3, 'UTC'),
    replaced_at    DateTime64(3, 'UTC'),      -- 2200-01-01 while in force
    watched_since  DateTime64(3, 'UTC'),      -- when the first value of this series was learnt
    file_sha256    String                     -- the file of load_files that told it, '' for synthetic ones
)
ENGINE = MergeTree
ORDER BY (series, date, revision);
