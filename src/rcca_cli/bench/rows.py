"""The rows of a benchmark's file, whether it is JSON Lines or one JSON array."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from rcca_cli import jsonl
from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line


def read(path: str) -> Iterator[Line]:
    """The objects in a file, `-` being standard input; those of JSON Lines one by one, an array as a whole.

    RecordError, with the place, for what is neither. Of an array that is `FILE row:NUMBER`, from 1 on.
    """
    name = jsonl.input_name(path)
    lines = jsonl.numbered(path)
    first = next(lines, None)
    if first is None:
        return
    if first[1].lstrip().startswith(b"["):
        yield from _elements(b"".join(raw for _, raw in chain([first], lines)), name)
        return
    for number, raw in chain([first], lines):
        yield Line(jsonl.decode(raw, f"{name}:{number}"), name, number)


def _elements(text: bytes, name: str) -> Iterator[Line]:
    try:
        rows = json.loads(text, parse_constant=_refused)
    except UnicodeDecodeError:
        raise RecordError(f"{name}: not JSON: it is no UTF-8 (packed or of another encoding?)") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{name}: not JSON: {error}") from None
    for number, row in enumerate(rows, 1):
        yield Line(jsonl.checked(row, f"{name} row:{number}"), f"{name} row", number)


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no number that JSON has")
