"""Makes models of JSON.

Lenient on purpose, so that an older client reads the answers of a newer service: unknown fields are left out, unknown values of an
enumeration are kept as they are, and a field that is missing is `None`.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from datetime import datetime
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


@functools.cache
def _fields(model: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    """Name in the class, name in JSON and type of each field."""
    hints = get_type_hints(model)
    # `from` is a word of Python, so its field is `from_`.
    return tuple((field.name, field.name.removesuffix("_"), hints[field.name]) for field in dataclasses.fields(model))


def _fits(kind: Any, value: Any) -> bool:
    """Which of several types a value is meant as."""
    if kind is type(None):
        return value is None
    if dataclasses.is_dataclass(kind):
        both = zip(_fields(cast(Any, kind)), dataclasses.fields(kind), strict=True)
        required = {key for (_, key, _), field in both if field.default is dataclasses.MISSING}
        return isinstance(value, dict) and required <= value.keys()
    origin = get_origin(kind)
    if origin in (list, dict):
        return isinstance(value, origin)
    return not isinstance(value, (dict, list)) and value is not None


def decode(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        match = next((one for one in get_args(kind) if _fits(one, value)), None)
        return value if match is None else decode(match, value)
    if value is None:
        return None
    if origin is list and isinstance(value, list):
        (inner,) = get_args(kind)
        return [decode(inner, one) for one in value]
    if origin is dict and isinstance(value, dict):
        inner = get_args(kind)[1]
        return {name: decode(inner, one) for name, one in value.items()}
    if kind is datetime and isinstance(value, str):
        # Python 3.10 does not read the `Z`.
        return datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return decode_model(cast(Any, kind), value)
    return value


def decode_model(model: type[T], value: dict[str, Any]) -> T:
    given = {name: decode(kind, value.get(key)) for name, key, kind in _fields(cast(Any, model))}
    return model(**given)
