"""What happens to a material, and how it is told."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

ENDS = {"material.completed", "material.failed", "material.deleted"}
"""The events after which the service closes the stream."""


@dataclass(frozen=True)
class MaterialEvent:
    """Something that happened to a material, as `chunk.completed`."""

    type: str
    sequence: int | None
    """Counts the events of a material from 1. `None` for `material.deleted`."""
    data: dict[str, Any]
    """The same as the `data` of the webhook."""


class EventReader:
    """Makes events of the lines of a stream of server-sent events."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def line(self, line: str) -> MaterialEvent | None:
        if line:
            name, _, value = line.partition(":")
            if name:
                value = value.removeprefix(" ")
                before = self._fields.get(name)
                self._fields[name] = value if name != "data" or before is None else f"{before}\n{value}"
            return None
        fields, self._fields = self._fields, {}
        if "event" not in fields or "data" not in fields:
            return None
        sequence = int(fields["id"]) if fields.get("id", "").isdigit() else None
        return MaterialEvent(fields["event"], sequence, json.loads(fields["data"]))
