"""Fills the SQLite file of Datasette from Parquet files, with the indexes that the questions want.

Arguments: the file, then of each table its name, its Parquet file and what to find rows by, blank for those of banks.
"""

import os
import sqlite3
import sys

import pyarrow.parquet as parquet

TYPES = {"double": "REAL", "uint32": "INTEGER", "uint16": "INTEGER", "uint8": "INTEGER", "string": "TEXT", "date32[day]": "TEXT"}


def fill(connection, table, path):
    file = parquet.ParquetFile(path)
    schema = file.schema_arrow
    columns = ", ".join(f"{field.name} {TYPES.get(str(field.type), 'TEXT')}" for field in schema)
    connection.execute(f"CREATE TABLE {table} ({columns})")
    places = ", ".join("?" for _ in schema)
    for batch in file.iter_batches(20_000):
        lists = [texts(batch.column(i)) for i in range(len(schema))]
        connection.executemany(f"INSERT INTO {table} VALUES ({places})", zip(*lists))


def texts(column):
    """Values as SQLite has them: days and text as text."""
    kind = str(column.type)
    if kind.startswith("date"):
        return [None if day is None else day.isoformat() for day in column.to_pylist()]
    if "binary" in kind:
        return [None if value is None else value.decode() for value in column.to_pylist()]
    return column.to_pylist()


if __name__ == "__main__":
    database, *given = sys.argv[1:]
    making = database + ".making"
    if os.path.exists(making):
        os.remove(making)
    with sqlite3.connect(making) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        for table, path, key in zip(given[0::3], given[1::3], given[2::3]):
            fill(connection, table, path)
            if key:
                connection.execute(f"CREATE INDEX {table}_key ON {table} ({key})")
        connection.execute("CREATE UNIQUE INDEX latest_bank ON latest (rssd_id)")
        connection.execute("CREATE INDEX latest_state ON latest (hq_state, total_assets)")
        connection.execute("CREATE INDEX latest_cohort ON latest (cohort)")
        connection.execute("CREATE UNIQUE INDEX history_bank ON history (rssd_id, report_date)")
        connection.execute("CREATE INDEX history_state ON history (hq_state)")
        connection.execute("ANALYZE")
    os.rename(making, database)
