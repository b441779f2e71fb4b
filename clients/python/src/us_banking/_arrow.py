"""Reads an Arrow stream while it comes, so that what was whole of a cut one is known."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from typing import Any

import pyarrow as pa

CONTINUATION = b"\xff\xff\xff\xff"
RECORD_BATCH = 3


class _Fed(io.RawIOBase):
    """What was fed and not read yet, as a file."""

    def __init__(self) -> None:
        self.parts: list[memoryview] = []

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> Any:
        """Arrow takes whatever is a buffer: what lies in one piece is not copied."""
        if not self.parts:
            return b""
        part = self.parts[0]
        if size < 0 or size > len(part):
            part, self.parts = memoryview(b"".join(self.parts)), []
            self.parts.append(part)
        taken, rest = (part, part[:0]) if size < 0 else (part[:size], part[size:])
        self.parts[:1] = [rest] if len(rest) else []
        return taken


class ArrowDecoder:
    """Record batches of an Arrow IPC stream, each as soon as it is whole. Raises ArrowInvalid where it is none."""

    def __init__(self, batch: Callable[[pa.RecordBatch], None]) -> None:
        self.schema: pa.Schema | None = None
        self.ended = False
        self._batch = batch
        self._pending: list[bytes] = []
        self._held = 0
        self._wanted = 8
        self._file = _Fed()
        self._reader: Any = None

    def feed(self, chunk: bytes) -> None:
        self._pending.append(chunk)
        self._held += len(chunk)
        if self._held < self._wanted or self.ended:
            return
        data = b"".join(self._pending) if len(self._pending) > 1 else chunk
        view, start = memoryview(data), 0
        while not self.ended:
            self._wanted, kind = message(view[start:])
            if len(view) - start < self._wanted:
                break
            self._file.parts.append(view[start : start + self._wanted])
            start += self._wanted
            self.ended = kind == 0 and self._wanted == 8
            if self._reader is None:
                self._reader = pa.ipc.open_stream(self._file)
                self.schema = self._reader.schema
            elif kind == RECORD_BATCH:
                self._batch(self._reader.read_next_batch())
        self._pending = [bytes(view[start:])]
        self._held = len(view) - start


def message(view: memoryview) -> tuple[int, int]:
    """
    Bytes of the message that begins here, or as many as are needed to know, and its kind. An encapsulated message is
    the continuation, the length of its metadata, that, and a body whose length the metadata says: a flatbuffer whose
    table has the kind in its second field and the length of the body in its fourth.
    """
    if len(view) < 8:
        return 8, 0
    if view[:4] != CONTINUATION:
        raise pa.ArrowInvalid("the answer is not an Arrow stream")
    (metadata,) = struct.unpack_from("<i", view, 4)
    if metadata == 0 or len(view) < 8 + metadata:
        return 8 + metadata, 0
    table = 8 + struct.unpack_from("<I", view, 8)[0]
    vtable = table - struct.unpack_from("<i", view, table)[0]
    (length,) = struct.unpack_from("<H", view, vtable)

    def field(index: int, form: str) -> int:
        at = 4 + 2 * index
        slot = struct.unpack_from("<H", view, vtable + at)[0] if at < length else 0
        return int(struct.unpack_from(form, view, table + slot)[0]) if slot else 0

    return 8 + metadata + field(3, "<q"), field(1, "<B")
