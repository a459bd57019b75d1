"""The style rules that applied to the element, and those that name it or set the property that failed."""

import re
from collections.abc import Iterator, Sequence

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark

NAMED = 0.5  # the mask of a rule that should perhaps have applied


def marks(case: Case) -> Iterator[Mark]:
    """Matched rules, rules that name a class or id of the element, declarations of the failed property."""
    properties = case.properties
    rows = case.evidence("css")
    matched = [(row["start"], row["end"]) for row in rows]
    yield from _named(case, properties, matched)
    for row in rows:
        yield Mark(row["start"], row["end"], "mask", 1.0, "css")
        yield Mark(row["start"], row["end"], "selector", 1.0, "css")
    for unit in case.answer.units.units:
        if unit.kind == "declaration" and related(unit.name, properties):
            score = 1.0 if _inside(unit.start, matched) or not rows else 0.5
            yield Mark(unit.start, unit.end, "cssprop", score, "css")


def _named(case: Case, properties: frozenset[str], matched: Sequence[tuple[int, int]]) -> Iterator[Mark]:
    """Rules that should perhaps have applied: if none that did sets the property, one that does has the wrong name."""
    names = case.element_names
    setting = [u.start for u in case.answer.units.units if u.kind == "declaration" and related(u.name, properties)]
    lost = not any(_inside(start, matched) for start in setting)
    for unit, code in zip(case.answer.units.units, case.answer.codes, strict=True):
        if unit.kind == "selector" and names & set(re.findall(r"[#.]([\w-]+)", code)):
            yield Mark(unit.scope_start, unit.scope_end, "mask", NAMED, "css")
            yield Mark(unit.start, unit.end, "selector", 0.5, "css")
        elif unit.kind == "declaration" and related(unit.name, properties):  # perhaps its selector is wrong
            yield Mark(unit.scope_start, unit.scope_end, "mask", NAMED, "css")
            yield Mark(unit.scope_start, unit.scope_start + 1, "selector", 1.0 if lost else 0.5, "css")


def _inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def related(name: str, properties: frozenset[str]) -> bool:
    """Whether a declaration sets one of the properties, in full or as a shorthand (background of background-color)."""
    return any(
        name == wanted or wanted.startswith(name + "-") or name.startswith(wanted + "-") for wanted in properties
    )
