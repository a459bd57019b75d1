"""JSON of a model's own writing, read strictly: what two readers could read as two things is refused."""

import json
from typing import Any


class Doubtful(ValueError):
    """An object with a key twice, or a number that JSON does not have; the message repeats nothing of its text."""


def read_object(text: str, start: int) -> tuple[dict[str, Any], int]:
    """The object that begins at `start`, and where it ends.

    Doubtful; or ValueError or RecursionError (also for a number of thousands of digits) where it is malformed.
    """
    value, end = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refused).raw_decode(text, start)
    return dict(value), end


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Doubtful("the same key twice in one object")
    return value


def _refused(word: str) -> Any:
    raise Doubtful(f"{word} is no number")
