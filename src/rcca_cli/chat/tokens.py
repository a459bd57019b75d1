"""How many tokens a request cost, as servers and files of answers tell it."""

from collections.abc import Mapping
from typing import Any


def usage(told: Any) -> dict[str, int] | None:
    """Tokens read and written, under either of the names in use; None if the second is not told.

    >>> usage({"prompt_tokens": 3, "completion_tokens": 5}), usage({})
    ({'input_tokens': 3, 'output_tokens': 5}, None)
    """
    if not isinstance(told, Mapping):
        return None
    read = told.get("input_tokens", told.get("prompt_tokens"))
    written = told.get("output_tokens", told.get("completion_tokens"))
    if not is_count(written):
        return None
    return {"input_tokens": read if is_count(read) else 0, "output_tokens": written}


def is_count(value: Any) -> bool:
    """Whether a value counts tokens: a whole number that a record can hold, not below 0."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 2**53
