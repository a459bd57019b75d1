"""What the evaluator's text names: quotes, near quotes, selectors, names, lines, "the reset handler"."""

from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark


def marks(case: Case) -> Iterator[Mark]:
    """The places that the evaluator names, by reference; what it names in vain lowers what the rest is worth."""
    known = [places for places in case.named if places]
    for number, places in enumerate(known):
        for place in places:
            yield Mark(place.start, place.end, "quote", place.quality * len(known) / len(case.named), "quote", number)


def unmatched(case: Case) -> int:
    """How many references of an item point to nothing in the code."""
    return sum(not places for places in case.named)
