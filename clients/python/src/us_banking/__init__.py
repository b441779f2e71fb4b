"""US banking history as Arrow tables: a client of the US banking query server."""

from . import _problems
from ._answers import Answer, Document, Table
from ._client import AsyncClient, Client
from ._errors import AnswerCut, BankingError, Fault, Problem, Unreachable
from ._exchange import Progress
from ._problems import *  # noqa: F403

__all__ = [
    "Answer", "AnswerCut", "AsyncClient", "BankingError", "Client", "Document", "Fault", "Problem", "Progress", "Table",
    "Unreachable",
]
__all__ += _problems.__all__
