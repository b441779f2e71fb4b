"""What goes wrong, as exceptions that say what the server says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class BankingError(Exception):
    """Anything that this client raises on its own."""


class Unreachable(BankingError):
    """The server did not answer."""


class AnswerCut(BankingError):
    """The answer broke off, and did so again each time that the rest of it was asked for."""


@dataclass(frozen=True)
class Fault:
    """Why a value was refused."""

    parameter: str
    reason: str
    allowed: str | Sequence[str] | None = None
    did_you_mean: str | None = None


class Problem(BankingError):
    """An answer that is a problem (RFC 9457); each code has an exception of its own below this one."""

    def __init__(self, body: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.code = str(body.get("code", ""))
        self.status = int(body.get("status", 0))
        self.title = str(body.get("title", ""))
        self.detail = str(body.get("detail", ""))
        self.request_id: str | None = body.get("request_id")
        self.retry_after = retry_after
        """Seconds."""
        known = Fault.__dataclass_fields__
        self.faults = [Fault(**{name: one[name] for name in known if name in one}) for one in body.get("errors", [])]
        super().__init__(f"{self.title}: {self.detail}" if self.detail else self.title)

    @property
    def suggestion(self) -> str | None:
        """What was probably meant."""
        return next((one.did_you_mean for one in self.faults if one.did_you_mean), None)


def problem_of(status: int, body: bytes, headers: Mapping[str, str]) -> Problem:
    """The exception for an answer that is not one; one that is no problem document is told by its status."""
    from ._problems import PROBLEMS

    try:
        document = json.loads(body)
    except ValueError:
        document = None
    if not isinstance(document, dict) or "code" not in document:
        document = {"status": status, "title": f"The server answered {status}", "detail": body[:200].decode("utf-8", "replace")}
    after = headers.get("retry-after", "")
    return PROBLEMS.get(document.get("code", ""), Problem)(document, float(after) if after.isdigit() else None)
