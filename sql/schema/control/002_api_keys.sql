-- What was done to API keys, one row a change: rows are only ever added, so that two changes at once both hold.
-- A key is never here, only its SHA-256.
CREATE TABLE IF NOT EXISTS api_key_changes
(
    key_id           String,
    at               DateTime64(3, 'UTC'),
    change           Enum8('create' = 1, 'rotate' = 2, 'set-plan' = 3, 'revoke' = 4),
    sha256           String,                  -- of the key that create and rotate made, in hexadecimal
    plan             LowCardinality(String),  -- of create and set-plan
    name             String,                  -- of create: whose key it is
    overlap_seconds  UInt32                   -- of rotate: for how long the key before still works
)
ENGINE = MergeTree
ORDER BY (key_id, at);
