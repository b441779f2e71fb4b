"""What a dataset answers with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import polars as pl


@lru_cache(maxsize=4)
def _read(text: bytes) -> Mapping[str, Any]:
    envelope: Mapping[str, Any] = json.loads(text)
    return envelope


def envelope_of(schema: pa.Schema) -> Mapping[str, Any]:
    """The envelope that an Arrow answer has as metadata of its schema."""
    return _read((schema.metadata or {}).get(b"banking.meta", b'{"meta": {"count": null}}'))


class Answer:
    """What an answer says of itself."""

    def __init__(self, meta: Mapping[str, Any], links: Mapping[str, Any]) -> None:
        self.meta = meta
        self.links = links

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column that has one."""
        units: Mapping[str, str] = self.meta.get("units", {})
        return units

    @property
    def data_version(self) -> str | None:
        """Which data it is from: an equal request of an equal version has equal rows."""
        return self.meta.get("data_version")

    @property
    def as_of(self) -> str | None:
        return self.meta.get("as_of")

    @property
    def synthetic(self) -> bool:
        """Whether the institutions are made up: the server then holds its demonstration."""
        return bool(self.meta.get("synthetic"))

    @property
    def sources(self) -> list[str]:
        return list(self.meta.get("sources", []))

    @property
    def total(self) -> int:
        """Rows without `limit`."""
        return int(self.meta.get("total", 0))


class Table(Answer):
    """Rows, held as Arrow."""

    def __init__(self, table: pa.Table) -> None:
        told = envelope_of(table.schema)
        super().__init__(told.get("meta", {}), told.get("links", {}))
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __repr__(self) -> str:
        return f"<{self.meta.get('dataset')}: {len(self)} rows × {self._table.num_columns} columns, {self.data_version}>"

    @property
    def labels(self) -> Mapping[str, str]:
        """The heading of each column."""
        return {
            field.name: field.metadata[b"label"].decode()
            for field in self._table.schema
            if field.metadata and b"label" in field.metadata
        }

    def arrow(self) -> pa.Table:
        """With units and labels in the metadata of its fields."""
        return self._table

    def pandas(self, **options: Any) -> pd.DataFrame:
        """With units and data version in `attrs`. `options` are those of `pyarrow.Table.to_pandas`."""
        frame = self._table.to_pandas(**{"date_as_object": False, **options})
        frame.attrs.update(units=dict(self.units), data_version=self.data_version, meta=dict(self.meta))
        return frame

    def polars(self) -> pl.DataFrame:
        import polars

        frame = polars.from_arrow(self._table)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def duckdb(self, connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyRelation:
        """A relation to query further, in a connection of one's own or the default one."""
        import duckdb

        return connection.from_arrow(self._table) if connection else duckdb.from_arrow(self._table)

    def rows(self) -> list[dict[str, Any]]:
        return list(self._table.to_pylist())

    def row(self) -> dict[str, Any]:
        """The only row, of a dataset that answers with one."""
        if len(self) != 1:
            raise ValueError(f"{self!r} is not one row")
        return self.rows()[0]


class Document(Answer):
    """Nested data, as JSON has it."""

    def __init__(self, body: bytes) -> None:
        envelope = json.loads(body)
        super().__init__(envelope.get("meta", {}), envelope.get("links", {}))
        self.data: Any = envelope["data"]

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __repr__(self) -> str:
        return f"<{self.meta.get('dataset')}: {', '.join(self.data) if isinstance(self.data, dict) else len(self.data)}>"
