"""The exceptions of this library: one for each error code, in families by status, all of them `APIError`s."""

from ._errors import (
    APIConnectionError as APIConnectionError,
    APIError as APIError,
    APITimeoutError as APITimeoutError,
    LecternError as LecternError,
    WaitTimeoutError as WaitTimeoutError,
    WebhookVerificationError as WebhookVerificationError,
)
from ._generated.errors import *  # noqa: F403
