"""MiniAppBench's own tasks as records: six fields a row, whose reference in prose becomes a rubric without checks.

Each sentence of the reference is an item of its dimension. None of them may fail: the published rubric wants every
required element on the page and every required interaction possible. Where the reference asks for more than the request
does, the request wins, as there; each item says so in its `note`, to whoever judges it.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from rcca_cli import seeds
from rcca_cli.bench.miniapp import contract, shorthand
from rcca_cli.jsonl import Line
from rcca_cli.records import SCHEMA

PREFIX = "miniappbench:"
REFERENCES = ("eval-reference", "eval_reference", "evalReference", "reference")
WORDS = ("description", "text", "content", "checkpoint", "criterion", "requirement", "title")  # keys of an item's text
LEVELS = {"easy": "Easy", "mid": "Mid", "medium": "Mid", "middle": "Mid", "hard": "Hard"}
UNKNOWN = "unknown"
NOTE = "From a reference that may ask for more than the request did; then what was requested counts."
# What a dimension asks where the reference does not say; without one judges are known to be lenient.
PLAIN = {
    "intention": "The page is what was asked for: its title, its main parts and the way to what the user wants fit it.",
    "static": "Everything the request wants to see is on the page, readable and well arranged, from the start.",
    "dynamic": "Every interaction that the request wants works when it is really used, to its end.",
}
Task = dict[str, Any]


def record(line: Line, number: int) -> Task:
    """The record of one row, the `number`th from 1 on; RecordError if it holds no task."""
    row = line.record
    query = row.get("query")
    if not isinstance(query, str) or not query.strip():
        raise line.error("expected a task: a string 'query' (MiniAppBench's fields), or a record with 'task'")
    name = f"{PREFIX}{index(line, number)}"
    task = {
        "prompt": contract.prompt(query),
        "class": word(row.get("class")) or UNKNOWN,
        "subclass": word(row.get("subclass")) or UNKNOWN,
        "level": level(row.get("level")),
        "index": index(line, number),
        "source": name,
        "rubric": rubric(line),
        "config": seeds.digest(row),
    }
    return {"schema": SCHEMA, "id": name, "group": name, "task": task}


def index(line: Line, number: int) -> int:
    """The task's number; its place in the file if it has none."""
    given = line.record.get("index")
    if given is None:
        return number
    told = whole_number(given)
    if told is None:
        raise line.error(f"index: expected a whole number, not {str(given)[:40]!r}")
    return told


def whole_number(given: Any) -> int | None:
    """A number of a task, also as a string or as 7.0; None for what is none, or more than JSON holds exactly.

    >>> whole_number("007"), whole_number(7.0), whole_number("7.5"), whole_number(True)
    (7, 7, None, None)
    """
    if isinstance(given, str):
        digits = re.fullmatch(r"\s*(\d{1,15})\s*", given, re.A)
        return int(digits[1]) if digits else None
    known = isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < 2**53
    return int(given) if known and given == int(given) else None


def level(given: Any) -> str:
    """Easy, Mid or Hard; "Medium" is Mid, as in the paper's prose.

    >>> level("Medium"), level("hard"), level(None)
    ('Mid', 'Hard', 'unknown')
    """
    return LEVELS.get(word(given).lower(), word(given) or UNKNOWN)


def word(given: Any) -> str:
    """A text on one line; "" for what is none."""
    return " ".join(given.split()) if isinstance(given, str) else ""


def rubric(line: Line) -> list[dict[str, Any]]:
    """The row's own rubric if it has one (as in our suite), else one from its reference."""
    row = line.record
    try:
        return shorthand.spelt_out(row) if "rubric" in row else from_reference(reference(row))
    except RecursionError:
        raise line.error("the rubric or reference goes on in itself, or is nested too deep") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise line.error(f"rubric: {error}") from None


def reference(row: Mapping[str, Any]) -> dict[str, list[str]]:
    """The sentences of each dimension, in whatever form the reference came; empty lists without one.

    What is not told apart by dimension speaks for all three.
    """
    given = next((row[key] for key in REFERENCES if row.get(key) is not None), None)
    if isinstance(given, str):
        given = _parsed(given)
    if isinstance(given, Mapping):
        named = {str(key).strip().lower(): value for key, value in given.items()}
        return {name: sentences(named.get(name)) for name in PLAIN}
    loose = "; ".join(sentences(given))
    return {name: [f"{plain} A reference says: {loose}"] if loose else [] for name, plain in PLAIN.items()}


def _parsed(text: str) -> Any:
    """What JSON in a string holds; the string where it holds none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def sentences(given: Any) -> list[str]:
    """The sentences in a list, or in one string a line each, without bullets; an object is its text.

    >>> sentences("1. A box\\n- A button"), sentences(["A list", {"id": 2, "description": "A count"}]), sentences(None)
    (['A box', 'A button'], ['A list', 'A count'], [])
    """
    if isinstance(given, str):
        return [text for part in given.splitlines() if (text := _bare(part))]
    if isinstance(given, Mapping):
        said = next((given[key] for key in WORDS if isinstance(given.get(key), str)), None)
        return [word(said if said is not None else json.dumps(given, ensure_ascii=False))]
    if isinstance(given, list):
        return [text for part in given for text in ([word(part)] if isinstance(part, str) else sentences(part)) if text]
    return [] if given is None else [str(given)]


def _bare(text: str) -> str:
    """A line without its bullet or number."""
    return re.sub(r"^(?:[-*•]|\d+[.)])\s+", "", word(text))


def from_reference(told: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """An item a sentence, without a check; a dimension that nothing is said of asks for the plain thing."""
    return [
        item(name, number, sentence, NOTE if told[name] else "")
        for name, plain in PLAIN.items()
        for number, sentence in enumerate(told[name] or [plain], 1)
    ]


def item(dimension: str, number: int, requirement: str, note: str) -> dict[str, Any]:
    """One item; `dimension` is the score that it counts for (rule.py)."""
    return {
        "id": f"{dimension}-{number}",
        "requirement": requirement,
        "kind": "interaction" if dimension == "dynamic" else "initial",
        "importance": "essential",
        "parents": [],
        "check": None,
        "dimension": dimension,
        "note": note,
    }
