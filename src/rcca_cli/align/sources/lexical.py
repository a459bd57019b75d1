"""The words that an item and a piece of code share."""

from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark


def marks(case: Case) -> Iterator[Mark]:
    """1 − 2^−h for each unit, h the shared words: ids, classes, names, texts. What was left out has its own."""
    for unit, score in zip(case.answer.units.units, case.answer.lexical(case.told), strict=True):
        if score:
            yield Mark(unit.start, unit.end, "lexical", score, "lexical")
    if case.comparison is not None:
        shared = case.comparison.sibling.lexical(case.told)
        for omission in case.omissions:
            score = max(shared[omission.first : omission.last])
            yield Mark(omission.start, omission.end, "lexical", score, "lexical")
