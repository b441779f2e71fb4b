-- FFIEC Call Report, as filed. Amounts in thousands of US dollars, ratios in percent.
CREATE TABLE filers
(
    report_date   Date,
    rssd_id       UInt32,
    cert          Nullable(UInt32),       -- FDIC certificate; NULL where the filer has none
    occ_charter   Nullable(UInt32),
    ots_docket    Nullable(UInt32),
    aba_routing   Nullable(UInt32),
    legal_name    String,
    address       String,
    city          String,
    state         LowCardinality(String), -- two-letter code, '' where blank
    zip           String,
    form          LowCardinality(String), -- '031', '041', '051'
    submitted_at  Nullable(DateTime)
)
ENGINE = MergeTree
PARTITION BY report_date
ORDER BY rssd_id;

-- One row an item that the filer filled in: a blank leaves no row.
CREATE TABLE call_report_items
(
    report_date  Date,
    rssd_id      UInt32,
    mdrm         LowCardinality(String),  -- 'RCFD2170'
    schedule     LowCardinality(String),  -- 'RC', 'RCRII': parts '(1 of N)' are one schedule
    value        Nullable(Float64),       -- number (a boolean is 1 or 0); NULL where the item is text
    text         Nullable(String)         -- set where the item is not a number
)
ENGINE = MergeTree
PARTITION BY report_date
ORDER BY (rssd_id, mdrm, schedule);

-- The second line of the schedule files.
CREATE TABLE item_descriptions
(
    report_date  Date,
    schedule     LowCardinality(String),
    mdrm         LowCardinality(String),
    position     UInt16,                  -- order of the item in its schedule, across parts
    description  String
)
ENGINE = MergeTree
PARTITION BY report_date
ORDER BY (schedule, position);
