-- The Federal Reserve's Micro Data Reference Manual, one row a validity period of an item.
CREATE TABLE mdrm_dictionary
(
    mdrm          String,
    start_date    Date32,
    end_date      Nullable(Date32),       -- NULL while the item is in use
    name          String,
    description   String,
    confidential  Nullable(Bool),
    forms         Array(String)
)
ENGINE = MergeTree
ORDER BY (mdrm, start_date);
