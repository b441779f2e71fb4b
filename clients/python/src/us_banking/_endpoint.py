"""Where a dataset is, and how arguments are written into its address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Union
from urllib.parse import quote, urlencode

Scalar = Union[str, int, float, bool, date]
Argument = Union[Scalar, Sequence[Scalar], None]


@dataclass(frozen=True)
class Endpoint:
    path: str
    """With parameters in braces."""
    table: bool = True
    """Rows, which come as Arrow; otherwise nested JSON."""
    flat: str | None = None
    """The parameter that makes it a table."""
    resumes: str | None = None
    """The column of quarters where rows come in their order."""

    def url(self, arguments: Mapping[str, Any]) -> str:
        """The path and query that ask for it; arguments that are None are left out."""
        texts = {name: spell(name, value) for name, value in flattened(arguments).items() if value is not None}
        path = self.path
        for name in [name for name in texts if f"{{{name}}}" in path]:
            path = path.replace(f"{{{name}}}", quote(texts.pop(name), safe=""))
        if "{" in path:
            raise TypeError(f"{path[path.index('{') + 1 : path.index('}')]} is missing: it is part of the path")
        as_table = self.table or (self.flat is not None and self.flat in texts)
        query = {**texts, "format": "arrow" if as_table else "json"}
        return f"{path}?{urlencode(query, safe=',')}"


def flattened(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Names as the server has them: those of a method's locals, without its own object, bounds among the others."""
    flat: dict[str, Any] = {}
    for name, value in arguments.items():
        if name in ("bounds", "arguments") and isinstance(value, Mapping):
            flat.update(flattened(value))
        elif name != "self":
            flat[name.rstrip("_")] = value
    return flat


def spell(name: str, value: Argument) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        if not value:
            raise ValueError(f"{name} is empty: leave it out, or name at least one")
        return ",".join(spell(name, one) for one in value)
    return str(value)
