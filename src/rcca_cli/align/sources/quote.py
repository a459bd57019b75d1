"""What the evaluator's text names: quotes, selectors, functions, lines of the page."""

from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark
from rcca_cli.units import matching
from rcca_cli.units.matching import Match, Reference


def marks(case: Case) -> Iterator[Mark]:
    """The places that the diagnosis names; what it names in vain lowers what the rest is worth."""
    found = matches(case)
    known = [places for places in found if places]
    for places in known:
        for place in places:
            yield Mark(place.start, place.end, "quote", place.quality * len(known) / len(found), "quote")


def unmatched(case: Case) -> int:
    """How many quotes of an item point to nothing in the code."""
    return sum(not places for places in matches(case))


def matches(case: Case) -> list[list[Match]]:
    """For each quote the places that it means; an evaluator that gave the place itself is taken at its word."""
    answer = case.answer
    found = []
    for row in case.evidence("quote"):
        if row["start"] < row["end"]:
            found.append([Match(row["start"], row["end"], 1.0)])
        else:
            found.append(matching.find(Reference("quote", row["detail"]), answer.text, answer.start, answer.end))
    for reference in matching.references(case.verdict["diagnosis"] or ""):
        found.append(matching.find(reference, answer.text, answer.start, answer.end))
    return found
