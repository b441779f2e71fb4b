"""The two clients: the same calls, one that waits and one that is awaited."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import httpx
import pyarrow as pa

from ._answers import Document, Table
from ._cache import AnswerCache, default_folder
from ._datasets import ENDPOINTS, Datasets
from ._endpoint import Endpoint
from ._exchange import Exchange, Progress, Request, Settings, exchange, fetch

ACCOUNT = "/api/v1/account/"
LOCAL = "http://127.0.0.1:8080"
H = TypeVar("H")


def bar(progress: Progress) -> None:
    """Writes a line over itself, for whoever looks at a terminal."""
    share = min(1.0, progress.rows / progress.total) if progress.total else 0.0
    filled = round(30 * share)
    line = f"\r[{'█' * filled}{' ' * (30 - filled)}] {progress.rows:,} rows, {progress.bytes / 1e6:,.1f} MB"
    sys.stderr.write(line + ("\n" if progress.rows == progress.total else ""))
    sys.stderr.flush()


def settings_of(
    api_key: str | None,
    max_wait: float,
    compress: bool,
    cache: bool | str | Path,
    cache_bytes: int,
    progress: bool | Callable[[Progress], None],
) -> Settings:
    folder = default_folder() if cache is True else Path(cache) if cache else None
    kept = AnswerCache(folder, cache_bytes) if folder else None
    shown = bar if progress is True else progress or None
    return Settings(api_key, max_wait, compress, kept, shown)


def endpoint_of(key: str) -> Endpoint:
    found = ENDPOINTS.get(key)
    if found:
        return found
    near = get_close_matches(key, ENDPOINTS, 1)
    raise ValueError(f"there is no dataset “{key}”" + (f"; did you mean “{near[0]}”?" if near else ""))


class _Connected(Generic[H]):
    """How both clients are made."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str = LOCAL,
        *,
        max_wait: float = 60,
        timeout: float = 60,
        cache: bool | str | Path = True,
        cache_bytes: int = 256 * 1024 * 1024,
        compress: bool = False,
        progress: bool | Callable[[Progress], None] = False,
    ) -> None:
        """
        Args:
            api_key: Public datasets need none.
            base_url: Of the server.
            max_wait: Seconds that a call may wait in all where the server asks to come again later.
            timeout: Seconds without a byte after which a connection is given up.
            cache: Where answers are kept on disk with their ETag: a folder, True for the system's, False for none. One that
                has not changed is read from there and takes nothing from the allowance.
            cache_bytes: At most so many; an answer of more than an eighth of it is not kept.
            compress: Whether to have answers compressed: worth it over a slow network.
            progress: True shows a bar on stderr; a function is called with what came so far.
        """
        self._settings = settings_of(api_key, max_wait, compress, cache, cache_bytes, progress)
        self._base = base_url.rstrip("/")
        self._http: H = self._open(base_url=self._base, timeout=timeout, headers=self._settings.headers)

    def _open(self, **options: Any) -> H:
        raise NotImplementedError


class Client(_Connected[httpx.Client], Datasets[Table, Document]):
    """Asks a server. `with Client() as client` closes its connections; threads may share it."""

    def _open(self, **options: Any) -> httpx.Client:
        return httpx.Client(**options)

    def _run(self, steps: Exchange) -> Table | Document:
        try:
            while True:
                action = next(steps)
                if isinstance(action, Request):
                    self._send(action)
                else:
                    time.sleep(action)
        except StopIteration as end:
            return cast("Table | Document", end.value)

    def _send(self, request: Request) -> None:
        cut: Exception | None = None
        try:
            with self._http.stream("GET", request.url, headers=request.headers) as response:
                request.begin(response)
                for chunk in response.iter_bytes():
                    request.feed(chunk)
        except (httpx.TransportError, httpx.DecodingError, pa.ArrowInvalid) as error:
            cut = error
        request.end(cut)

    def _either(self, key: str, arguments: Mapping[str, Any]) -> Table | Document:
        return self._run(exchange(self._settings, self._base, endpoint_of(key), arguments))

    def _table(self, key: str, arguments: Mapping[str, Any]) -> Table:
        return cast(Table, self._either(key, arguments))

    def _document(self, key: str, arguments: Mapping[str, Any]) -> Document:
        return cast(Document, self._either(key, arguments))

    def next(self, page: Table) -> Table | None:
        """The page after one that had a `limit`, or None after the last."""
        link = page.links.get("next")
        return cast(Table, self._run(fetch(self._settings, self._base, link))) if link else None

    def pages(self, first: Table) -> Iterator[Table]:
        """This page and those after it."""
        page: Table | None = first
        while page is not None:
            yield page
            page = self.next(page)

    def account(self) -> Any:
        """Plan, allowance and use of the key. Takes nothing from the allowance."""
        return cast(Document, self._run(fetch(self._settings, self._base, ACCOUNT))).data

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Connected[httpx.AsyncClient], Datasets[Awaitable[Table], Awaitable[Document]]):
    """The same, awaited: `await client.bank(852218)`."""

    def _open(self, **options: Any) -> httpx.AsyncClient:
        return httpx.AsyncClient(**options)

    async def _run(self, steps: Exchange) -> Table | Document:
        try:
            while True:
                action = next(steps)
                if isinstance(action, Request):
                    await self._send(action)
                else:
                    await asyncio.sleep(action)
        except StopIteration as end:
            return cast("Table | Document", end.value)

    async def _send(self, request: Request) -> None:
        cut: Exception | None = None
        try:
            async with self._http.stream("GET", request.url, headers=request.headers) as response:
                request.begin(response)
                async for chunk in response.aiter_bytes():
                    request.feed(chunk)
        except (httpx.TransportError, httpx.DecodingError, pa.ArrowInvalid) as error:
            cut = error
        request.end(cut)

    async def _either_of(self, key: str, arguments: Mapping[str, Any]) -> Table | Document:
        return await self._run(exchange(self._settings, self._base, endpoint_of(key), arguments))

    def _either(self, key: str, arguments: Mapping[str, Any]) -> Awaitable[Table] | Awaitable[Document]:
        return cast("Awaitable[Table]", self._either_of(key, arguments))

    def _table(self, key: str, arguments: Mapping[str, Any]) -> Awaitable[Table]:
        return cast("Awaitable[Table]", self._either_of(key, arguments))

    def _document(self, key: str, arguments: Mapping[str, Any]) -> Awaitable[Document]:
        return cast("Awaitable[Document]", self._either_of(key, arguments))

    async def next(self, page: Table) -> Table | None:
        """The page after one that had a `limit`, or None after the last."""
        link = page.links.get("next")
        return cast(Table, await self._run(fetch(self._settings, self._base, link))) if link else None

    async def pages(self, first: Table) -> AsyncIterator[Table]:
        """This page and those after it."""
        page: Table | None = first
        while page is not None:
            yield page
            page = await self.next(page)

    async def account(self) -> Any:
        """Plan, allowance and use of the key. Takes nothing from the allowance."""
        return cast(Document, await self._run(fetch(self._settings, self._base, ACCOUNT))).data

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
