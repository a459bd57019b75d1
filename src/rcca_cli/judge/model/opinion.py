"""A model's verdict: what it says, and the row that it becomes, with its quotes found in the answer."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from rcca_cli import records
from rcca_cli.judge import evidence, verdicts
from rcca_cli.judge.model.data import visible
from rcca_cli.judge.model.listing import Listing
from rcca_cli.judge.model.reply import Unreadable

SURE = 0.8  # where the model does not say how sure it is
MOST = 8  # quotes and units of one verdict, and places of one quote: more say nothing
WORDS = 600  # characters of a reason
FAILURES = frozenset(get_args(records.Failure))


@dataclass(frozen=True)
class Opinion:
    """What a model said of an item. `failure` is its own word for the kind of failure, None if it gave none."""

    passed: bool | None
    reason: str
    quotes: tuple[str, ...]
    units: tuple[str, ...]
    confidence: float
    failure: str | None


def read(arguments: Mapping[str, Any], item: str) -> Opinion:
    """The opinion in the arguments of the tool `verdict`; Unreadable if it is none, or about another item."""
    if arguments.get("item") != item:
        raise Unreadable(f"verdict: item is to be {item!r}")
    passed = arguments.get("passed", "missing")
    if passed is not None and not isinstance(passed, bool):
        raise Unreadable("verdict: passed is to be true, false or null")
    reason = arguments.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise Unreadable("verdict: reason is to be words")
    word = arguments.get("failure")
    return Opinion(
        passed,
        " ".join(visible(reason).split())[:WORDS],
        _texts(arguments, "quotes"),
        _texts(arguments, "units"),
        _confidence(arguments.get("confidence")),
        word if isinstance(word, str) and word else None,
    )


def _texts(arguments: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = arguments.get(key) or []
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise Unreadable(f"verdict: {key} is to be a list of strings")
    return tuple(dict.fromkeys(given))[:MOST]


def _confidence(given: Any) -> float:
    """In [0, 1]; what is no number says nothing."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not abs(given) < math.inf:
        return SURE
    return float(min(max(given, 0.0), 1.0))


def row(opinion: Opinion, item: str, seen: str, listing: Listing, start: int) -> dict[str, Any]:
    """The verdict's row. `seen` is the failure that the page itself suggests; `start` is the page's in the answer."""
    if opinion.passed is None:
        return verdicts.unknown(item, f"the judge model is in doubt: {opinion.reason}")
    rows, lost = places(opinion, listing, start)
    failure = None if opinion.passed else failure_of(opinion.failure, seen)
    facts = {"failure": failure, "confidence": opinion.confidence, "evidence": rows}
    dropped = (
        f" (not in the answer, so left out: {', '.join(f'“{visible(one[:60])}”' for one in lost)})" if lost else ""
    )
    return verdicts.verdict(item, opinion.passed, diagnosis=f"{opinion.reason}{dropped}", **facts)


def failure_of(word: str | None, seen: str) -> str | None:
    """The model's word if it is one of ours, null if it is another, what was `seen` if it gave none.

    >>> failure_of("dead", "silent"), failure_of("broken", "silent"), failure_of(None, "absent")
    ('dead', None, 'absent')
    """
    if word is None:
        return seen
    return word if word in FAILURES else None


def places(opinion: Opinion, listing: Listing, start: int) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of evidence, each once, and the quotes and units that are nowhere, or everywhere."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    lost: list[str] = []
    for quote in opinion.quotes:
        spans = list(found(listing.html, quote))
        if not 0 < len(spans) <= MOST:
            lost.append(quote)
        for span in spans if len(spans) <= MOST else ():
            place = (start + span[0], start + span[1])
            rows.setdefault(place, evidence.row("quote", place, quote.strip()[:160]))
    for unit in opinion.units:
        span_ = listing.span(unit)
        if span_ is None:
            lost.append(unit)
            continue
        place = (start + span_[0], start + span_[1])
        rows.setdefault(place, evidence.row("quote", place, listing.html[slice(*span_)][:160]))
    return list(rows.values()), lost


def found(text: str, quote: str) -> Iterator[tuple[int, int]]:
    """Where the quote stands, exactly as it is; nowhere if it has no word in it."""
    quote = quote.strip()
    at = text.find(quote) if any(letter.isalnum() for letter in quote) else -1
    while at >= 0:
        yield at, at + len(quote)
        at = text.find(quote, at + len(quote))


def combined(rows: Sequence[dict[str, Any]], most: int) -> dict[str, Any]:
    """One row of the votes of an item, `most` being how many could have been asked for.

    The majority's first row, its confidence times the majority's share; null if there is no majority. A vote that is
    not known counts for neither side.
    """
    if most == 1:
        return rows[0]
    known = [one for one in rows if one["passed"] is not None]
    if not known:
        return rows[0]
    sides = {side: [one for one in known if one["passed"] is side] for side in (True, False)}
    if len(sides[True]) == len(sides[False]):
        half = len(sides[True])
        return verdicts.unknown(rows[0]["rubric"], f"the votes disagree: {half} passed, {half} failed it")
    side = max(sides.values(), key=len)
    words = f"{len(side)} of {len(rows)} votes: {side[0]['diagnosis']}"
    return side[0] | {"diagnosis": words, "confidence": side[0]["confidence"] * len(side) / len(rows)}
