"""When a request is sent again, and after how long. The same rules for clients with and without `async`."""

from __future__ import annotations

import email.utils
import random
import time
from dataclasses import dataclass

import httpx

from ._operation import Operation


def retry_after(headers: httpx.Headers) -> float | None:
    """The seconds of `Retry-After`, which a proxy may write as a date."""
    text = headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True)
class RetryPolicy:
    retries: int
    longest_wait: float

    def _backoff(self, attempt: int) -> float:
        """Half a second, doubled each time, up to 8 s, less up to a quarter by chance."""
        return min(8.0, 0.5 * 2.0**attempt) * (1 - random.random() / 4)

    def after_response(self, operation: Operation[object], response: httpx.Response, attempt: int) -> float | None:
        """How long to wait before sending again; `None` for not at all."""
        if attempt >= self.retries:
            return None
        if response.status_code in (429, 503):
            # Refused before anything was done, so any request may be sent again.
            asked = retry_after(response.headers)
            if asked is None:
                return self._backoff(attempt)
            return asked if asked <= self.longest_wait else None
        if response.status_code in (500, 502, 504) and operation.can_repeat:
            return self._backoff(attempt)
        return None

    def after_failure(self, operation: Operation[object], error: httpx.TransportError, attempt: int) -> float | None:
        if attempt >= self.retries:
            return None
        never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        return self._backoff(attempt) if never_sent or operation.can_repeat else None
