"""c: how probable it is that the units with 80 % of an attribution's mass hold the fault."""

from collections.abc import Collection

import numpy as np

from rcca_cli.credit import calibration

MOST = 0.8  # of the mass
SIGNS = ("stack", "listener", "sibling", "omission")  # pointers whose presence tells how well a fault can be found


def features(
    mass: np.ndarray, pointers: Collection[str], trust: float, quoted: np.ndarray | None, without: np.ndarray
) -> dict[str, float]:
    """What c depends on beside the kind of failure.

    `mass` (unit,) is the attribution; `pointers` are the features of the marks behind it; `quoted` (unit,) is g, what
    an evaluator named, if anything, and `trust` its share; `without` (unit,) is the attribution without it.
    """
    heavy = np.sort(mass)[::-1]
    found = {"heaviest": float(heavy[0]), "many": float(np.log(enough(heavy)))}
    found |= {name: 1.0 for name in SIGNS if name in pointers}
    if quoted is not None:
        best = float(without[quoted > 0].max() / without.max())
        found |= {"quoted": trust, "agreed": float(np.log(max(best, 1e-4)))}
    return found


def enough(heavy: np.ndarray) -> int:
    """How many of the heaviest units hold 80 % of the mass; `heavy` (unit,) is in falling order."""
    return int(np.searchsorted(np.cumsum(heavy), MOST * heavy.sum() - 1e-9)) + 1


def confidence(kind: str, found: dict[str, float]) -> float:
    """c in (0, 1), by logistic regression (calibration.CERTAINTY).

    >>> confidence("silent", {}) == confidence("silent", {"unheard of": 1.0})
    True
    """
    weights = calibration.CERTAINTY
    total = weights["any"] + weights[kind] + sum(weights.get(name, 0.0) * value for name, value in found.items())
    return float(1 / (1 + np.exp(-total)))
