"""Unpacks a year of the Summary of Deposits, and counts it with DuckDB: sod.xz out.csv counts.csv"""

import lzma
import shutil
import sys

import duckdb

packed, unpacked, counts = sys.argv[1:]
with lzma.open(packed) as source, open(unpacked, "wb") as target:
    shutil.copyfileobj(source, target)
duckdb.sql(f"""
    COPY (
        SELECT YEAR::INT AS year, CERT::INT AS cert, max(RSSDID::DOUBLE)::INT AS rssd_id, count(*) AS branches,
            sum(DEPSUMBR::DOUBLE) AS deposits
        FROM read_csv('{unpacked}', all_varchar = true) GROUP BY ALL ORDER BY ALL
    ) TO '{counts}' (HEADER)""")
