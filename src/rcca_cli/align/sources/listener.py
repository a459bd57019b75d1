"""The handlers of the event that an action raised, on its target and above."""

import re
from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark


def marks(case: Case) -> Iterator[Mark]:
    """1 / (1 + d/2) for a handler on the d-th ancestor of the target; the detail ends with d.

    Under a dead action the code that registers handlers is suspect itself, where it shares a word with the item.
    """
    for row in case.evidence("listener"):
        depth = re.search(r"(\d{1,9})\s*$", row["detail"])
        score = 1 / (1 + int(depth.group(1) if depth else 0) / 2)
        yield Mark(row["start"], row["end"], "listener", score, "listener")
    if case.kind == "dead":
        told = case.told
        for unit, found in zip(case.answer.units.units, case.answer.words, strict=True):
            if unit.kind == "handler" and found & told:
                yield Mark(unit.start, unit.end, "listener", 1.0, "listener")
