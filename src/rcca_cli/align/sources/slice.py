"""Where the values came from that the check saw: what set them, what decided that, two steps back."""

from collections.abc import Iterator

import numpy as np

from rcca_cli.align.case import Case
from rcca_cli.align.influence import Influence
from rcca_cli.align.sources import coverage, effect
from rcca_cli.credit import Mark

HOPS = 2
FADE = 0.5  # of the score at each step back


def marks(case: Case) -> Iterator[Mark]:
    """½ for what decided code that has the effect the check looked at, or that threw; ¼ for what decided that."""
    seeds = _seeds(case)
    if not seeds:
        return
    influence = case.answer.once(Influence)
    scores: dict[int, float] = {}
    front, score = seeds, 1.0
    for _ in range(HOPS):
        score *= FADE
        front = {unit for seed in front for unit in influence.behind(seed)} - scores.keys() - seeds
        scores |= dict.fromkeys(front, score)
    for unit in sorted(scores):
        place = case.answer.units.units[unit]
        yield Mark(place.start, place.end, "slice", scores[unit], "slice")


def _seeds(case: Case) -> set[int]:
    """Where to begin: code that threw, else code with the effect that ran in the check's window, else what has it."""
    units = case.answer.units
    thrown = {unit for row in case.evidence("stack") for unit in units.touched(row["start"], row["end"])}
    if thrown:
        return thrown
    found = {unit for mark in effect.marks(case) if mark.score == 1.0 for unit in units.touched(mark.start, mark.end)}
    rows = coverage.rows(case)
    if rows:
        ran = np.flatnonzero(coverage.covered(case.answer, rows, ("window",)))
        return (found & set(ran.tolist())) or found
    return found
