"""The markup of the element that was acted on or looked at, or hides that, or the code that made it."""

from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark
from rcca_cli.credit.unit_map import LANGUAGE

PARENT, ABOVE = 0.3, 0.1  # the mask of the markup around it


def marks(case: Case) -> Iterator[Mark]:
    """Full marks for the element, or for what hides it alone; a mask that fades for the tags around it."""
    units = case.answer.units
    for row in case.evidence("element"):
        touched = [units.units[index] for index in units.touched(row["start"], row["end"])]
        score = 1.0 if row in case.hiders or not case.hiders else PARENT
        yield Mark(row["start"], row["end"], "dom", score, "element")
        if not touched or LANGUAGE[touched[0].kind] != "markup":
            continue  # made by a script, whose mask is coverage
        around = [
            unit
            for unit in units.units
            if unit.kind == "tag" and unit.start < row["start"] and unit.scope_end >= row["end"]
        ]
        for depth, unit in enumerate(reversed(around)):
            yield Mark(unit.start, unit.end, "mask", PARENT if depth == 0 else ABOVE, "element")
        for unit in touched:
            yield Mark(unit.start, unit.end, "mask", score, "element")
