-- One row a publish. The newest row names the version database that readers see; to publish is to insert
-- this one row, so a reader sees either all of a load or nothing of it.
CREATE TABLE IF NOT EXISTS publications
(
    data_version  String,                 -- '2019Q3-7f3a91c2': part of every ETag and cache key
    database      String,                 -- the version database that holds this version whole
    published_at  DateTime64(3, 'UTC'),
    as_of         Nullable(Date),         -- the latest quarter that the industry has filed; NULL when none is held
    synthetic     Bool,                   -- true for the demo universe, which never mixes with real data
    code_hash     String                  -- schema + views + catalogs that it was built with; another one is rebuilt at start
)
ENGINE = MergeTree
ORDER BY published_at;
