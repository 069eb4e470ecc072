"""The messages of a socket: docs/SOCKET.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from websockets.typing import Subprotocol

from ._config import error_of_message
from ._decode import decode_model
from ._errors import LecternError
from ._generated.models import WordTimestamp

SUBPROTOCOL = Subprotocol("lectern.v1")

# A message has at most 64 KiB, and a character needs up to 6 bytes.
_LONGEST = 8_000


@dataclass(frozen=True)
class Audio:
    """Audio. All of a socket together is one stream in the format of its start."""

    data: bytes


@dataclass(frozen=True)
class Words:
    """The words of the audio that follows."""

    words: list[WordTimestamp]


@dataclass(frozen=True)
class Flushed:
    """The answer to each `flush`: all before it was sent, or cancelled."""


@dataclass(frozen=True)
class Done:
    """The answer to `end`, the last event of a socket."""

    characters: int
    credits_charged: int


SocketEvent = Audio | Words | Flushed | Done


def pieces_of(text: str) -> Iterator[str]:
    """The messages for a piece of text."""
    for start in range(0, len(text), _LONGEST):
        yield message("text", text=text[start : start + _LONGEST])


def message(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, **fields}, ensure_ascii=False)


def event_of(received: str | bytes) -> SocketEvent | None:
    """`None` for what this version does not know."""
    if isinstance(received, bytes):
        return Audio(received)
    told: dict[str, Any] = json.loads(received)
    match told.get("type"):
        case "words":
            return Words([decode_model(WordTimestamp, word) for word in told["words"]])
        case "flushed":
            return Flushed()
        case "done":
            return Done(told["characters"], told["credits_charged"])
        case "error":
            raise error_of_message(told["error"])
        case _:
            return None


class SocketClosedError(LecternError):
    """The socket is closed and takes nothing more."""
