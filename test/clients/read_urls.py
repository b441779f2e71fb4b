"""Reads Parquet straight from URLs with the tools that analysts use: usage read_urls.py BASE_URL KEY

Prints a JSON object: each reader with what it saw of the screener (rows, sum of total_assets) and of the panel.
"""

import json
import os
import sys

import duckdb
import duckdb_extension_httpfs
import pandas
import polars

base, key = sys.argv[1:]
screener = f"{base}/api/v1/screeners/banks/?fields=rssd_id,total_assets&format=parquet"
panel = f"{base}/api/v1/screeners/panel/?metrics=total_assets&format=parquet"

folder = os.path.join(os.path.dirname(duckdb_extension_httpfs.__file__), "extensions", f"v{duckdb.__version__}")
connection = duckdb.connect()
connection.load_extension(os.path.join(folder, "httpfs.duckdb_extension"))
connection.sql(f"CREATE SECRET (TYPE http, BEARER_TOKEN '{key}', SCOPE '{base}')")


def by_duckdb(url):
    return connection.sql(f"SELECT count(*), sum(total_assets) FROM read_parquet('{url}')").fetchone()


def by_polars(url):
    return polars.scan_parquet(url).select(polars.len(), polars.col("total_assets").sum()).collect().row(0)


def by_pandas(url):
    frame = pandas.read_parquet(url, storage_options={"Authorization": f"Bearer {key}"})
    return len(frame), float(frame["total_assets"].sum())


seen = {
    "duckdb": by_duckdb(screener),
    "polars": by_polars(screener),
    "pandas": by_pandas(screener),
    "duckdb with a key": by_duckdb(panel),
    "pandas with a key": by_pandas(panel),
}
print(json.dumps(seen))
