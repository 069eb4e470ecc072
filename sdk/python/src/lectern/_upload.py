"""Files on their way to the service."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

Progress = Callable[[int, int], None]
"""Called with the number of bytes that are sent and that of all."""

Uploadable = bytes | str | os.PathLike[str] | IO[bytes]
"""The bytes of a file, its path, or a file that is open for reading bytes and can be read again."""


class _Counting:
    """A file that tells how far it was read."""

    def __init__(self, file: IO[bytes], progress: Progress) -> None:
        self._file = file
        self._progress = progress
        self._size = _size(file)

    def read(self, count: int = -1) -> bytes:
        piece = self._file.read(count)
        if piece:
            self._progress(self._file.tell(), self._size)
        return piece

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _size(file: IO[bytes]) -> int:
    place = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(place)
    return size


class Upload:
    """A form with a file. It can be sent several times."""

    def __init__(
        self, file: Uploadable, filename: str | None, fields: dict[str, str], progress: Progress | None
    ) -> None:
        self._owned = isinstance(file, (str, os.PathLike))
        self._file: IO[bytes]
        if isinstance(file, (str, os.PathLike)):
            self._file = Path(file).open("rb")
        elif isinstance(file, bytes):
            self._file = io.BytesIO(file)
        else:
            self._file = file
        # A file that was opened for it is sent from where it stands.
        self._start = self._file.tell()
        self._name = filename or Path(str(getattr(self._file, "name", "") or "upload")).name
        self._fields = fields
        self._progress = progress

    def body(self) -> dict[str, Any]:
        self._file.seek(self._start)
        file: Any = _Counting(self._file, self._progress) if self._progress else self._file
        return {"files": {"file": (self._name, file, "application/octet-stream")}, "data": self._fields}

    def close(self) -> None:
        if self._owned:
            self._file.close()
