"""Which of an answer's units hold a known fault."""

from collections.abc import Sequence

import numpy as np

from rcca_cli.source import Unit

SCOPE = 600  # characters: a larger function, rule or element is no place


def holding(units: Sequence[Unit], edits: Sequence[tuple[int, int]]) -> np.ndarray:
    """Which units (unit,) a fault is in.

    Of code that was written wrong: the units that it touches. Of code that was left out: the units of the innermost
    function, rule or element around the place, or if that is large the two at the place.
    """
    found = np.zeros(len(units), dtype=bool)
    for start, end in edits:
        if start < end:
            found |= touched(units, start, end)
        else:
            found |= around(units, start)
    return found


def touched(units: Sequence[Unit], start: int, end: int) -> np.ndarray:
    """The units that overlap a place, or the nearest one if it lies between two."""
    inside = np.array([unit.start < end and start < unit.end for unit in units], dtype=bool)
    if not inside.any() and len(units):
        gaps = [max(unit.start - end, start - unit.end) for unit in units]
        inside[int(np.argmin(gaps))] = True
    return inside


def around(units: Sequence[Unit], place: int) -> np.ndarray:
    """The units of the innermost scope around a place; the neighbours where that is all of a script."""
    scopes = {
        (unit.scope_start, unit.scope_end)
        for unit in units
        if unit.scope_start < place < unit.scope_end and unit.scope_end - unit.scope_start <= SCOPE
    }
    found = np.zeros(len(units), dtype=bool)
    if scopes:
        low, high = min(scopes, key=lambda scope: scope[1] - scope[0])
        return np.array([low <= unit.start < high for unit in units], dtype=bool)
    behind = next((index for index, unit in enumerate(units) if unit.start >= place), len(units))
    found[max(behind - 1, 0) : behind + 1] = True
    return found
