"""How well a share of responsibility for each unit meets the units that hold the fault."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from rcca_cli.credit import certainty

TOPS = (1, 3, 5)
BINS = 10  # of the calibration error


@dataclass(frozen=True)
class Score:
    """One attribution, scored: `top` by k; `hit` is whether the units with 80 % of the mass hold the fault.

    `share` is the fault's share of the code (what chance would give it), `iou` of the characters of the top set and
    the fault, `confidence` the c that was promised for `hit`. `weight` is what it counts within its item.
    """

    top: Mapping[int, float]
    mass: float
    share: float
    iou: float
    hit: float
    confidence: float
    unmatched: float
    weight: float = 1.0


def score(lengths: np.ndarray, mass: np.ndarray, truth: np.ndarray, confidence: float, unmatched: int = 0) -> Score:
    """All of (unit,): characters, mass that sums to at most 1, and whether the fault is there."""
    chosen = top_set(mass)
    both, either = lengths[chosen & truth].sum(), lengths[chosen | truth].sum()
    return Score(
        {k: top(mass, truth, k) for k in TOPS},
        float(mass[truth].sum()),
        float(lengths[truth].sum() / lengths.sum()),
        float(both / either) if either else 0.0,
        float((chosen & truth).any()),
        confidence,
        float(unmatched),
    )


def nothing(share: float) -> Score:
    """Of a fault that was not placed at all."""
    return Score(dict.fromkeys(TOPS, 0.0), 0.0, share, 0.0, 0.0, 0.0, 0.0)


def top(mass: np.ndarray, truth: np.ndarray, k: int) -> float:
    """The chance that one of the k heaviest units holds the fault, units of the same mass in random order.

    >>> top(np.array([0.5, 0.25, 0.25]), np.array([False, True, False]), 2)
    0.5
    """
    values = np.round(mass, 9)
    left = k
    for value in np.unique(values)[::-1]:
        tied = values == value
        right, size = int((tied & truth).sum()), int(tied.sum())
        if value <= 0:
            return 0.0  # what nobody blames is not found
        if size > left:
            return 1 - comb(size - right, left) / comb(size, left)
        if right:
            return 1.0
        left -= size
        if not left:
            return 0.0
    return 0.0


def top_set(mass: np.ndarray) -> np.ndarray:
    """The heaviest units (unit,) that together hold 80 % of the mass."""
    order = np.argsort(-mass, kind="stable")
    heaviest = order[: certainty.enough(mass[order])]
    chosen = np.zeros(mass.size, dtype=bool)
    chosen[heaviest] = mass[heaviest] > 0
    return chosen


def calibration_error(confidence: np.ndarray, hit: np.ndarray, weight: np.ndarray) -> float | None:
    """The expected calibration error over ten bins of equal width."""
    if not weight.sum():
        return None
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = [abs(float(np.sum((confidence - hit)[bins == one] * weight[bins == one]))) for one in range(BINS)]
    return sum(gaps) / float(weight.sum())


def brier_skill(confidence: np.ndarray, hit: np.ndarray, weight: np.ndarray, kinds: Sequence[str]) -> float | None:
    """How much smaller the squared error is than that of always saying the kind's own rate; 1 is perfect."""
    names = np.array(kinds)
    base = np.zeros(len(hit))
    for kind in set(kinds):
        own = names == kind
        base[own] = np.average(hit[own], weights=weight[own])
    worst = float(np.sum(weight * (base - hit) ** 2))
    return 1 - float(np.sum(weight * (confidence - hit) ** 2)) / worst if worst else None
