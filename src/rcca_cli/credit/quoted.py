"""What an evaluator named: how its references share the units, and how far each is believed."""

from collections.abc import Sequence

import numpy as np

from rcca_cli.credit import calibration
from rcca_cli.credit.evidence import Mark
from rcca_cli.credit.unit_map import UnitMap


def places(unit_map: UnitMap, quotes: Sequence[Mark], share: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """For each reference to code its quality, and g (unit,), Σ g = 1: its places by their quality times `share`."""
    found = []
    for reference in sorted({mark.of for mark in quotes}):
        own = [mark for mark in quotes if mark.of == reference]
        best = max(mark.score for mark in own)
        named = np.zeros(len(unit_map.units))
        for mark in own:
            covered = unit_map.touched(mark.start, mark.end)
            part = named[covered.start : covered.stop]
            np.maximum(part, mark.score / best, out=part)
        if named.any():
            found.append((best, named * share / (named * share).sum()))
    return found


def together(quoted: Sequence[tuple[float, np.ndarray]], trust: Sequence[float]) -> np.ndarray:
    """g (unit,) of all references: a plain quote counts for much more than a name or a line beside it."""
    weights = np.array(trust) ** calibration.QUOTE_POWER
    return np.asarray(sum(weight * g for weight, (_, g) in zip(weights, quoted, strict=True)) / weights.sum())


def trust(
    unit_map: UnitMap, marks: Sequence[Mark], quoted: Sequence[tuple[float, np.ndarray]], kind: str
) -> list[float]:
    """c_q of each reference: how often one of its quality names the place; none where nothing quoted counts.

    Code that never ran is believed less to have thrown, or to have done wrong; under an exception a quote that agrees
    with the scope of a frame is believed more.
    """
    if not quoted or kind not in calibration.QUOTE:
        return []
    never = _never_ran(unit_map, marks) if kind in ("exception", "silent") else np.zeros(len(unit_map.units), bool)
    thrown = _scopes_thrown_in(unit_map, marks) if kind == "exception" else np.zeros(len(unit_map.units), bool)
    found = []
    for quality, g in quoted:
        base = calibration.QUOTE_AT_FRAME if thrown[g > 0].any() else calibration.QUOTE[kind]
        found.append(base * quality * (calibration.NEVER_RAN if never[g > 0].all() else 1.0))
    return found


def _never_ran(unit_map: UnitMap, marks: Sequence[Mark]) -> np.ndarray:
    """Which units (unit,) are JavaScript of which coverage says that it never ran."""
    never = np.zeros(len(unit_map.units), dtype=bool)
    masks = [mark for mark in marks if mark.source == "coverage" and mark.feature == "mask"]
    for mark in sorted(masks, key=lambda mark: mark.start - mark.end):
        covered = unit_map.begun(mark.start, mark.end)
        never[covered.start : covered.stop] = mark.score < calibration.MASK["script"][1]
    return never


def _scopes_thrown_in(unit_map: UnitMap, marks: Sequence[Mark]) -> np.ndarray:
    """Which units (unit,) are in the function of a frame of the stack."""
    found = np.zeros(len(unit_map.units), dtype=bool)
    for mark in marks:
        if mark.feature == "stack":
            for unit in unit_map.touched(mark.start, mark.end):
                inside = unit_map.begun(unit_map.units[unit].scope_start, unit_map.units[unit].scope_end)
                found[inside.start : inside.stop] = True
    return found
