"""The client: sends requests, and sends them again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, TypeVar

import httpx

from .._config import Config, error_of, new_idempotency_key, query_of
from .._decode import decode
from .._errors import APIConnectionError, APITimeoutError
from .._operation import Operation
from .._runtime_async import sleep
from .resources import (
    AsyncAccount,
    AsyncCredits,
    AsyncEreaders,
    AsyncEvents,
    AsyncFiles,
    AsyncKeys,
    AsyncLexicons,
    AsyncMaterials,
    AsyncSpeech,
    AsyncWebhooks,
)

T = TypeVar("T")


class AsyncLectern:
    """A client of a Lectern service.

    `api_key` is by default that of `LECTERN_API_KEY`, and `base_url` that of `LECTERN_BASE_URL`. `timeout` is how many
    seconds the service may send nothing. What fails for reasons that pass is sent again up to `max_retries` times, after
    the time that the service asks for; if it asks for more than `max_retry_wait` seconds, the error is raised at once.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        max_retry_wait: float = 60.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        config = Config.make(api_key, base_url, timeout, max_retries, max_retry_wait)
        self._begin(config, http_client or httpx.AsyncClient(), owns=http_client is None)

    def _begin(self, config: Config, http: httpx.AsyncClient, *, owns: bool) -> None:
        self._config = config
        self._http = http
        self._owns_http = owns
        self.account = AsyncAccount(self)
        self.credits = AsyncCredits(self)
        self.ereaders = AsyncEreaders(self)
        self.events = AsyncEvents(self)
        self.files = AsyncFiles(self)
        self.keys = AsyncKeys(self)
        self.lexicons = AsyncLexicons(self)
        self.materials = AsyncMaterials(self)
        self.speech = AsyncSpeech(self)
        self.webhooks = AsyncWebhooks(self)

    def __repr__(self) -> str:
        return f"AsyncLectern(base_url={self._config.base_url!r})"

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> AsyncLectern:
        """The same client with other limits. It shares the connections."""
        other = object.__new__(AsyncLectern)
        other._begin(self._config.with_options(timeout, max_retries), self._http, owns=False)
        return other

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncLectern:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def request(
        self,
        operation: Operation[T],
        *,
        path: dict[str, Any] | None = None,
        query: dict[str, Any] | None = None,
        json: Any = None,
        headers: dict[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> T:
        """Calls any operation of `lectern.operations`, also those that have no method of their own.

        The answer is the operation's model; an answer that is not JSON is `bytes`.
        """
        response = await self._send(
            operation,
            path=path,
            query=query_of(query or {}),
            body=None if json is None else lambda: {"json": json},
            headers=headers,
            idempotency_key=idempotency_key,
        )
        if not response.headers.get("content-type", "").startswith("application/json"):
            answer: Any = response.content
            return answer  # type: ignore[no-any-return]
        return self._decoded(operation, response)

    def _decoded(self, operation: Operation[T], response: httpx.Response) -> T:
        answer: T = decode(operation.model, response.json())
        return answer

    async def _json(self, operation: Operation[T], **arguments: Any) -> T:
        return self._decoded(operation, await self._send(operation, **arguments))

    async def _send(
        self,
        operation: Operation[Any],
        *,
        url: str | None = None,
        path: dict[str, Any] | None = None,
        query: dict[str, str] | None = None,
        body: Callable[[], dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
        idempotency_key: str | None = None,
        stream: bool = False,
        read_timeout: float | None = None,
    ) -> httpx.Response:
        """The answer of an operation that succeeded. `body` makes the arguments of httpx anew for each attempt."""
        url = url or self._config.base_url + operation.url(path or {})
        sent = {**self._config.headers(not operation.open), **(headers or {})}
        if operation.idempotent:
            # The same for each attempt, so that the service does it once.
            sent["Idempotency-Key"] = idempotency_key or new_idempotency_key()
        timeout = httpx.Timeout(self._config.timeout, read=read_timeout or self._config.timeout)
        attempt = 0
        while True:
            wait: float | None
            try:
                request = self._http.build_request(
                    operation.method,
                    url,
                    params=query or None,
                    headers=sent,
                    timeout=timeout,
                    **(body() if body else {}),
                )
                response = await self._http.send(request, stream=True, follow_redirects=False)
                if response.status_code >= 300 or not stream:
                    try:
                        await response.aread()
                    finally:
                        await response.aclose()
            except httpx.TransportError as error:
                wait = self._config.retry.after_failure(operation, error, attempt)
                if wait is None:
                    if isinstance(error, httpx.TimeoutException):
                        raise APITimeoutError(f"{operation.id}: no answer within the time limit") from error
                    raise APIConnectionError(f"{operation.id}: {type(error).__name__}: {error}") from error
            else:
                if response.status_code < 300 or response.status_code == 304:
                    return response
                wait = self._config.retry.after_response(operation, response, attempt)
                if wait is None:
                    raise error_of(response.status_code, response.headers, response.content)
            await sleep(wait)
            attempt += 1

    @asynccontextmanager
    async def _streamed(self, operation: Operation[Any], **arguments: Any) -> AsyncGenerator[httpx.Response, None]:
        response = await self._send(operation, stream=True, **arguments)
        try:
            yield response
        finally:
            await response.aclose()
