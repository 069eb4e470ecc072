"""Answers that are read piece by piece."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx

from .._errors import APIConnectionError, APITimeoutError


class AsyncBinaryStream:
    """The bytes of an answer, as they come."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    @property
    def headers(self) -> httpx.Headers:
        return self._response.headers

    def _header(self, name: str) -> str | None:
        value: str | None = self._response.headers.get(name)
        return value

    @property
    def content_type(self) -> str:
        return self._header("content-type") or ""

    @property
    def length(self) -> int | None:
        """The number of bytes, if it is known before they have come."""
        text = self._header("content-length") or ""
        return int(text) if text.isdigit() else None

    @property
    def request_id(self) -> str | None:
        return self._header("x-request-id")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._response.aiter_bytes():
                yield piece
        except httpx.TimeoutException as error:
            raise APITimeoutError("no more bytes came within the time limit") from error
        except httpx.TransportError as error:
            raise APIConnectionError(f"the connection broke: {type(error).__name__}") from error

    async def read(self) -> bytes:
        """All bytes."""
        return b"".join([piece async for piece in self])

    async def to_file(
        self, path: str | os.PathLike[str], *, progress: Callable[[int, int | None], None] | None = None
    ) -> Path:
        """Writes the bytes to a file as they come. The file appears when it is whole.

        `progress` is called with the number of bytes written and that of all, if it is known.
        """
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        written = 0
        try:
            with part.open("wb") as file:
                async for piece in self:
                    file.write(piece)
                    written += len(piece)
                    if progress:
                        progress(written, self.length)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return target


class AsyncAudioStream(AsyncBinaryStream):
    """Speech as it is spoken."""

    @property
    def synthesis_id(self) -> str | None:
        return self._header("lectern-synthesis-id")

    @property
    def characters(self) -> int:
        """The number of characters that are paid for."""
        return int(self._header("lectern-characters") or 0)

    @property
    def credits(self) -> int:
        """The price of the whole text."""
        return int(self._header("lectern-credits") or 0)

    @property
    def replayed(self) -> bool:
        """Whether an earlier request with the same Idempotency-Key was spoken."""
        return self._header("idempotent-replayed") == "true"
