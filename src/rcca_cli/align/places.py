"""Where in an answer the credit for one item goes: evidence fused over units, units spread over tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rcca_cli.align import anchor, dual
from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.align.sources import OF_ONE_FEATURE, SOURCES
from rcca_cli.credit import Attribution, Mark, Place, calibration, fuse
from rcca_cli.credit.unit_map import OMISSION

NEAR = 160  # characters around the place of a failed gate


@dataclass(frozen=True)
class Placed:
    """The place for the credit, and who is responsible in which unit (None where it went straight to tokens)."""

    place: Place
    attribution: Attribution | None
    presence: tuple[int, int] | None = None  # characters of a decision that lies in no unit


NOWHERE = Place(None)
MOST = 0.5  # of the mass on what was left out: then the item is one


def passed(case: Case) -> Placed:
    """Where the credit for an item that holds goes."""
    attribution = fuse(case.answer.units, telling(case), "passed")
    return Placed(Place(alpha(case.answer, attribution)), attribution)


def failed(case: Case) -> Placed:
    """Where the blame for an item that fails goes: to code that is wrong, and to where code was left out.

    An omission that cannot be placed is left out on purpose; it is never spread over the whole answer.
    """
    return blamed(case, telling(case))


def blamed(case: Case, marks: Sequence[Mark]) -> Placed:
    """Where the blame goes if this is all the evidence."""
    differs = any(mark.feature in ("sibling", "omission") for mark in marks)
    if case.kind == "absent" and not differs and not _has_feature(marks):
        return _missing(case)
    apart = [(omission.start, omission.end) for omission in case.omissions]
    both = partial(dual.split, case) if case.kind == "exception" else None
    attribution = fuse(case.answer.units, marks, case.kind, apart, both)
    if attribution is None:
        return Placed(NOWHERE, None)
    left_out = sum(
        share for unit, share in zip(attribution.units.units, attribution.mass, strict=True) if unit.kind == OMISSION
    )
    place = Place(alpha(case.answer, attribution), attribution.confidence, bool(left_out > MOST))
    return Placed(place, attribution)


def evidence(case: Case) -> list[Mark]:
    """What all sources say."""
    return [mark for source in SOURCES.values() for mark in source(case)]


def telling(case: Case) -> list[Mark]:
    """The same without what has no weight for the case's kind of failure."""
    weights = calibration.BETA[case.kind]
    asked = [source for name, source in SOURCES.items() if name not in OF_ONE_FEATURE or name in weights]
    return [mark for source in asked for mark in source(case)]


def alpha(answer: Answer, attribution: Attribution | None) -> np.ndarray | None:
    """α (token,) of an attribution over units."""
    return None if attribution is None else answer.tokens.spread(attribution.units.spans, attribution.mass)


def sibling_mass(case: Case, sibling: Answer) -> np.ndarray:
    """Which of the sibling's units the item needs (unit,)."""
    verdict = sibling.verdicts[case.item["id"]]
    marks = evidence(Case(sibling, case.item, verdict))
    attribution = fuse(sibling.units, marks, "passed")
    assert attribution is not None
    return attribution.mass


def _has_feature(marks: Sequence[Mark]) -> bool:
    """Whether some code has so much to do with the item that the feature is not absent but wrong."""
    return any(mark.feature == "lexical" and mark.score >= calibration.PRESENT for mark in marks)


def _missing(case: Case) -> Placed:
    """An omission that no comparison found: the sibling's container, if that is clear, and else nowhere."""
    longest = max((other.tokens.count for other in case.contrast), default=0)
    siblings = [other for other in case.contrast if other.units.units]
    if not siblings or case.answer.tokens.count >= calibration.SHORTER * longest:
        return Placed(Place(None, absent=True), None)
    sibling = max(siblings, key=lambda other: len(set(other.codes) & set(case.answer.codes)))
    return _present(case.answer, anchor.alpha(case.answer, sibling, sibling_mass(case, sibling)))


def _present(answer: Answer, alpha: np.ndarray | None) -> Placed:
    if alpha is None:
        return Placed(Place(None, absent=True), None)
    tokens = np.flatnonzero(alpha)
    span = int(answer.tokens.starts[tokens[0]]), int(answer.tokens.ends[tokens[-1]])
    return Placed(Place(alpha, calibration.ABSENT, absent=True), None, span)


def gate(answer: Answer, start: int | None, end: int | None, passed: bool) -> Place:
    """Of a passed gate everywhere; of a failed one half on its position and half everywhere."""
    count = answer.tokens.count
    if not count:
        return Place(None)
    everywhere = np.full(count, 1 / count)
    if passed or start is None or end is None:
        return Place(everywhere)
    place = widened(answer.text, start, end)
    if not answer.tokens.lengths([place])[0] > 0:
        return Place(everywhere)
    return Place(0.5 * answer.tokens.spread([place], np.ones(1)) + 0.5 * everywhere)


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The line of a place and the one before it, because a parser gives up behind the fault.

    Of a long line only the neighbourhood counts.
    """
    line = text.rfind("\n", 0, start) + 1
    before = text.rfind("\n", 0, max(line - 1, 0)) + 1
    behind = text.find("\n", max(end - 1, start))
    high = len(text) if behind < 0 else behind
    return max(before, start - NEAR), min(high, end + NEAR)
