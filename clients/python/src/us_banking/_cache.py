"""Answers kept on disk with their ETag, up to a size."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from contextlib import suppress
from pathlib import Path


def default_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "us-banking"


class AnswerCache:
    """A file for each answer: a line of JSON with its ETag and checksum, then its bytes. What was not asked for lately goes first."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self.most_bytes = most_bytes
        self.longest = most_bytes // 8
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._size = 0
        self._shrink()

    def _path(self, name: str) -> Path:
        return self.folder / hashlib.sha256(name.encode()).hexdigest()

    def find(self, name: str) -> tuple[str, bytes] | None:
        """ETag and bytes; a file that is not whole is none."""
        path = self._path(name)
        with suppress(OSError, ValueError, KeyError):
            head, _, body = path.read_bytes().partition(b"\n")
            told = json.loads(head)
            if told["crc32"] == zlib.crc32(body):
                os.utime(path)
                return str(told["etag"]), body
        return None

    def keep(self, name: str, etag: str, body: bytes) -> None:
        """Keeps it, if the disk lets it: a cache that cannot be written costs no answer."""
        if len(body) > self.longest:
            return
        head = json.dumps({"etag": etag, "crc32": zlib.crc32(body)}).encode()
        with suppress(OSError):
            handle, made = tempfile.mkstemp(dir=self.folder, suffix=".new")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(head + b"\n" + body)
                os.replace(made, self._path(name))
            except OSError:
                os.unlink(made)
                raise
            self._size += len(head) + len(body)
            if self._size > self.most_bytes:
                self._shrink()

    def _shrink(self) -> None:
        """Looks what there is, other processes' files too, and makes room for a while where it is too much."""
        entries = []
        for path in self.folder.iterdir():
            with suppress(OSError):
                entries.append((path.stat().st_mtime_ns, path.stat().st_size, path))
        self._size = sum(size for _, size, _ in entries)
        if self._size <= self.most_bytes:
            return
        for _, size, path in sorted(entries, key=lambda entry: entry[0]):
            if self._size <= self.most_bytes * 0.9:
                break
            with suppress(OSError):
                path.unlink()
                self._size -= size
