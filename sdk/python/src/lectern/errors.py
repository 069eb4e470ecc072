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
from ._generated.errors import BY_CODE as BY_CODE, BY_STATUS as BY_STATUS

# Tracebacks name the module that programs import from.
for _error in {*BY_CODE.values(), *BY_STATUS.values()}:
    _error.__module__ = __name__
