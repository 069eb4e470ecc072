"""What a client knows of an operation. The operations themselves are in `_generated.operations`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

T = TypeVar("T")


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of `openapi.json`, whose answer is a `T`."""

    id: str
    method: str
    path: str
    model: type[T] | None
    query: tuple[str, ...] = ()
    idempotent: bool = field(default=False, kw_only=True)
    """Whether it accepts an `Idempotency-Key`."""
    open: bool = field(default=False, kw_only=True)
    """Whether it is called without a key."""

    @property
    def can_repeat(self) -> bool:
        """Whether sending it twice has the effect of sending it once."""
        return self.idempotent or self.method != "POST"

    def url(self, values: dict[str, Any]) -> str:
        return self.path.format_map({name: quote(str(value), safe="") for name, value in values.items()})
