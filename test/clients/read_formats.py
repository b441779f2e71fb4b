"""Reads queries in every format with the tools that analysts use, and compares what they saw.

usage: AUTHORIZATION='Bearer …' read_formats.py BASE_URL < QUERIES        (a path with its query a line)

Rows are checked against JSON. Every other reader must see the same columns, the same rows in the same order and the
same values; Arrow and Parquet must arrive with real types, no casts needed. Prints a JSON object a query:
{"query", "rows", "columns", "readers"} or {"query", "error"}.
"""

import datetime
import io
import json
import math
import os
import sys
import tempfile
import urllib.error
import urllib.request

import duckdb
import openpyxl
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

TYPES = {
    "rssd_id": pyarrow.uint32(),
    "cert": pyarrow.uint32(),
    "report_date": pyarrow.date32(),
    "first_quarter": pyarrow.date32(),
    "total_assets": pyarrow.float64(),
    "roa": pyarrow.float64(),
}


def plain(value):
    """A value in the form that JSON would have given it."""
    if value is None or value is pandas.NaT or value is pandas.NA:
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None and (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
            return value.date().isoformat()  # pandas has no dates
        value = value.replace(tzinfo=datetime.timezone.utc) if value.tzinfo is None else value
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value


class Disagreement(Exception):
    pass


class Query:
    """One query; `reference` holds JSON's rows."""

    def __init__(self, base, path):
        self.base, self.path, self.readers = base, path, []
        answer = json.loads(self.get("json"))
        by_column = json.loads(self.get("columns"))["data"]
        self.meta = answer["meta"]
        self.columns = list(by_column)  # the names even of an answer without rows
        rows = answer["data"] if isinstance(answer["data"], list) else [answer["data"]]
        for number, row in enumerate(rows):
            if list(row) != self.columns:
                raise Disagreement(f"json: row {number} has columns {list(row)}, format=columns {self.columns}")
        self.reference = [list(row.values()) for row in rows]
        if self.meta["count"] != len(rows):
            raise Disagreement(f"meta.count is {self.meta['count']} and there are {len(rows)} rows")
        self.agree("json columns", self.columns, list(zip(*by_column.values())))

    def get(self, format):
        url = f"{self.base}{self.path}{'&' if '?' in self.path else '?'}format={format}"
        try:
            request = urllib.request.Request(url, headers={"Authorization": os.environ["AUTHORIZATION"]})
            with urllib.request.urlopen(request) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise Disagreement(f"format={format}: {error.code} {error.read()[:500]}") from error

    def agree(self, reader, columns, rows, wanted=None):
        """Holds what a reader saw against JSON, or against `wanted` columns of it."""
        positions = [self.columns.index(c) for c in (wanted or self.columns)]
        names = [self.columns[i] for i in positions]
        if list(columns) != names:
            raise Disagreement(f"{reader}: columns {list(columns)}, expected {names}")
        if len(rows) != len(self.reference):
            raise Disagreement(f"{reader}: {len(rows)} rows, JSON has {len(self.reference)}")
        for number, (row, expected) in enumerate(zip(rows, self.reference)):
            for name, position, value in zip(names, positions, row):
                value = plain(value)
                if type(value) is bool and type(expected[position]) is not bool or value != expected[position]:
                    raise Disagreement(f"{reader}: row {number}, {name}: {value!r}, JSON has {expected[position]!r}")
        self.readers.append(reader)

    def check(self, folder):
        lines = [json.loads(line) for line in self.get("ndjson").splitlines()]
        for line in lines:
            if list(line) != self.columns:
                raise Disagreement(f"ndjson: columns {list(line)}, expected {self.columns}")
        self.agree("ndjson", self.columns, [list(line.values()) for line in lines])
        schema = self.arrow()
        self.parquet(schema, os.path.join(folder, "answer.parquet"))
        self.csv(schema, os.path.join(folder, "answer.csv"))
        self.xlsx(schema)

    def arrow(self):
        data = self.get("arrow")
        table = pyarrow.ipc.open_stream(data).read_all()
        self.agree("pyarrow arrow", table.column_names, list(zip(*table.to_pydict().values())))
        frame = polars.read_ipc_stream(io.BytesIO(data))
        self.agree("polars arrow", frame.columns, frame.rows())
        relation = duckdb.from_arrow(table)
        self.agree("duckdb arrow", relation.columns, relation.fetchall())
        self.facts("arrow", table.schema)
        return table.schema

    def parquet(self, schema, path):
        data = self.get("parquet")
        with open(path, "wb") as file:
            file.write(data)
        table = pyarrow.parquet.read_table(io.BytesIO(data))
        self.agree("pyarrow parquet", table.column_names, list(zip(*table.to_pydict().values())))
        frame = polars.read_parquet(io.BytesIO(data))
        self.agree("polars parquet", frame.columns, frame.rows())
        relation = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
        self.agree("duckdb parquet", relation.columns, relation.fetchall())
        frame = pandas.read_parquet(io.BytesIO(data), dtype_backend="numpy_nullable")
        self.agree("pandas parquet", frame.columns, frame.astype(object).values.tolist())
        self.facts("parquet", table.schema)
        for field in schema:
            plain_type = field.type.value_type if pyarrow.types.is_dictionary(field.type) else field.type
            if table.schema.field(field.name).type != plain_type:
                raise Disagreement(f"{field.name}: {plain_type} in Arrow, {table.schema.field(field.name).type} in Parquet")

    def facts(self, format, schema):
        """What an answer says of itself, as schema metadata."""
        told = json.loads(schema.metadata[b"banking.meta"])
        if told["meta"] != self.meta:
            raise Disagreement(f"{format}: banking.meta says {told['meta']}, JSON {self.meta}")
        for field in schema:
            unit = self.meta["units"].get(field.name)
            metadata = field.metadata or {}
            if metadata.get(b"unit", b"").decode() != (unit or ""):
                raise Disagreement(f"{format}: the unit of {field.name} is {metadata}, expected {unit}")
            if not metadata.get(b"label"):
                raise Disagreement(f"{format}: {field.name} has no label")
            expected = TYPES.get(field.name)
            if expected is not None and field.type != expected:
                raise Disagreement(f"{format}: {field.name} is {field.type}, expected {expected}")

    def csv(self, schema, path):
        """CSV has no types: the readers are told Arrow's. Lists have no common notation in CSV and are left out."""
        data = self.get("csv")
        with open(path, "wb") as file:
            file.write(data)
        flat = pyarrow.schema(
            [
                pyarrow.field(f.name, f.type.value_type if pyarrow.types.is_dictionary(f.type) else f.type)
                for f in schema
                if not pyarrow.types.is_list(f.type)
            ]
        )
        names = flat.names
        # pyarrow and DuckDB can tell "" from nothing; an absent text and an empty one must stay apart
        table = pyarrow.csv.read_csv(
            path,
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=flat,
                include_columns=names,
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
        self.agree("pyarrow csv", table.column_names, list(zip(*table.to_pydict().values())), names)
        texts = {f.name: "string" for f in flat if pyarrow.types.is_string(f.type)}
        dates = [f.name for f in flat if pyarrow.types.is_temporal(f.type)]
        frame = pandas.read_csv(
            path, usecols=names, dtype=texts, parse_dates=dates, keep_default_na=False, na_values=[""]
        )
        blank = [[None if value == "" else value for value in row] for row in self.reference]
        kept, self.reference = self.reference, blank
        self.agree("pandas csv", frame.columns, frame.astype(object).values.tolist(), names)
        self.reference = kept
        duck = {n: str(t) for n, t in zip(*described(flat))}
        everything = {c: duck.get(c, "VARCHAR") for c in self.columns}
        relation = duckdb.read_csv(path, header=True, dtype=everything, allow_quoted_nulls=False)
        relation = relation.select(*[duckdb.ColumnExpression(n) for n in names])
        self.agree("duckdb csv", relation.columns, relation.fetchall(), names)


    def xlsx(self, schema):
        """Typed cells below labels, units and names; lists are JSON. No cell is a formula."""
        data = self.get("xlsx")
        book = openpyxl.load_workbook(io.BytesIO(data))
        sheet = list(book["Data"].iter_rows())
        formulas = [cell.coordinate for row in sheet for cell in row if cell.data_type == "f"]
        if book.sheetnames != ["Data", "About"] or formulas:
            raise Disagreement(f"xlsx: sheets {book.sheetnames}, formulas {formulas[:3]}")
        labels, units, names, *rows = [[cell.value for cell in row] for row in sheet]
        if labels != [field.metadata[b"label"].decode() for field in schema]:
            raise Disagreement(f"xlsx: labels {labels}")
        if [unit or None for unit in units] != [self.meta["units"].get(name) for name in names]:
            raise Disagreement(f"xlsx: units {units}")
        meta = [row for row in book["About"].iter_rows(max_row=8, max_col=2, values_only=True)]
        if meta[0] != ("meta", None) or any(self.meta[key] != value for key, value in meta[1:]):
            raise Disagreement(f"xlsx: the second sheet says {meta}, JSON {self.meta}")

        def read(row):
            return [in_cell(field.type, value) for field, value in zip(schema, row)]

        self.agree("openpyxl", names, [read(row) for row in rows])
        frame = pandas.read_excel(io.BytesIO(data), header=2, dtype=object, keep_default_na=False, na_values=[""])
        blank = [[None if value == "" else value for value in row] for row in self.reference]
        kept, self.reference = self.reference, blank
        self.agree("pandas xlsx", frame.columns, [read(row) for row in frame.values.tolist()])
        self.reference = kept


def in_cell(kind, value):
    """A cell's value as its column's type has it: lists are JSON, and a midnight is no day."""
    if pyarrow.types.is_list(kind):
        return json.loads(value)
    if pyarrow.types.is_timestamp(kind) and isinstance(value, datetime.datetime):
        return value.replace(tzinfo=datetime.timezone.utc)
    return value


def described(schema):
    """Names and DuckDB types of an Arrow schema."""
    relation = duckdb.from_arrow(schema.empty_table())
    return relation.columns, relation.types


def main():
    base = sys.argv[1]
    duckdb.sql("SET TimeZone = 'UTC'")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            path = line.strip()
            try:
                query = Query(base, path)
                query.check(folder)
                told = {"rows": len(query.reference), "columns": len(query.columns), "readers": query.readers}
            except Exception as error:
                wrong += 1
                told = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps({"query": path, **told}), flush=True)
    return 1 if wrong else 0


sys.exit(main())
