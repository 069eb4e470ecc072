"""Lists that come in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .._config import query_of
from .._decode import decode_model
from .._operation import Operation

if TYPE_CHECKING:
    from .client import AsyncLectern

T = TypeVar("T")


@dataclass(frozen=True)
class AsyncPage(Generic[T]):
    """One page of a list."""

    data: list[T]
    next_cursor: str | None
    """Where the next page begins; `None` on the last one."""


class AsyncPager(Generic[T]):
    """A list of any length. Iterating over it fetches page after page; nothing is fetched before."""

    def __init__(
        self,
        client: AsyncLectern,
        operation: Operation[Any],
        item: type[T],
        query: dict[str, Any],
        path: dict[str, Any] | None = None,
    ) -> None:
        self._client = client
        self._operation = operation
        self._item = item
        self._query = query
        self._path = path or {}

    async def page(self, cursor: str | None = None) -> AsyncPage[T]:
        """One page: the first, or that at a cursor."""
        query = self._query if cursor is None else {**self._query, "cursor": cursor}
        response = await self._client._send(self._operation, path=self._path, query=query_of(query))
        body = response.json()
        return AsyncPage([decode_model(self._item, one) for one in body["data"]], body.get("next_cursor"))

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """All pages, one after the other."""
        page = await self.page(self._query.get("cursor"))
        yield page
        while page.next_cursor is not None:
            page = await self.page(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item
