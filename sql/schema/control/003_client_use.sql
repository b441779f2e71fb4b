-- How many answers each client had on each UTC day. A run of a server writes its own total of the day, again each time
-- that it grew: to write twice changes nothing, and what a client had altogether is the sum over the runs.
CREATE TABLE IF NOT EXISTS client_use
(
    day         Date,
    client      String,                                 -- 'key:<key id>' or 'ip:<address>'
    instance    String,                                 -- the run of a server
    requests    UInt32,
    datasets    Map(LowCardinality(String), UInt32),    -- requests by dataset; of keys only
    written_at  DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(written_at)
PARTITION BY toYYYYMM(day)
ORDER BY (day, client, instance)
-- addresses are of no use once their day is over
TTL day + INTERVAL 2 DAY DELETE WHERE startsWith(client, 'ip:'), day + INTERVAL 400 DAY DELETE;
