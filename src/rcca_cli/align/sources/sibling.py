"""What the answer and its siblings with the other verdict do differently: the group is its own reference."""

from collections import defaultdict
from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.align.comparison import agreed, cleared, compare
from rcca_cli.credit import Mark

ADDED = 0.7  # code that no sibling has may be harmless


def marks(case: Case) -> Iterator[Mark]:
    """Of a failing answer, what is another form of code that all passing siblings have, or new.

    Of a passing one, code that all passing siblings have, by the share of the failing ones that have it in another
    form or not at all. Of a unit with two forms only the part counts that differs. Where all answers differ
    everywhere this says nothing.
    """
    places = passed(case) if case.kind == "passed" else failed(case)
    for (start, end), score in places.items():
        yield Mark(start, end, "sibling", min(score, 1.0), "sibling")
    for omission in case.omissions:
        yield Mark(omission.start, omission.end, "omission", 1.0, "sibling")


def failed(case: Case) -> dict[tuple[int, int], float]:
    """The score of each place that differs from the most alike passing sibling."""
    found = case.comparison
    if found is None:
        return {}
    harmless = cleared(case.answer, case.contrast)
    needed = agreed(found.sibling, case.contrast)
    scores = {case.answer.spans[unit]: ADDED for unit in found.added if not harmless(unit)}
    for unit, form in found.changed:
        if not harmless(unit) and needed(form):
            scores[found.core(unit, form)] = 1.0
    return scores


def passed(case: Case) -> dict[tuple[int, int], float]:
    """The score of each place that failing siblings lack."""
    needed = agreed(case.answer, case.peers)
    scores: dict[tuple[int, int], float] = defaultdict(float)
    for other in case.contrast:
        found = compare(case.answer, other)
        if found is not None:
            places = [(found.core(unit, form), unit) for unit, form in found.changed]
            places += [(case.answer.spans[unit], unit) for unit in found.added]
            for place, unit in places:
                if needed(unit):
                    scores[place] += 1 / len(case.contrast)
    return scores
