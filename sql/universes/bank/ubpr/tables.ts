import { type Definitions, derivedTable, quarterly } from '../../../derive/tables.ts'
import { stepsType, type Traced } from '../../../derive/traced.ts'

/** Each table of the UBPR with what follows its name in CREATE TABLE. Arrays are in the order of `ubpr_concepts`. */
export const definitions: Definitions = {
  // What a guide is made of, from its loaded editions or from the metric catalog.
  ubpr_concepts: `(
    position UInt16,                      -- place in the arrays; 0: not computed
    code String,
    label String,
    narrative String,
    unit String,
    formula String,
    origin LowCardinality(String),        -- guide, mended, item, described, taxonomy, catalog; '' where it is not computed
    edition String,
    reason String,                        -- why it is not computed
    items Array(String)
) ENGINE = MergeTree ORDER BY code`,
  ubpr_lineage: `(
    figure String,                        -- code of a concept
    steps ${stepsType}
) ENGINE = MergeTree ORDER BY figure SETTINGS index_granularity = 16`,
  ubpr_pages: `(
    position UInt16,                      -- place in the report
    page LowCardinality(String),
    page_number LowCardinality(String),
    item_number String,
    title String,
    code String
) ENGINE = MergeTree ORDER BY position`,
  // Internal: filings and figures as arrays. Figures are scratch, empty once ranked.
  ubpr_filings: quarterly(
    ['rssd_id UInt32', 'form LowCardinality(String)', 'values Array(Nullable(Float64))'],
    'rssd_id',
  ),
  // NaN where absent.
  ubpr_figures: quarterly(
    ['rssd_id UInt32', 'peer_group LowCardinality(String)', 'values Array(Float64)'],
    'rssd_id',
  ),
  ubpr_derived: derivedTable,
  // Served.
  ubpr_rows: `(
    rssd_id UInt32,
    report_date Date,
    peer_group LowCardinality(String),
    values Array(Nullable(Float64)) CODEC(ZSTD(1)),
    ranks Array(Nullable(Float64)) CODEC(ZSTD(1))
) ENGINE = MergeTree PARTITION BY report_date ORDER BY rssd_id SETTINGS index_granularity = 16`,
  ubpr_peers: quarterly(
    ['peer_group LowCardinality(String)', 'banks UInt32', 'averages Array(Nullable(Float64))'],
    'peer_group',
  ),
  // One row: over all banks of the newest quarter. Quantiles: minimum, quartiles, maximum of each concept.
  ubpr_distribution: `(
    report_date Date,
    counts Array(UInt32),
    means Array(Nullable(Float64)),
    quantiles Array(Array(Nullable(Float64)))
) ENGINE = MergeTree ORDER BY report_date`,
  ubpr_peer_groups: `(
    peer_group String,
    label String,
    position UInt16
) ENGINE = MergeTree ORDER BY position`,
}

/** Tables that have a row for each bank and quarter. */
export const byInstitution = ['ubpr_filings', 'ubpr_figures', 'ubpr_rows'] as const

/** Tables that have one partition a quarter. */
export const quarterlyTables = ['ubpr_figures', 'ubpr_rows', 'ubpr_peers', 'ubpr_derived'] as const

/** The concepts as figures that are followed down to what was filed. */
export const concepts: Traced = {
  kind: 'ubpr',
  catalog: 'SELECT code, label, position FROM ubpr_concepts',
  rows: 'ubpr_rows',
  values: 'values',
  lineage: 'SELECT figure, steps FROM ubpr_lineage',
  details: 'SELECT * FROM ubpr_details',
}
