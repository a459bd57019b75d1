"""What the answer has that none of its siblings with the other verdict has."""

from collections.abc import Iterator

from rcca_cli.align.answer import Case
from rcca_cli.credit import Mark


def marks(case: Case) -> Iterator[Mark]:
    """Full marks for each unit that no answer with the other verdict holds word for word.

    An answer that passes with the same code clears it. Where all answers differ everywhere this says nothing.
    """
    elsewhere = {code for other in case.contrast for code in other.codes}
    if not elsewhere:
        return
    for unit, code in zip(case.answer.units.units, case.answer.codes, strict=True):
        if code not in elsewhere:
            yield Mark(unit.start, unit.end, "sibling", 1.0, "sibling")
