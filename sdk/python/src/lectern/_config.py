"""What both clients are made from, and what needs no connection."""

from __future__ import annotations

import json
import os
import platform
import uuid
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import httpx

from ._errors import APIError, LecternError
from ._generated.errors import BY_CODE, BY_STATUS
from ._retry import RetryPolicy, retry_after
from ._version import VERSION

USER_AGENT = f"lectern-python/{VERSION} python/{platform.python_version()}"


class NotGiven:
    """Where `None` means null: the mark of an argument that was left out."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


@dataclass(frozen=True)
class Config:
    base_url: str
    api_key: str | None = field(repr=False)
    timeout: float
    retry: RetryPolicy

    @classmethod
    def make(
        cls, api_key: str | None, base_url: str | None, timeout: float, max_retries: int, max_retry_wait: float
    ) -> Config:
        api_key = api_key or os.environ.get("LECTERN_API_KEY") or None
        base_url = base_url or os.environ.get("LECTERN_BASE_URL")
        if not base_url:
            raise LecternError("base_url is missing: pass it, or set LECTERN_BASE_URL to the service's address")
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/"):
            raise LecternError("base_url must be the service's address without a path, as https://speech.example.com")
        # Checked here, because the HTTP library would quote the key in its complaint.
        if api_key and not all("!" <= letter <= "~" for letter in api_key):
            raise LecternError("api_key has characters that no key has")
        return cls(base_url.rstrip("/"), api_key, timeout, RetryPolicy(max_retries, max_retry_wait))

    def with_options(self, timeout: float | None, max_retries: int | None) -> Config:
        retry = self.retry if max_retries is None else replace(self.retry, retries=max_retries)
        return replace(self, timeout=self.timeout if timeout is None else timeout, retry=retry)

    def headers(self, needs_key: bool) -> dict[str, str]:
        headers = {"User-Agent": USER_AGENT}
        if needs_key:
            if not self.api_key:
                raise LecternError("api_key is missing: pass it, or set LECTERN_API_KEY")
            headers["Authorization"] = f"Bearer {self.api_key}"
        return headers

    def socket_url(self, path: str) -> str:
        # http → ws, https → wss
        return "ws" + self.base_url.removeprefix("http") + path


def new_idempotency_key() -> str:
    return f"py_{uuid.uuid4().hex}"


def given(**fields: Any) -> dict[str, Any]:
    """The fields that were given: `None` is not sent."""
    return {name: value for name, value in fields.items() if value is not None}


def given_or_null(**fields: Any) -> dict[str, Any]:
    """The fields that were given, where `None` is null."""
    return {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}


def query_of(fields: dict[str, Any]) -> dict[str, str]:
    """As the service reads query parameters."""
    shown = {True: "true", False: "false"}
    return {name: shown[value] if isinstance(value, bool) else str(value) for name, value in fields.items()}


def error_of(status: int, headers: httpx.Headers, body: bytes) -> APIError:
    """The exception for a refusal, also for one that a proxy wrote."""
    try:
        error = json.loads(body)["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        error, code, message = {}, "unknown", f"HTTP status {status}"
    family = BY_STATUS.get(status, BY_STATUS[500] if status >= 500 else APIError)
    return BY_CODE.get(code, family)(
        message,
        status=status,
        code=code,
        details=error.get("details"),
        request_id=error.get("request_id") or headers.get("x-request-id"),
        retry_after=retry_after(headers),
    )


def error_of_message(error: dict[str, Any]) -> APIError:
    """The exception for an error message on a socket."""
    code = str(error.get("code", "unknown"))
    return BY_CODE.get(code, APIError)(
        str(error.get("message", "")),
        status=0,
        code=code,
        details=error.get("details"),
        request_id=error.get("request_id"),
    )
