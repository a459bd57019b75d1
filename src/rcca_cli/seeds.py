"""Randomness and identity from names and content, never from order, clock or process."""

import dataclasses
import json
import random
from hashlib import blake2b
from typing import Any

import orjson


def digest(value: Any, size: int = 8) -> str:
    """`2 * size` hex digits that depend on the JSON content of `value` alone, whatever its key order.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    try:
        content = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:  # a lone surrogate, or an integer beyond 64 bits
        content = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    return blake2b(content, digest_size=size).hexdigest()


def derive(*names: str | int) -> int:
    """A seed in [0, 2**63) for the thing these names name.

    >>> derive(1, "task", 0) == derive(1, "task", 0) != derive(1, "task", 1)
    True
    """
    return int(digest(list(names)), 16) >> 1


def generator(*names: str | int) -> random.Random:
    """A generator of its own for the thing these names name."""
    return random.Random(derive(*names))


def config_digest(options: Any) -> str:
    """The digest of the options that change a stage's output.

    `options` is a dataclass; fields made with `metadata={"config": False}` (how many jobs, which
    device) do not count, because the bytes must not depend on them. One made with `metadata={"config": "given"}` counts
    unless it is null: what was made before there was such an option has the digest it had.
    """
    return digest({name: _plain(value) for name, value in counting(options).items()})


def counting(options: Any) -> dict[str, Any]:
    """The options that change a stage's output, by name."""
    found = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    ways = {field.name: field.metadata.get("config", True) for field in dataclasses.fields(options)}
    return {
        name: value for name, value in found.items() if (value is not None if ways[name] == "given" else ways[name])
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | list | tuple | dict | None) else str(value)
