"""What is made of the curves of runs: areas, samples to a mark, paired differences between arms, and how sure they are.

A curve is points (samples, share of the rubric that passes on held-out tasks), the first at 0 samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, inf, log, sqrt

import numpy as np

Curve = Sequence[tuple[float, float]]
MARKS = (0.25, 0.5, 0.75)  # of the way from the start to the ceiling
LEVEL = 0.05
BLOCK = 1 << 16  # sign patterns at once


def area(curve: Curve) -> float:
    """The mean height of the curve, by trapezoids.

    >>> area([(0, 0.4), (100, 0.6), (300, 0.6)])
    0.5666666666666667
    """
    total = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(curve))
    return total / (curve[-1][0] - curve[0][0])


@dataclass(frozen=True)
class Reached:
    """The samples after which a curve is at a mark for the first time; `censored`: it is not, and takes more."""

    samples: float
    censored: bool


def reached(curve: Curve, mark: float) -> Reached:
    """When a curve comes to a height, with a straight line between its points.

    >>> reached([(0, 0.4), (100, 0.6)], 0.5), reached([(0, 0.4), (100, 0.6)], 0.7)
    (Reached(samples=50.0, censored=False), Reached(samples=100, censored=True))
    """
    if curve[0][1] >= mark:
        return Reached(curve[0][0], False)
    for (x, low), (z, high) in pairwise(curve):
        if high >= mark:
            return Reached(x + (z - x) * (mark - low) / (high - low), False)
    return Reached(curve[-1][0], True)


def mean_curve(curves: Sequence[Curve]) -> list[tuple[float, float]]:
    """The mean of curves, at the samples that all of them have.

    >>> mean_curve([[(0, 0.25), (10, 0.5), (20, 0.75)], [(0, 0.75), (20, 0.75)]])
    [(0, 0.5), (20, 0.75)]
    """
    heights = [dict(curve) for curve in curves]
    shared = [x for x, _ in curves[0] if all(x in own for own in heights)]
    return [(x, sum(own[x] for own in heights) / len(heights)) for x in shared]


@dataclass(frozen=True)
class Paired:
    """The mean of paired differences, its interval, and two tests that it is 0: Student's t and the exact sign flip.

    `sd` is the spread of the differences; null where there are fewer than two.
    """

    n: int
    mean: float
    sd: float | None
    low: float | None
    high: float | None
    p_t: float | None
    p_flip: float


def paired(differences: Sequence[float], designs: int = 1) -> Paired:
    """Of one difference a seed; the interval is at level 1 − 0.05 / `designs`, the number of designs tried.

    >>> found = paired([0.02, 0.04, 0.06, 0.08])
    >>> [round(value, 4) for value in (found.mean, found.sd, found.low, found.high, found.p_t, found.p_flip)]
    [0.05, 0.0258, 0.0089, 0.0911, 0.0305, 0.125]
    """
    from scipy.stats import t

    values = np.array(differences, dtype=float)
    n, mean = len(values), float(values.mean())
    if n < 2:
        return Paired(n, mean, None, None, None, None, flips(values))
    sd = float(values.std(ddof=1))
    half = float(t.ppf(1 - LEVEL / designs / 2, n - 1)) * sd / sqrt(n)
    p = float(2 * t.sf(abs(mean) / (sd / sqrt(n)), n - 1)) if sd else float(mean == 0)
    return Paired(n, mean, sd, mean - half, mean + half, p, flips(values))


def flips(values: np.ndarray) -> float:
    """The two-sided sign-flip test, exact: the share of all 2^n patterns of signs whose mean is as far from 0.

    Patterns and their opposites count the same, so that half of them are enough.

    >>> flips(np.array([1.0, 2.0, 3.0])), flips(np.array([1.0, -1.0])), flips(np.array([0.5]))
    (0.25, 1.0, 1.0)
    """
    rest = values[1:]
    bound = abs(float(values.sum())) * (1 - 1e-12)
    count = 1 << len(rest)
    far = 0
    for begin in range(0, count, BLOCK):
        patterns = np.arange(begin, min(begin + BLOCK, count))
        signs = 1.0 - 2.0 * (patterns[:, None] >> np.arange(len(rest)) & 1)
        far += int((np.abs(values[0] + signs @ rest) >= bound).sum())
    return far / count


def seeds_needed(sd: float, difference: float = 0.04, power: float = 0.8, level: float = LEVEL) -> int:
    """The fewest seeds with which the paired t test finds a difference that often, for a spread of the differences.

    >>> seeds_needed(0.04), seeds_needed(0.08)
    (10, 34)
    """
    from scipy.stats import nct, t

    for n in range(2, 10_000):
        bound, shift = float(t.ppf(1 - level / 2, n - 1)), difference * sqrt(n) / sd if sd else inf
        if shift == inf or nct.sf(bound, n - 1, shift) + nct.cdf(-bound, n - 1, shift) >= power:
            return n
    return 10_000


@dataclass(frozen=True)
class Ratio:
    """How many times the samples of a control an arm needs: the geometric mean over seeds, and its interval.

    Where a run did not come to the mark, its ratio is a bound: at least (the arm did not) or at most (the control did
    not) what stands there, and the interval has no end on that side; `bounded` counts each kind, and with "neither" the
    seeds in which nothing is known.
    """

    n: int
    ratio: float | None
    low: float | None
    high: float | None
    bounded: dict[str, int]


def ratio(arm: Sequence[Reached], control: Sequence[Reached], designs: int = 1) -> Ratio:
    """The ratio over paired seeds. A mark that is reached at once says nothing of either.

    >>> ratio([Reached(50, False), Reached(200, False)], [Reached(100, False), Reached(400, True)]).ratio
    0.5
    """
    bounded = {"at least": 0, "at most": 0, "neither": 0}
    logs = []
    for ours, theirs in zip(arm, control, strict=True):
        if (ours.censored and theirs.censored) or not ours.samples or not theirs.samples:
            bounded["neither"] += 1
            continue
        bounded["at least"] += ours.censored
        bounded["at most"] += theirs.censored
        logs.append(log(ours.samples / theirs.samples))
    if not logs:
        return Ratio(0, None, None, None, bounded)
    found = paired(logs, designs)
    low = None if found.low is None or bounded["at most"] else exp(found.low)
    high = None if found.high is None or bounded["at least"] else exp(found.high)
    return Ratio(found.n, exp(found.mean), low, high, bounded)
