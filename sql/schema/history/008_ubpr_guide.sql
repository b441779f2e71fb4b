-- The UBPR User's Guide as published: a row a concept on a page, in each edition that was loaded.
CREATE TABLE ubpr_guide
(
    edition_date  Date,                   -- in the name of the file, else the newest date that its formulas speak of
    edition       LowCardinality(String), -- '2017-06-22', 'v129'
    part          LowCardinality(String), -- 'pages', 'references', 'dictionary'
    line          UInt32,                 -- place in its file
    page          LowCardinality(String), -- 'Summary Ratios'
    page_number   LowCardinality(String), -- '1', '7B'
    referenced    Bool,                   -- a concept that the page's formulas refer to, rather than one that it shows
    item_number   String,                 -- '4.2' on the page; '' for referenced concepts
    title         String,                 -- of the line on the page; '' for referenced concepts
    code          LowCardinality(String), -- 'UBPRE013'; also items that a page shows as they are, 'RIAD4230'
    description   String,
    narrative     String,
    formula       String                  -- '' where the guide gives none
)
ENGINE = MergeTree
PARTITION BY edition_date
ORDER BY (part, line, item_number);
