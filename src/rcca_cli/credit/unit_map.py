"""The units of an answer's page, and which of them a place in the text belongs to."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from rcca_cli.credit import calibration
from rcca_cli.source import Unit

LANGUAGE = {
    "statement": "script",
    "function": "script",
    "handler": "script",
    "selector": "style",
    "declaration": "style",
    "rule": "style",
    "tag": "markup",
    "text": "markup",
}
OMISSION = "omission"  # the kind of a unit that stands for what an answer left out: the token that went on without it
REACH = 60  # characters: a mark between two units (on a bracket) belongs to the nearest within this


class UnitMap:
    """The units of one answer that sampled tokens cover, and which of them a place belongs to."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = list(units)
        self.starts = [unit.start for unit in units]
        self.ends = [unit.end for unit in units]
        self.languages = [LANGUAGE.get(unit.kind, "") for unit in units]
        sizes = np.array([unit.end - unit.start for unit in units], dtype=float)
        self.lengths = sizes**calibration.LENGTH

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where the units are."""
        return list(zip(self.starts, self.ends, strict=True))

    def cut(self, places: Sequence[tuple[int, int]], omissions: Sequence[tuple[int, int]] = ()) -> "UnitMap":
        """The same units, cut at the ends of the places inside them; each omission is a unit of its own."""
        borders = sorted({border for place in [*places, *omissions] for border in place})
        apart = set(omissions)
        pieces = [Unit(OMISSION, start, end, start, end, "") for start, end in sorted(apart)]
        for unit in self.units:
            inside = borders[bisect_right(borders, unit.start) : bisect_left(borders, unit.end)]
            if inside:
                ends = pairwise([unit.start, *inside, unit.end])
                pieces += [replace(unit, start=start, end=end) for start, end in ends if (start, end) not in apart]
            elif (unit.start, unit.end) not in apart:
                pieces.append(unit)
        return UnitMap(sorted(pieces, key=lambda unit: unit.start))

    def touched(self, start: int, end: int) -> range:
        """The units that overlap a place, or the nearest one to it."""
        end = max(end, start + 1)
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        if first < last:
            return range(first, last)
        near = [(abs(gap), unit) for unit, gap in self._neighbours(first, start, end) if abs(gap) <= REACH]
        return range(min(near)[1], min(near)[1] + 1) if near else range(0)

    def begun(self, start: int, end: int) -> range:
        """The units that begin inside a place."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def _neighbours(self, following: int, start: int, end: int) -> list[tuple[int, int]]:
        around = []
        if following > 0:
            around.append((following - 1, start - self.ends[following - 1]))
        if following < len(self.units):
            around.append((following, self.starts[following] - end))
        return around
