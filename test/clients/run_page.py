"""Runs a block of Python from stdin, with DuckDB's extension httpfs as its package brings it: nothing is downloaded."""

import os
import sys

import duckdb
import duckdb_extension_httpfs

folder = os.path.join(os.path.dirname(duckdb_extension_httpfs.__file__), "extensions", f"v{duckdb.__version__}")
duckdb.load_extension(os.path.join(folder, "httpfs.duckdb_extension"))
exec(sys.stdin.read(), {})
