"""Sockets with `async`. `_socket_sync` has the same with threads; what they share is in `_socket`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus, WebSocketException

from ._config import USER_AGENT, Config, error_of
from ._errors import APIConnectionError
from ._operation import Operation
from ._runtime_async import sleep
from ._socket import SUBPROTOCOL, SocketClosedError, SocketEvent, event_of, message, pieces_of


class AsyncSocket:
    """An open socket. Iterating over it gives what the service sends, until `Done`."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def _send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except ConnectionClosed as error:
            raise SocketClosedError("the socket is closed") from error

    async def send(self, text: str) -> None:
        """The next piece of the text. Words may be cut anywhere."""
        for piece in pieces_of(text):
            await self._send(piece)

    async def flush(self) -> None:
        """Say all that came, even if its last sentence has not ended."""
        await self._send(message("flush"))

    async def cancel(self) -> None:
        """Stop at once, and forget what was not said. The socket stays open for more text."""
        await self._send(message("cancel"))

    async def end(self) -> None:
        """Say all that came, then close."""
        await self._send(message("end"))

    async def __aiter__(self) -> AsyncIterator[SocketEvent]:
        try:
            async for received in self._connection:
                event = event_of(received)
                if event is not None:
                    yield event
        except ConnectionClosedError as error:
            raise APIConnectionError(f"the socket broke: {error}") from error

    async def speak(self, texts: Iterable[str] | AsyncIterable[str]) -> AsyncIterator[SocketEvent]:
        """Sends all texts, then `end`, and meanwhile gives what the service sends."""
        feeding = asyncio.create_task(self._feed(texts))
        try:
            async for event in self:
                yield event
            await feeding
        finally:
            feeding.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await feeding

    async def _feed(self, texts: Iterable[str] | AsyncIterable[str]) -> None:
        try:
            if isinstance(texts, AsyncIterable):
                async for text in texts:
                    await self.send(text)
            else:
                for text in texts:
                    await self.send(text)
            await self.end()
        except SocketClosedError:
            pass  # The one who reads is told why.
        except Exception:
            await self._connection.close()
            raise


async def _connected(config: Config, operation: Operation[Any]) -> ClientConnection:
    attempt = 0
    while True:
        try:
            return await connect(
                config.socket_url(operation.path),
                additional_headers={"Authorization": config.headers(True)["Authorization"]},
                user_agent_header=USER_AGENT,
                subprotocols=[SUBPROTOCOL],
                open_timeout=config.timeout,
                compression=None,
                max_size=None,
            )
        except InvalidStatus as error:
            answer = error.response
            headers = httpx.Headers(list(answer.headers.raw_items()))
            response = httpx.Response(answer.status_code, headers=headers)
            wait = config.retry.after_response(operation, response, attempt)
            if wait is None:
                raise error_of(answer.status_code, headers, bytes(answer.body or b"")) from None
        except (OSError, TimeoutError, WebSocketException) as error:
            wait = config.retry.after_failure(operation, httpx.ConnectError(""), attempt)
            if wait is None:
                raise APIConnectionError(f"the socket could not be opened: {type(error).__name__}") from error
        await sleep(wait)
        attempt += 1


@asynccontextmanager
async def open_socket(config: Config, operation: Operation[Any], start: dict[str, Any]) -> AsyncGenerator[AsyncSocket, None]:
    async with await _connected(config, operation) as connection:
        await connection.send(message("start", **start))
        yield AsyncSocket(connection)
