"""A judge's reply: ten marks and a total in the form asked for, or the reason why it cannot be used.

Words around the object and a fence are tolerated; nothing else is. A score anywhere but in its own field does not
exist, and of two objects neither counts: one of them may be a quotation of what an answer said.
"""

import re
from dataclasses import dataclass
from typing import Any

from rcca_cli.bench.artifacts.rows import SLOTS
from rcca_cli.chat import Answer, strict

THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.S)
OBJECT = re.compile(r'\{\s*"')
HIGHEST, WHOLE = 10, 100


class Unusable(ValueError):
    """The reply holds no marks that count; the message says why and repeats nothing of it."""


@dataclass(frozen=True)
class Marks:
    """Ten marks by id, each 0 to 10 with what decides it, and the judge's own total, 0 to 100."""

    scores: tuple[int, ...]
    evidence: tuple[str, ...]
    overall: float

    @property
    def total(self) -> int:
        """The sum of the ten marks: the score, whatever the judge says it is."""
        return sum(self.scores)


def read(answer: Answer) -> Marks:
    """The marks in a reply; Unusable if there are none that count."""
    if answer.finish_reason == "length":
        raise Unusable("it was cut off at the token limit")
    return marks(_object(THOUGHT.sub("", answer.text)))


def _object(text: str) -> dict[str, Any]:
    """The one object in a text: it begins at the first brace that opens one, and none comes after it."""
    start = OBJECT.search(text)
    if start is None:
        raise Unusable("it is empty" if not text.strip() else "it holds no JSON object")
    try:
        value, end = strict.read_object(text, start.start())
    except strict.Doubtful as error:
        raise Unusable(str(error)) from None
    except (ValueError, RecursionError):
        raise Unusable("its JSON object is cut off or malformed") from None
    if OBJECT.search(text, end):
        raise Unusable("it holds a second JSON object")
    return value


def marks(value: dict[str, Any]) -> Marks:
    """The marks in the object; Unusable if it is not of the form."""
    items = value.get("items")
    if value.keys() != {"items", "overall"} or not isinstance(items, list):
        raise Unusable("it is no object with the keys items and overall")
    found: dict[int, tuple[int, str]] = {}
    for one in items:
        if not isinstance(one, dict) or one.keys() != {"id", "evidence", "score"}:
            raise Unusable("an item is no object with the keys id, evidence and score")
        name = _whole(one["id"], "id", SLOTS - 1)
        if name in found:
            raise Unusable(f"criterion {name} is marked twice")
        if not isinstance(one["evidence"], str):
            raise Unusable(f"criterion {name}: evidence is to be words")
        found[name] = (_whole(one["score"], f"criterion {name}: score", HIGHEST), one["evidence"])
    if len(found) != SLOTS:
        raise Unusable(f"it marks {len(found)} criteria, not {SLOTS}")
    overall = value["overall"]
    if not _is_number(overall) or not 0 <= overall <= WHOLE:
        raise Unusable(f"overall is to be a number from 0 to {WHOLE}")
    ordered = [found[name] for name in range(SLOTS)]
    return Marks(tuple(score for score, _ in ordered), tuple(words for _, words in ordered), float(overall))


def _whole(value: Any, what: str, most: int) -> int:
    """A whole number from 0 to `most`; 7.0 is one, "7" is not."""
    if not _is_number(value) or not 0 <= value <= most or value != int(value):
        raise Unusable(f"{what} is to be a whole number from 0 to {most}")
    return int(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)  # no range has infinities or NaN in it
