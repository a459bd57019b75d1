"""The rows of `align.spans`: the code held responsible for each item, for people and reports to read."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.align.places import Placed
from rcca_cli.credit import Credit, calibration


def rows(answer: Answer, rubric: str, placed: Placed, advantage: float) -> list[dict[str, Any]]:
    """The units that hold most of an item's mass, the heaviest first."""
    confidence = placed.place.confidence
    confidence = calibration.PASSED if confidence is None else confidence
    if placed.presence is not None:
        share = float(placed.place.alpha.sum()) if placed.place.alpha is not None else 0.0
        return [row(rubric, placed.presence, "presence", share, ["sibling"], advantage, confidence)]
    if placed.attribution is None:
        return []
    mass = placed.attribution.mass
    order = np.lexsort((np.arange(mass.size), -mass))[: calibration.TOP_UNITS]
    enough = int(np.searchsorted(np.cumsum(mass[order]), calibration.TOP_MASS)) + 1
    found = []
    for index in order[:enough]:
        unit = placed.attribution.units.units[index]
        sources = placed.attribution.sources[index]
        found.append(row(rubric, (unit.start, unit.end), unit.kind, float(mass[index]), sources, advantage, confidence))
    return found


def gate_rows(answer: Answer, places: Sequence[tuple[int, int]], credit: Credit | None) -> list[dict[str, Any]]:
    """The place of each failed gate, for which the gates' channel has its own advantage."""
    return [row("gate", place, "gate", 1.0, [], credit.advantage if credit else 0.0, 1.0) for place in places]


def row(
    rubric: str,
    place: tuple[int, int],
    unit: str,
    mass: float,
    sources: list[str],
    advantage: float,
    confidence: float,
) -> dict[str, Any]:
    """One row of `align.spans`."""
    return {
        "rubric": rubric,
        "start": place[0],
        "end": place[1],
        "unit": unit,
        "mass": round(mass, 4),
        "sources": sources,
        "advantage": round(advantage, 6) + 0.0,
        "confidence": round(confidence, 4),
    }
