-- What each key did to its watchlist, one row a change: rows are only ever added, so that changes at the same moment all
-- hold. Of an institution the newest row says whether it is watched. The rows of a key go when it is revoked.
CREATE TABLE IF NOT EXISTS watch_changes
(
    key_id     String,
    entity     LowCardinality(String),            -- 'bank', 'credit_union', 'holding_company'
    entity_id  UInt32,
    at         DateTime64(6, 'UTC'),
    change     Enum8('add' = 1, 'remove' = 2)
)
ENGINE = MergeTree
ORDER BY (key_id, entity, entity_id, at)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
