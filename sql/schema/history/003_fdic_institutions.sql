-- FDIC institution attributes by quarter (BankFind "institutions", SDI). What the Call Report's POR does not know.
CREATE TABLE fdic_institutions
(
    report_date              Date,
    cert                     UInt32,
    rssd_id                  Nullable(UInt32),
    name                     String,
    address                  String,
    city                     String,
    county                   String,
    state                    LowCardinality(String),
    zip                      String,
    charter_class            LowCardinality(String),  -- FDIC BKCLASS: N, NM, SM, SB, SA, OI, …
    regulator                LowCardinality(String),  -- FDIC REGAGNT: OCC, FDIC, FED
    holding_company_rssd_id  Nullable(UInt32),
    holding_company_name     Nullable(String),
    established_date         Nullable(Date32),
    insured_date             Nullable(Date32),
    cbsa_code                Nullable(String),
    cbsa_name                Nullable(String),
    web_address              Nullable(String),
    active                   Nullable(Bool),
    specialization_group     Nullable(UInt8),         -- FDIC SPECGRP
    subchapter_s             Nullable(Bool),
    mutual                   Nullable(Bool),
    offices                  Nullable(UInt32)
)
ENGINE = MergeTree
PARTITION BY report_date
ORDER BY cert;
