"""Where the clients with and without `async` differ by more than `await`."""

from __future__ import annotations

import time


def sleep(seconds: float) -> None:
    time.sleep(seconds)
