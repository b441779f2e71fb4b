"""
How an answer is got, without saying how bytes are sent: a generator that yields requests to be sent and pauses to be
waited, and returns the answer. The client and the asynchronous client differ in how they do what it yields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

import httpx
import pyarrow as pa
import pyarrow.compute as pc

from ._answers import Document, Table, envelope_of
from ._arrow import CONTINUATION, ArrowDecoder
from ._cache import AnswerCache
from ._endpoint import Endpoint
from ._errors import AnswerCut, Unreachable, problem_of

ARROW = "application/vnd.apache.arrow.stream"
BUSY = (429, 503)
#: Up to here an answer is read once it is there: to read it as it comes costs a call on one bank a fifth more.
READ_WHOLE = 1 << 18
END = CONTINUATION + bytes(4)
#: So often an answer may break off without anything new before it is given up.
MOST_CUTS = 4


@dataclass(frozen=True)
class Progress:
    """Of an answer that is under way."""

    rows: int
    total: int | None
    bytes: int


@dataclass
class Request:
    """To be sent; what comes is fed into it."""

    url: str
    headers: dict[str, str]
    most_kept: int
    batch: Callable[[pa.RecordBatch], None]
    progress: Callable[[Request], None]
    status: int = 0
    told: Mapping[str, str] = field(default_factory=dict)
    cut: Exception | None = None
    size: int = 0
    is_arrow: bool = False
    arrow: ArrowDecoder | None = None
    kept: list[bytes] | None = None
    table: pa.Table | None = None
    """Of a short answer that came whole."""

    def begin(self, response: httpx.Response) -> None:
        self.status, self.told = response.status_code, response.headers
        self.size = 0
        self.is_arrow = self.status == 200 and self.told.get("content-type") == ARROW
        self.arrow = self.table = None
        self.kept = []

    def feed(self, chunk: bytes) -> None:
        self.size += len(chunk)
        if self.kept is not None:
            self.kept.append(chunk)
        if self.arrow:
            self.arrow.feed(chunk)
        elif self.is_arrow and self.size > READ_WHOLE:
            self._decode()
        if self.arrow:
            self.progress(self)
            if self.size > self.most_kept:
                self.kept = None

    def _decode(self) -> None:
        """Reads what came so far, and what comes from now on."""
        self.arrow = ArrowDecoder(self.batch)
        for chunk in self.kept or []:
            self.arrow.feed(chunk)

    def end(self, cut: Exception | None) -> None:
        """Nothing more comes."""
        self.cut = cut
        if not self.is_arrow or self.arrow:
            return
        try:
            if cut is None and (body := self.body).endswith(END):
                self.table = pa.ipc.open_stream(body).read_all()
                self.kept = [body] if self.size <= self.most_kept else None
                for batch in self.table.to_batches():
                    self.batch(batch)
            else:
                self._decode()
        except pa.ArrowInvalid as error:
            self.cut = cut or error
        self.progress(self)

    @property
    def schema(self) -> pa.Schema | None:
        return self.table.schema if self.table is not None else self.arrow.schema if self.arrow else None

    @property
    def body(self) -> bytes:
        return b"".join(self.kept or [])


Action = Union[Request, float]
Exchange = Generator[Action, None, "Table | Document"]


@dataclass(frozen=True)
class Settings:
    api_key: str | None
    max_wait: float
    compress: bool
    cache: AnswerCache | None
    progress: Callable[[Progress], None] | None

    @property
    def headers(self) -> dict[str, str]:
        headers = {"accept-encoding": "gzip" if self.compress else "identity", "user-agent": "us-banking-python"}
        return {**headers, "authorization": f"Bearer {self.api_key}"} if self.api_key else headers


class Pieces:
    """The rows that were got so far: whole quarters of answers that broke off, and those of the one under way."""

    def __init__(self, resumes: str | None) -> None:
        self.resumes = resumes
        self.whole: list[pa.Table] = []
        self.version: str | None = None
        self.under_way: list[pa.RecordBatch] = []
        self.rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self.under_way.append(batch)
        self.rows += batch.num_rows

    def forget(self) -> None:
        self.whole, self.version, self.under_way, self.rows = [], None, [], 0

    def keep_whole_quarters(self) -> str | None:
        """Drops the quarter that may lack rows, and says which one it was: what comes is asked for from there."""
        batches, self.under_way = self.under_way, []
        if self.resumes and batches and self.resumes in batches[0].schema.names:
            table = pa.Table.from_batches(batches)
            last = table.column(self.resumes)[-1]
            before = table.filter(pc.less(table.column(self.resumes), last))
            self.rows -= table.num_rows - before.num_rows
            if before.num_rows:
                self.whole.append(before)
            return str(last.as_py().isoformat())
        self.rows -= sum(batch.num_rows for batch in batches)
        return None

    def table(self, schema: pa.Schema) -> pa.Table:
        last = pa.Table.from_batches(self.under_way, schema)
        if not self.whole:
            return last
        # a short remainder has dictionaries, where a long answer has texts
        first = self.whole[0].schema
        return pa.concat_tables([*self.whole, last.cast(first)])


def exchange(settings: Settings, base: str, endpoint: Endpoint, arguments: Mapping[str, Any]) -> Exchange:
    resumable = endpoint.resumes and not any(arguments.get(name) for name in ("sort", "limit", "cursor"))
    return fetch(settings, base, endpoint.url(arguments), endpoint if resumable else None, arguments)


def fetch(
    settings: Settings, base: str, url: str, endpoint: Endpoint | None = None, arguments: Mapping[str, Any] = {}
) -> Exchange:
    """`endpoint` and `arguments`: of an answer whose rest can be asked for alone."""
    owner = hashlib.sha256((settings.api_key or "").encode()).hexdigest()
    name = f"{base}{url} {owner}"
    found = settings.cache.find(name) if settings.cache else None
    pieces = Pieces(endpoint.resumes if endpoint else None)
    asked, expected = url, None
    waited, tries, cuts = 0.0, 0, 0

    def tell(request: Request) -> None:
        if settings.progress:
            settings.progress(Progress(pieces.rows, expected or total_of(request), request.size))

    while True:
        headers = {"if-none-match": found[0]} if found and asked == url else {}
        most_kept = settings.cache.longest if settings.cache else 0
        request = Request(asked, headers, most_kept, pieces.add, tell)
        yield request
        if request.cut and request.status == 0:
            if cuts >= MOST_CUTS or waited + 2**cuts / 4 > settings.max_wait:
                raise Unreachable(f"{base} does not answer: {request.cut}") from request.cut
            yield 2**cuts / 4
            waited += 2**cuts / 4
            cuts += 1
        elif request.status in BUSY and not request.cut:
            problem = problem_of(request.status, request.body, request.told)
            pause = 2.0**tries if problem.retry_after is None else problem.retry_after
            if waited + pause > settings.max_wait:
                raise problem
            yield pause
            waited, tries = waited + pause, tries + 1
        elif request.status == 304 and found:
            return answer_of(found[1])
        elif request.status != 200 and not request.cut:
            raise problem_of(request.status, request.body, request.told)
        else:
            version = request.told.get("x-data-version")
            if pieces.version not in (None, version):
                # published anew in between: what was got is of other data
                pieces.forget()
                asked, expected = url, None
                continue
            expected = expected or total_of(request)
            if request.cut is None and is_whole(request, pieces):
                return finish(settings, name, request, pieces, expected)
            pieces.version = version
            before = sum(table.num_rows for table in pieces.whole)
            quarter = pieces.keep_whole_quarters()
            if quarter and endpoint:
                asked = endpoint.url({**arguments, "from_": quarter, "quarters": None})
            cuts = 0 if sum(table.num_rows for table in pieces.whole) > before else cuts + 1
            if cuts > MOST_CUTS:
                raise AnswerCut(f"{base}{url} broke off {cuts} times: {request.cut or 'rows are missing'}") from request.cut
            yield 2**cuts / 4


def finish(
    settings: Settings, name: str, request: Request, pieces: Pieces, expected: int | None
) -> Table | Document:
    etag = request.told.get("etag", "")
    if settings.cache and etag and request.kept is not None and not pieces.whole:
        settings.cache.keep(name, etag, request.body)
    if not request.is_arrow:
        return Document(request.body)
    short = None if pieces.whole else request.table
    table = pieces.table(request.schema) if short is None else short
    if pieces.whole and table.num_rows != expected:
        raise AnswerCut(f"the pieces have {table.num_rows} rows, the answer has {expected}")
    return Table(table)


def answer_of(body: bytes) -> Table | Document:
    """Of bytes that were kept."""
    return Table(pa.ipc.open_stream(body).read_all()) if body[:4] == CONTINUATION else Document(body)


def total_of(request: Request) -> int | None:
    text = request.told.get("x-total-count", "")
    return int(text) if text.isdigit() else None


def is_whole(request: Request, pieces: Pieces) -> bool:
    """Whether the end was seen, and as many rows as the answer said before them."""
    if not request.is_arrow:
        return True
    if request.table is None and not (request.arrow and request.arrow.ended):
        return False
    told = envelope_of(request.schema)["meta"]
    return bool(sum(batch.num_rows for batch in pieces.under_way) == told["count"])
