"""Where the clients with and without `async` differ by more than `await`."""

from __future__ import annotations

import anyio


async def sleep(seconds: float) -> None:
    await anyio.sleep(seconds)
