"""One verdict of someone else's evaluator, as a rubric item and a verdict of ours."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import orjson

from rcca_cli import records, seeds
from rcca_cli.columns import VERDICT, Columns
from rcca_cli.judge.verdicts import unknown, verdict

PASSED = frozenset(["pass", "passed", "yes", "y", "true", "met", "satisfied", "success", "correct", "ok", "✓", "✅"])
FAILED = frozenset(
    ["fail", "failed", "no", "n", "false", "unmet", "not met", "unsatisfied", "not satisfied", "incorrect", "✗", "❌"]
)
HALF = frozenset(["partial", "partially", "partially met", "partial pass"])
UNKNOWN = frozenset(["", "unknown", "unclear", "unsure", "n/a", "na", "none", "null", "cannot tell", "skipped"])
FAILURES = {"crash": "exception", "unreachable": "dead", "wrong": "silent", "missing": "absent"}
IMPORTANCES = get_args(records.Importance)
FENCE = re.compile(r"^\s*```\w*\s*\n(.*?)\n?\s*```\s*$", re.S)
WORDS = 4000  # characters of a reason, or of a quote
MOST = 16  # quotes of one verdict
LARGEST = 1e100  # JSON can hold numbers of any size, and a float cannot


@dataclass(frozen=True)
class Judged:
    """A rubric item as the task has it, the verdict on it, and whether that was there and could not be read."""

    item: dict[str, Any]
    verdict: dict[str, Any]
    unread: bool = False


def parsed(given: Any) -> Mapping[str, Any] | str:
    """A verdict's object, also from a model's reply that is JSON in a string or in a fence; else why it is none."""
    if isinstance(given, str):
        fence = FENCE.match(given)
        try:
            given = orjson.loads(fence.group(1) if fence else given)
        except orjson.JSONDecodeError:
            return "the evaluator's reply is no JSON"
    return given if isinstance(given, Mapping) else "the evaluator's reply is no JSON object"


def judged(given: Any, name: str, columns: Columns, start: int, pass_at: float | None, weights: float) -> Judged:
    """What a verdict says. `name` is the item's if it has none of its own; `start` is where the page begins.

    `pass_at` is the score from which on an item counts as passed, `weights` what the largest weight of the row is.
    """
    row = parsed(given)
    if isinstance(row, str):
        return Judged(item({}, name, columns, weights), unknown(name, row), unread=True)

    def said(ours: str) -> Any:
        return columns.value(row, ours, VERDICT)

    its = item(row, name, columns, weights)
    facts: dict[str, Any] = {"diagnosis": " ".join(words(said("reason")))[:WORDS] or None}
    try:
        held, severity = outcome(said("passed"), pass_at)
    except ValueError as problem:
        return Judged(its, verdict(its["id"], None, error=str(problem), **facts), unread=True)
    if held is None:
        facts["error"] = "the evaluator does not know"
    if held is False:
        severity = severity if said("severity") is None else 0.5 if said("severity") in (0.5, "half", "minor") else 1.0
        kind = str(said("failure") or "").lower()
        kind = FAILURES.get(kind, kind)
        facts |= {"severity": severity, "failure": kind if kind in get_args(records.Failure) else None}
    confidence = said("confidence")
    if is_number(confidence) and 0 <= confidence <= 1:
        facts["confidence"] = float(confidence)
    told = [*words(said("quotes")), *words(said("units")), *words(said("selector"))]
    told += [f"line {number}" for number in words(said("lines"))]
    facts["evidence"] = [quote(text[:WORDS], start) for text in told[:MOST]]
    return Judged(its, verdict(its["id"], held, **facts))


def item(row: Mapping[str, Any], name: str, columns: Columns, weights: float = 1.0) -> dict[str, Any]:
    """The rubric item of a verdict; one without an id is called by its requirement, or else `name`."""
    requirement = columns.value(row, "requirement", VERDICT)
    own = columns.value(row, "item", VERDICT)
    text = requirement if isinstance(requirement, str) else str(own or name)
    parents, kind = columns.value(row, "parents", VERDICT), columns.value(row, "kind", VERDICT)
    check = columns.value(row, "check", VERDICT)
    return {
        "id": str(own) if own not in (None, "") else called(requirement) if isinstance(requirement, str) else name,
        "requirement": text,
        "kind": kind if kind in get_args(records.Kind) else "interaction",
        "importance": importance(columns.value(row, "importance", VERDICT), weights),
        "parents": [str(parent) for parent in parents] if isinstance(parents, list) else [],
        "check": check if isinstance(check, str) else None,
    }


def called(requirement: str) -> str:
    """A name for a requirement, the same in every answer; of a long one its beginning, and a digest of it all.

    >>> called("Adds one"), called("Pressing Add puts the entry on the list.")
    ('adds-one', 'pressing-add-puts-the-entry-715e')
    """
    words = re.findall(r"\w+", requirement.lower())
    short = [*words[:5], seeds.digest(requirement)[:4]] if len(words) > 5 else words
    return "-".join(short) or seeds.digest(requirement)


def apart(judged: Sequence[Judged]) -> list[Judged]:
    """The same, the second of two on one item called `…-2`: verdicts name their item by its id."""
    given = {one.item["id"] for one in judged}
    taken: set[str] = set()
    found = []
    for one in judged:
        own = name = one.item["id"]
        count = 1
        while name in taken or (count > 1 and name in given):
            count += 1
            name = f"{own}-{count}"
        taken.add(name)
        found.append(Judged(one.item | {"id": name}, one.verdict | {"rubric": name}, one.unread))
    return found


def outcome(value: Any, pass_at: float | None) -> tuple[bool | None, float]:
    """(passed, severity) of what an evaluator wrote as its verdict; ValueError with the reason if that is unclear.

    >>> outcome("Pass", None), outcome("partially met", None), outcome(4, 3.5), outcome("n/a", None)
    ((True, 1.0), (False, 0.5), (True, 1.0), (None, 1.0))
    >>> outcome("7/10", 0.6), outcome("7 / 10", 8)
    ((True, 1.0), (False, 1.0))
    """
    if value is None or isinstance(value, bool):
        return value, 1.0
    if isinstance(value, str):
        word = value.strip().strip(".!*").lower()
        for held, known in ((True, PASSED), (False, FAILED), (None, UNKNOWN)):
            if word in known:
                return held, 1.0
        if word in HALF:
            return False, 0.5
        try:
            value = of_most(word, pass_at) if "/" in word else number(word)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"the evaluator's verdict {value[:40]!r} is neither a pass nor a failure") from None
    if isinstance(value, int | float):
        if not is_number(value):
            raise ValueError("the evaluator's verdict is too large a number")
        if pass_at is not None:
            return value >= pass_at, 1.0
        if value in (0, 1):
            return bool(value), 1.0
        raise ValueError(f"the evaluator's verdict {value:g} is neither 0 nor 1 (say what passes: --pass-at)")
    raise ValueError("the evaluator's verdict is neither a word nor a number")


def of_most(word: str, pass_at: float | None) -> float:
    """ "7/10" as a share, or as 7 where what passes is more than 1. ValueError if it is no such thing."""
    points, most = (number(part) for part in word.split("/"))
    return points if pass_at is not None and pass_at > 1 else points / most


def number(word: str) -> float:
    """The number that a word is, as evaluators write them; ValueError for NaN, infinity and Python's own 1_0."""
    value = float(word)
    if "_" in word or not is_number(value):
        raise ValueError(word)
    return value


def importance(value: Any, weights: float) -> str:
    """Of three kinds: by its name, or by its share of the largest weight; "important" if nothing is said."""
    if isinstance(value, str) and value.lower() in IMPORTANCES:
        return value.lower()
    if is_number(value) and weights > 0:
        share = value / weights
        return "essential" if share >= 0.8 else "important" if share >= 0.45 else "optional"
    return "important"


def largest_weight(given: Sequence[Any], columns: Columns) -> float:
    """What the weights of some verdicts are shares of: the largest of them, at least 1."""
    found = [columns.value(one, "importance", VERDICT) for one in given if isinstance(one, Mapping)]
    return max([1.0, *(float(weight) for weight in found if is_number(weight))])


def is_number(value: Any) -> bool:
    """Whether a value is a number that can be reckoned with, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def quote(text: str, start: int) -> dict[str, Any]:
    """The evidence of a quote whose place is still to be found."""
    return {"kind": "quote", "start": start, "end": start, "detail": text}


def words(value: Any) -> Sequence[str]:
    """The texts in a value that is one, a number, or a list of them."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [str(one) for one in values if isinstance(one, str | int) and not isinstance(one, bool) and str(one).strip()]
