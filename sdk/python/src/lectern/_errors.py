"""The exceptions that all others derive from. Those for each error code are in `lectern.errors`."""

from __future__ import annotations

from typing import Any


class LecternError(Exception):
    """Anything that goes wrong in this library."""


class APIConnectionError(LecternError):
    """The service could not be reached, or the connection broke."""


class APITimeoutError(APIConnectionError):
    """The service did not answer within the time limit."""


class WaitTimeoutError(LecternError):
    """What was waited for did not happen within the time limit. It goes on at the service."""


class WebhookVerificationError(LecternError):
    """The message does not come from the service, or it is too old."""


class APIError(LecternError):
    """The service refused a request. `code` says why; docs/ERRORS.md lists all codes."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        details: dict[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """For people; it may change."""
        self.status = status
        """The HTTP status. 0 for an error on a socket."""
        self.code = code
        """The stable identifier to match on."""
        self.details = details or {}
        """Details that depend on the code."""
        self.request_id = request_id
        """Quote it when you ask for help."""
        self.retry_after = retry_after
        """When to try again, in seconds from then, if the service said so."""

    def __str__(self) -> str:
        place = f", {self.request_id}" if self.request_id else ""
        return f"{self.message} ({self.code}{place})"
