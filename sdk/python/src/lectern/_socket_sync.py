"""Sockets with threads. `_socket_async` has the same with `async`; what they share is in `_socket`."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from ._config import USER_AGENT, Config, error_of
from ._errors import APIConnectionError
from ._operation import Operation
from ._socket import SUBPROTOCOL, SocketClosedError, SocketEvent, event_of, message, pieces_of


class Socket:
    """An open socket. Iterating over it gives what the service sends, until `Done`.

    Another thread may send meanwhile.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def _send(self, text: str) -> None:
        try:
            self._connection.send(text)
        except ConnectionClosed as error:
            raise SocketClosedError("the socket is closed") from error

    def send(self, text: str) -> None:
        """The next piece of the text. Words may be cut anywhere."""
        for piece in pieces_of(text):
            self._send(piece)

    def flush(self) -> None:
        """Say all that came, even if its last sentence has not ended."""
        self._send(message("flush"))

    def cancel(self) -> None:
        """Stop at once, and forget what was not said. The socket stays open for more text."""
        self._send(message("cancel"))

    def end(self) -> None:
        """Say all that came, then close."""
        self._send(message("end"))

    def __iter__(self) -> Iterator[SocketEvent]:
        try:
            for received in self._connection:
                event = event_of(received)
                if event is not None:
                    yield event
        except ConnectionClosedError as error:
            raise APIConnectionError(f"the socket broke: {error}") from error

    def speak(self, texts: Iterable[str]) -> Iterator[SocketEvent]:
        """Sends all texts, then `end`, and meanwhile gives what the service sends. The texts are read by a thread."""
        failures: list[Exception] = []

        def feed() -> None:
            try:
                for text in texts:
                    self.send(text)
                self.end()
            except SocketClosedError:
                pass  # The one who reads is told why.
            except Exception as error:
                failures.append(error)
                self._connection.close()

        feeding = threading.Thread(target=feed, name="lectern-socket", daemon=True)
        feeding.start()
        yield from self
        feeding.join(timeout=5)
        if failures:
            raise failures[0]


def _connected(config: Config, operation: Operation[Any]) -> ClientConnection:
    attempt = 0
    while True:
        try:
            return connect(
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
        time.sleep(wait)
        attempt += 1


@contextmanager
def open_socket(config: Config, operation: Operation[Any], start: dict[str, Any]) -> Generator[Socket, None, None]:
    with _connected(config, operation) as connection:
        connection.send(message("start", **start))
        yield Socket(connection)
