"""Verifies what the service posts to a webhook, as Standard Webhooks defines (docs/WEBHOOKS.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import standardwebhooks

from ._decode import decode_model
from ._errors import LecternError, WebhookVerificationError
from ._generated.models import EventType, WebhookPayload


@dataclass(frozen=True)
class WebhookEvent:
    """A verified event."""

    id: str
    """The same on every attempt: remember it, because an event may arrive twice."""
    type: EventType
    timestamp: datetime
    data: dict[str, Any]


def verify(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """The event of a request, byte for byte as it arrived; `WebhookVerificationError` if it is not to be trusted.

    `secret` is the `whsec_…` that the endpoint was made with. A message is refused when it is older than five minutes.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        webhook = standardwebhooks.Webhook(secret)
    except Exception:
        # Without the cause: it may quote the secret.
        raise LecternError("the secret is not one of a webhook: whsec_ and base64") from None
    try:
        payload = decode_model(WebhookPayload, webhook.verify(body, given))
    # The library lets other errors through for headers of the wrong form.
    except Exception as error:
        raise WebhookVerificationError(str(error) or type(error).__name__) from None
    return WebhookEvent(given["webhook-id"], payload.type, payload.timestamp, payload.data)
