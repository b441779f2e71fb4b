"""A real server, whose address and key are in the environment: BANKING_URL, BANKING_KEY."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from us_banking import Client

URL = os.environ["BANKING_URL"]
KEY = os.environ["BANKING_KEY"]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client(KEY, URL, cache=tmp_path) as made:
        yield made


@pytest.fixture(scope="session")
def bank() -> int:
    with Client(KEY, URL, cache=False) as made:
        return int(made.screen(sort="-total_assets", limit=1).row()["rssd_id"])


class CuttingProxy:
    """Passes on what the server sends, and breaks the connection after so many bytes: `cuts` for each connection in turn."""

    def __init__(self, cuts: list[int]) -> None:
        self.cuts = cuts
        self.requests: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._socket.accept()
            except OSError:
                return
            most = self.cuts.pop(0) if self.cuts else None
            threading.Thread(target=self._serve, args=(near, most), daemon=True).start()

    def _serve(self, near: socket.socket, most: int | None) -> None:
        target = urlsplit(URL)
        with near, socket.create_connection((target.hostname or "", target.port or 80)) as far:
            head = b""
            while b"\r\n\r\n" not in head:
                head += near.recv(65536)
            self.requests.append(head.split(b" ", 2)[1].decode())
            far.sendall(head.replace(b"\r\nConnection: keep-alive", b"\r\nConnection: close"))
            sent = 0
            while chunk := far.recv(65536):
                if most is not None and sent + len(chunk) > most:
                    near.sendall(chunk[: most - sent])
                    return
                near.sendall(chunk)
                sent += len(chunk)

    def close(self) -> None:
        self._socket.close()
