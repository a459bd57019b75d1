"""The words that an item and a piece of code share."""

from collections.abc import Iterator

from rcca_cli.align.answer import Case
from rcca_cli.credit import Mark

FEW = 3  # a word in at most this many units counts in full, in more only by its share


def marks(case: Case) -> Iterator[Mark]:
    """1 − 2^−h for each unit, h the shared words: ids, classes, names, texts."""
    counts = case.answer.word_counts
    told = case.told
    for unit, found in zip(case.answer.units.units, case.answer.words, strict=True):
        hits = sum(min(1.0, FEW / counts[word]) for word in sorted(found & told))
        if hits:
            yield Mark(unit.start, unit.end, "lexical", 1 - 2**-hits, "lexical")
